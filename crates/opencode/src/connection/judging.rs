//! A server's own model is asked something that belongs to nobody's session.

use std::sync::Arc;
use std::time::Duration;

use gavel_core::SessionId;
use tokio::sync::oneshot;
use tokio::time::{sleep, timeout};
use tokio_util::sync::CancellationToken;

use super::own_title::{self, bears, title};
use super::{Connection, Shared};
use crate::Error;
use crate::dialect::Dialect;
use crate::dialect::history::ModelRef;
use crate::dialect::provider::Provider;
use crate::dialect::v1::aside::{self, Spoken};
use crate::dialect::v1::toast;
use crate::dialect::v2::generate;

/// How many questions the server's model has at once.
pub(super) const AT_ONCE: usize = 3;

/// How long a model may take at most. Whoever asks has less patience.
const ANSWER: Duration = Duration::from_secs(15 * 60);

/// How long the server may take to begin a session of Gavel's: it may have to load something first.
const BEGINNING: Duration = Duration::from_secs(20);

/// How often, and after what pause, it is tried to end such a session.
const ENDINGS: u32 = 3;
const PAUSE: Duration = Duration::from_millis(500);

/// How long the end of a connection waits until the sessions of Gavel's are ended.
const LAST_ERRANDS: Duration = Duration::from_secs(2);

impl Connection {
    /// What the server's model says to `prompt`, once it is this one's turn; without a `model`, the server chooses. Nothing of it is seen in any
    /// session of the user's, nothing the model says is done, and nothing stays behind when this future is dropped. What
    /// can't be ended then, because this program is killed, is known again by `mark`: see [`Self::sweep`]. It is asked for
    /// only where anything may stay.
    ///
    /// # Errors
    /// Nothing was said, or this server has no way to ask.
    pub async fn ask_model(
        &self,
        prompt: &str,
        model: Option<&ModelRef>,
        mark: impl FnOnce() -> String,
    ) -> Result<Spoken, Error> {
        let opinions = Arc::clone(&self.shared.opinions);
        // The semaphore is never closed; were it to, nothing would be asked.
        let Some(Ok(turn)) = self.shared.closing.run_until_cancelled(opinions.acquire_owned()).await else {
            return Err(Error::Cut);
        };
        if self.shared.language().await? == Dialect::V2 {
            let patient = self.shared.asides.patient(ANSWER);
            let text = generate::text_of(&patient, prompt, model).await?;
            return Ok(Spoken { text, cut: false });
        }
        let given_up = CancellationToken::new();
        let _guard = given_up.clone().drop_guard();
        let (tell, said) = oneshot::channel();
        let (shared, title) = (Arc::clone(&self.shared), title(&mark(), own_title::now()));
        let (prompt, model) = (prompt.to_owned(), model.cloned());
        let errand = async move {
            let spoken = in_own_session(&shared, &title, &prompt, model.as_ref(), &given_up).await;
            // Whoever asked may have gone.
            let _ = tell.send(spoken);
            // Nobody else begins a session before this one is ended, even if nobody waits for it any more.
            drop(turn);
        };
        {
            let mut errands = self.shared.errands();
            // What has ended is let go.
            while errands.try_join_next().is_some() {}
            errands.spawn(errand);
        }
        said.await.unwrap_or(Err(Error::Cut))
    }

    /// Ends what this run could not, and the sessions that an earlier run of this program began under one of these marks
    /// and left behind. Of all that bear such a mark only those are touched that may do nothing, as all of them. Another
    /// Gavel with the same files may still be waiting for the answer in a young one: that is ended once it is too old for
    /// this, and so long this future lasts. Gives how many there were.
    ///
    /// # Errors
    /// They could not be found, or not ended.
    pub async fn sweep(&self, marks: &[String]) -> Result<usize, Error> {
        let nothing = marks.is_empty() && self.shared.leftovers.is_empty();
        if nothing || self.shared.language().await? != Dialect::V1 {
            return Ok(0);
        }
        let http = &self.shared.asides;
        let place = aside::place(http).await?;
        end_leftovers(&self.shared, &place).await;
        let mut ended = 0;
        while !marks.is_empty() {
            let (now, limit) = (own_title::now(), self.shared.tuning.left_behind);
            let mut youngest = Duration::MAX;
            let is_left = |title: &str| {
                let age = own_title::age(title, now);
                let ours = bears(title, marks);
                if ours && age < limit {
                    // The youngest is waited for longest.
                    youngest = youngest.min(age);
                }
                ours && age >= limit
            };
            for id in &aside::find(http, &place, is_left).await? {
                aside::end(http, &place, id).await?;
                ended += 1;
            }
            let Some(rest) = limit.checked_sub(youngest) else { break };
            if self.shared.closing.run_until_cancelled(sleep(rest)).await.is_none() {
                break;
            }
        }
        Ok(ended)
    }

    /// What is known of the provider of `model`, as the configuration has it outside of every project. A 2.x server
    /// names no such place: there it is `elsewhere`, an absolute path. `None` if there is none, or no such place.
    ///
    /// # Errors
    /// It could not be had.
    pub async fn provider(&self, model: &ModelRef, elsewhere: Option<&str>) -> Result<Option<Provider>, Error> {
        let dialect = self.shared.language().await?;
        let http = &self.shared.asides;
        let place = match dialect {
            Dialect::V1 => aside::place(http).await?,
            Dialect::V2 => match elsewhere {
                Some(place) => place.to_owned(),
                None => return Ok(None),
            },
        };
        dialect.provider(http, &place, model).await
    }

    /// Says something in the terminal that shows `directory`, for `duration` milliseconds.
    ///
    /// # Errors
    /// The server did not do it. That nobody sees it is none.
    pub async fn toast(&self, directory: &str, message: &str, warns: bool, duration: u64) -> Result<(), Error> {
        toast::show(&self.shared.asides, directory, message, warns, duration).await
    }
}

/// Begins a session, asks in it, and ends it, whatever comes of that.
async fn in_own_session(
    shared: &Shared,
    title: &str,
    prompt: &str,
    model: Option<&ModelRef>,
    given_up: &CancellationToken,
) -> Result<Spoken, Error> {
    let place = aside::place(&shared.asides).await?;
    end_leftovers(shared, &place).await;
    let hidden = &shared.outlet.hidden;
    hidden.await_title(title);
    // This is waited for in any case: what may have begun must be ended.
    let begun = aside::begin(&shared.asides.patient(BEGINNING), &place, title).await;
    let id = match begun {
        Ok(id) => id,
        Err(error) => {
            if matches!(error, Error::Unauthorized { .. } | Error::Status { status: 300..=499, .. }) {
                // It said that it won't.
                hidden.settle_title(title, None);
            } else {
                // A server that takes its time may begin it even after it was looked for.
                keep_title(shared, title);
                end_leftovers(shared, &place).await;
            }
            return Err(error);
        }
    };
    hidden.settle_title(title, Some(&id));
    let patient = shared.asides.patient(ANSWER);
    let spoken = tokio::select! {
        biased;
        () = given_up.cancelled() => Err(Error::Cut),
        () = shared.closing.cancelled() => Err(Error::Cut),
        spoken = aside::ask(&patient, &place, &id, prompt, model) => spoken,
    };
    end(shared, &place, &id).await;
    spoken
}

async fn end(shared: &Shared, place: &str, id: &SessionId) {
    for _ in 0..ENDINGS {
        match aside::end(&shared.asides, place, id).await {
            Ok(()) => return,
            Err(error) => tracing::warn!(server = %shared.id, %error, "a session of ours is not ended"),
        }
        sleep(PAUSE).await;
    }
    shared.leftovers.keep(id);
}

fn keep_title(shared: &Shared, title: &str) {
    if let Some(forgotten) = shared.leftovers.keep_title(title) {
        shared.outlet.hidden.settle_title(&forgotten, None);
    }
}

/// Ends what may be left, once each; what isn't ended or hasn't begun is kept for the next time.
async fn end_leftovers(shared: &Shared, place: &str) {
    let mut left = shared.leftovers.take();
    for title in left.titles {
        match aside::find(&shared.asides, place, |known| known == title).await {
            Ok(found) if !found.is_empty() => {
                for id in found {
                    shared.outlet.hidden.settle_title(&title, Some(&id));
                    left.ids.push(id);
                }
            }
            Ok(_) => keep_title(shared, &title),
            Err(error) => {
                tracing::debug!(server = %shared.id, %error, "what may have begun is not looked for");
                keep_title(shared, &title);
            }
        }
    }
    for id in left.ids {
        if let Err(error) = aside::end(&shared.asides, place, &id).await {
            tracing::warn!(server = %shared.id, %error, "a session of ours is still not ended");
            shared.leftovers.keep(&id);
        }
    }
}

impl Shared {
    /// Waits until the sessions of Gavel's are ended, but not for long.
    pub(super) async fn finish_errands(&self) {
        let mut errands = std::mem::take(&mut *self.errands());
        let all = async { while errands.join_next().await.is_some() {} };
        if timeout(LAST_ERRANDS, all).await.is_err() {
            // As long as the program runs they are still tried.
            errands.detach_all();
            tracing::warn!(server = %self.id, "a session of ours may be left behind");
        }
    }
}
