//! The demo: two projects whose agents ask for permission, in a rhythm a person can follow, for as long as it runs.
//! Nothing is executed; whatever is answered, the agents go on with something else.

mod api_server;
mod web_shop;

use std::time::Duration;

use futures_util::future::join_all;
use tokio_util::sync::CancellationToken;

use crate::script::Prompt;
use crate::world::rules::rule;
use crate::world::session::{NewSession, Status};
use crate::{StandIn, StandInError};
use gavel_core::rules::Effect;

/// How fast the demo goes.
#[derive(Debug, Clone, Copy)]
pub struct Rhythm {
    /// Between the first requests of two agents, at the beginning.
    pub stagger: Duration,
    /// How long an agent takes, about, from an answer to its next request.
    pub breath: Duration,
}

impl Default for Rhythm {
    fn default() -> Rhythm {
        Rhythm { stagger: Duration::from_millis(400), breath: Duration::from_secs(3) }
    }
}

/// The work of one agent after the other in a project, over and over.
struct Desk {
    directory: &'static str,
    jobs: Vec<Job>,
}

/// What one session is about.
struct Job {
    title: &'static str,
    /// Commands that are allowed beforehand, so that what matters stands alone.
    allowed: &'static [&'static str],
    /// What the user says, a line `---`, and the script, with `BREATH` where an agent takes its time.
    prompt: String,
}

impl Job {
    fn new(title: &'static str, prompt: impl Into<String>) -> Job {
        Job { title, allowed: &[], prompt: prompt.into() }
    }
}

fn desks() -> Vec<Desk> {
    let [first, second] = api_server::desks();
    let [third, fourth, fifth] = web_shop::desks();
    // In turns, so that the first requests come from both projects.
    vec![first, third, second, fourth, fifth]
}

/// Plays the demo until `stop`, at the speed for people.
pub async fn play(stand_in: &StandIn, stop: CancellationToken) {
    play_at(stand_in, Rhythm::default(), stop).await;
}

/// Plays the demo until `stop`, or until the stand-in is killed.
pub async fn play_at(stand_in: &StandIn, rhythm: Rhythm, stop: CancellationToken) {
    let agents = (0..).zip(desks()).map(|(place, desk)| work(stand_in, rhythm, place, desk));
    tokio::select! {
        () = stop.cancelled() => {}
        _ = join_all(agents) => {}
    }
}

/// One desk. Ends only with the stand-in.
async fn work(stand_in: &StandIn, rhythm: Rhythm, place: u32, desk: Desk) {
    tokio::time::sleep(rhythm.stagger * place).await;
    let mut last: Option<String> = None;
    // Not all agents take the same time, or answers given together would be followed by requests that come together.
    let breath = rhythm.breath * (10 + 2 * place) / 10;
    for job in desk.jobs.iter().cycle() {
        match begin(stand_in, desk.directory, job, breath) {
            Ok(session) => {
                if rest(stand_in, &session).await.is_err() {
                    return;
                }
                // The session before this one is over for good, and would only pile up.
                if let Some(old) = last.replace(session) {
                    stand_in.forget(&old);
                }
            }
            Err(error) => {
                tracing::warn!(%error, job = job.title, "the demo can't go on with a job");
                return;
            }
        }
        tokio::time::sleep(breath).await;
    }
}

fn begin(stand_in: &StandIn, directory: &str, job: &Job, breath: Duration) -> Result<String, StandInError> {
    let prompt = job.prompt.replace("BREATH", &breath.as_millis().to_string());
    Prompt::read(&prompt)?;
    let session = stand_in.open_session(NewSession {
        directory: directory.to_owned(),
        title: Some(job.title.to_owned()),
        rules: job.allowed.iter().map(|command| rule("bash", command, Effect::Allow)).collect(),
        ..NewSession::default()
    });
    stand_in.prompt(&session, &prompt)?;
    Ok(session)
}

/// Waits until a session has nothing more to do, however long people take.
async fn rest(stand_in: &StandIn, session: &str) -> Result<(), StandInError> {
    const A_YEAR: Duration = Duration::from_secs(365 * 24 * 3600);
    stand_in.wait_until(A_YEAR, |world| world.status(session) == Status::Idle).await
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_job_is_a_fine_script_with_words_of_its_own() {
        for job in desks().iter().flat_map(|desk| &desk.jobs) {
            let prompt = Prompt::read(&job.prompt.replace("BREATH", "1"));
            let prompt = prompt.unwrap_or_else(|error| panic!("{}: {error}", job.title));
            assert!(!prompt.script.turns.is_empty(), "{}", job.title);
            assert!(prompt.words.ends_with(['.', '?']) && !prompt.words.contains("shell "), "{}", job.title);
        }
    }
}
