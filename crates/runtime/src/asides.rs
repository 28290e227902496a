//! What Gavel leaves on servers for a moment, and how it is known again should Gavel be killed in that moment.

use std::sync::{Arc, Once};

/// Where it is kept under which marks sessions were begun; gives the reason if that fails.
pub type KeepMarks = Box<dyn Fn(&[String]) -> Result<(), String> + Send + Sync>;

/// How many runs are remembered. Whatever they left was found by a later one.
const MOST: usize = 50;

/// The marks of this run and of earlier ones. Nobody who was not told can guess one.
pub struct Marks {
    own: String,
    earlier: Vec<String>,
    keep: KeepMarks,
    used: Once,
}

impl Marks {
    /// A new mark, beside those that earlier runs kept.
    #[must_use]
    pub fn new(earlier: Vec<String>, keep: KeepMarks) -> Arc<Self> {
        let own = format!("{:032x}", rand::random::<u128>());
        Arc::new(Self { own, earlier, keep, used: Once::new() })
    }

    /// Marks that nobody keeps.
    #[must_use]
    pub fn unkept() -> Arc<Self> {
        Self::new(Vec::new(), Box::new(|_| Ok(())))
    }

    /// This run's mark, about to be used. It is kept before anything bears it.
    pub(crate) fn own(&self) -> &str {
        self.used.call_once(|| {
            let first = (self.earlier.len() + 1).saturating_sub(MOST);
            let mut all: Vec<String> = self.earlier.iter().skip(first).cloned().collect();
            all.push(self.own.clone());
            if let Err(why) = (self.keep)(&all) {
                tracing::warn!("should Gavel be killed now, it won't know its own sessions again: {why}");
            }
        });
        &self.own
    }

    /// The marks of earlier runs.
    pub(crate) fn earlier(&self) -> &[String] {
        &self.earlier
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use super::*;

    #[test]
    fn a_mark_is_kept_once_and_before_it_is_used_and_old_ones_go() {
        let kept = Arc::new(Mutex::new(Vec::new()));
        let earlier: Vec<String> = (0..MOST).map(|number| number.to_string()).collect();
        let marks = Marks::new(earlier, {
            let kept = Arc::clone(&kept);
            Box::new(move |all| {
                kept.lock().unwrap().push(all.to_vec());
                Err("the disk is full".to_owned())
            })
        });
        assert!(kept.lock().unwrap().is_empty(), "nothing is written before it is needed");
        let own = marks.own().to_owned();
        assert_eq!(marks.own(), own);
        let kept = kept.lock().unwrap();
        assert_eq!((kept.len(), kept[0].len(), kept[0].first().unwrap().as_str()), (1, MOST, "1"));
        assert_eq!(kept[0].last(), Some(&own));
        assert_eq!((own.len(), marks.earlier().len()), (32, MOST));
    }
}
