//! Requests that are settled for good: a late listing must not raise the dead.

use std::collections::{HashSet, VecDeque};

use crate::RequestId;

/// How many settled requests a server's graveyard remembers. A listing is at most seconds old, so this is ample.
const CAPACITY: usize = 4096;

/// The settled requests of one server, oldest forgotten first.
#[derive(Debug, Clone, Default)]
pub(super) struct Tombstones {
    set: HashSet<RequestId>,
    order: VecDeque<RequestId>,
}

impl Tombstones {
    pub(super) fn insert(&mut self, id: RequestId) {
        if !self.set.insert(id.clone()) {
            return;
        }
        self.order.push_back(id);
        if self.order.len() > CAPACITY
            && let Some(oldest) = self.order.pop_front()
        {
            self.set.remove(&oldest);
        }
    }

    pub(super) fn contains(&self, id: &RequestId) -> bool {
        self.set.contains(id)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forgets_only_the_oldest() {
        let mut stones = Tombstones::default();
        for n in 0..=CAPACITY {
            stones.insert(RequestId(n.to_string()));
        }
        assert!(!stones.contains(&"0".into()));
        assert!(stones.contains(&"1".into()));
        assert!(stones.contains(&RequestId(CAPACITY.to_string())));
    }
}
