//! Several questions at once, and no longer than a deadline.

use std::future::poll_fn;
use std::pin::Pin;
use std::task::Poll;
use std::time::Duration;

use tokio::time::timeout;

/// A question, and what came of it.
type Asked<F> = (Pin<Box<F>>, Option<<F as Future>::Output>);

/// What comes of each of `asked`, in their order; `None` for what takes longer than `patience`.
pub(super) async fn together<F: Future>(
    asked: impl IntoIterator<Item = F>,
    patience: Duration,
) -> Vec<Option<F::Output>> {
    let mut asked: Vec<Asked<F>> = asked.into_iter().map(|future| (Box::pin(future), None)).collect();
    let answering = poll_fn(|context| {
        let mut all = Poll::Ready(());
        for (future, answer) in asked.iter_mut().filter(|(_, answer)| answer.is_none()) {
            match future.as_mut().poll(context) {
                Poll::Ready(said) => *answer = Some(said),
                Poll::Pending => all = Poll::Pending,
            }
        }
        all
    });
    // What has come by then counts.
    let _ = timeout(patience, answering).await;
    asked.into_iter().map(|(_, answer)| answer).collect()
}
