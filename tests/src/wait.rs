//! Waiting for a condition, with a deadline and an account of what was seen instead.

use std::{
    fmt::Display,
    panic::Location,
    time::{Duration, Instant},
};

/// How long a wait rests between two looks.
pub const POLL: Duration = Duration::from_millis(20);

/// What one look at the world yields: the value waited for, or what was there instead.
pub trait Look {
    /// The value waited for.
    type Value;

    /// The value, or a description of what was seen in its place, if there is anything to describe.
    fn into_value(self) -> Result<Self::Value, Option<String>>;
}

impl<T> Look for Option<T> {
    type Value = T;

    fn into_value(self) -> Result<T, Option<String>> {
        self.ok_or(None)
    }
}

impl Look for bool {
    type Value = ();

    fn into_value(self) -> Result<(), Option<String>> {
        if self { Ok(()) } else { Err(None) }
    }
}

impl<T, E: Display> Look for Result<T, E> {
    type Value = T;

    fn into_value(self) -> Result<T, Option<String>> {
        self.map_err(|seen| Some(seen.to_string()))
    }
}

/// Looks every [`POLL`] until the value is there, and returns it.
///
/// `look` returns an `Option`, a `bool`, or a `Result` whose error says what was seen instead; the latter makes for the
/// better failure message.
///
/// # Panics
/// When the deadline passes first. The message names the caller, what was awaited, the last thing seen and the time spent.
#[track_caller]
pub fn eventually<L: Look>(
    what: impl Display,
    deadline: Duration,
    look: impl AsyncFnMut() -> L,
) -> impl Future<Output = L::Value> {
    let caller = Location::caller();
    async move {
        match try_eventually(&what, deadline, look).await {
            Ok(value) => value,
            Err(missed) => panic!("{missed}\n  awaited at {caller}"),
        }
    }
}

/// As [`eventually`], for callers that have more to say about the failure or another way to go on.
///
/// # Errors
/// The failure message, when the deadline passes first.
pub async fn try_eventually<L: Look>(
    what: impl Display,
    deadline: Duration,
    mut look: impl AsyncFnMut() -> L,
) -> Result<L::Value, String> {
    let started = Instant::now();
    let mut seen = None;
    let mut looks = 0_u32;
    loop {
        let left = deadline.saturating_sub(started.elapsed());
        // A look that hangs must not outlive the deadline either; it always gets the time for one honest try.
        match tokio::time::timeout(left.max(POLL), look()).await.map(Look::into_value) {
            Ok(Ok(value)) => return Ok(value),
            Ok(Err(now)) => seen = now.or(seen),
            Err(_) => seen = Some("the look itself did not come back in time".into()),
        }
        looks += 1;
        if started.elapsed() >= deadline {
            let seen = seen.unwrap_or_else(|| "nothing".into());
            return Err(format!(
                "waited {:.2?} of {deadline:.2?} for {what}, in vain after {looks} looks\n  last seen: {seen}",
                started.elapsed()
            ));
        }
        tokio::time::sleep(POLL).await;
    }
}

/// Checks that something stays true for `period`: the way to test that a thing does *not* happen.
///
/// # Panics
/// At the first look that finds it untrue, with what was seen.
#[track_caller]
pub fn stays<L: Look>(
    what: impl Display,
    period: Duration,
    mut look: impl AsyncFnMut() -> L,
) -> impl Future<Output = ()> {
    let caller = Location::caller();
    async move {
        let started = Instant::now();
        while started.elapsed() < period {
            if let Err(seen) = look().await.into_value() {
                let seen = seen.unwrap_or_else(|| "the opposite".into());
                panic!(
                    "after {:.2?} it was no longer so: {what}\n  seen: {seen}\n  expected at {caller}",
                    started.elapsed()
                );
            }
            tokio::time::sleep(POLL).await;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn the_value_comes_through() {
        let mut n = 0;
        let got = eventually("three", Duration::from_secs(2), async || {
            n += 1;
            (n == 3).then_some(n)
        })
        .await;
        assert_eq!(got, 3);
    }

    #[tokio::test]
    async fn a_miss_tells_what_was_seen() {
        let missed = try_eventually("the door", Duration::from_millis(50), async || Err::<(), _>("a wall")).await;
        let missed = missed.unwrap_err();
        assert!(missed.contains("the door") && missed.contains("a wall"), "{missed}");
    }

    #[tokio::test]
    async fn a_look_that_hangs_is_cut_off() {
        let started = Instant::now();
        let missed =
            try_eventually("a reply", Duration::from_millis(60), async || std::future::pending::<Option<()>>().await);
        assert!(missed.await.unwrap_err().contains("did not come back"));
        assert!(started.elapsed() < Duration::from_secs(5));
    }

    #[tokio::test]
    #[should_panic(expected = "no longer so")]
    async fn what_changes_does_not_stay() {
        let mut n = 0;
        stays("small", Duration::from_secs(2), async || {
            n += 1;
            n < 3
        })
        .await;
    }
}
