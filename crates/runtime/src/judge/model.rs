//! Asking a model on the command line, with everything that is said to it and by it.

use std::env;

use clap::{Args, ValueEnum};
use gavel_core::{Detail, Finding, Recommendation, Status, Verdict, display};
use gavel_judge::benchmark::Case;
use gavel_judge::model::{Access, Backend, Brief, Endpoint, Headers, Judge, Judged, Key, Kind, Options};
use serde::Serialize;

use crate::Secrets;
use crate::judge_setup::{self, JudgeSetup};
use crate::settings::{JudgeKey, JudgeSettings};

/// Which model is asked. What is not given is taken from the environment.
#[derive(Debug, Clone, Default, PartialEq, Eq, Args)]
pub struct Model {
    /// The API that the model is behind; `GAVEL_JUDGE_PROVIDER` or `openai` by default.
    #[arg(long, value_enum, conflicts_with = "offline")]
    provider: Option<Provider>,
    /// Where the API is, as in `https://api.openai.com/v1`; `GAVEL_JUDGE_BASE_URL` or the vendor's own by default.
    #[arg(long, value_name = "URL", conflicts_with = "offline")]
    base_url: Option<String>,
    /// The model's name; `GAVEL_JUDGE_MODEL` by default, or else the model that was chosen in the window.
    #[arg(long, conflicts_with = "offline")]
    model: Option<String>,
    /// The environment variable that holds the key; `GAVEL_JUDGE_API_ENV` or the vendor's usual one by default.
    #[arg(long, value_name = "VARIABLE", conflicts_with = "offline")]
    api_env: Option<String>,
    /// A further header, with the environment variable that holds its value. May be given more than once.
    #[arg(long, value_name = "NAME=VARIABLE", conflicts_with = "offline")]
    header_env: Vec<String>,
    /// What the user asked the agent for.
    #[arg(long, value_name = "TEXT", conflicts_with = "offline")]
    request: Option<String>,
    /// How long the model may take, in milliseconds.
    #[arg(long, value_name = "MS", conflicts_with = "offline")]
    timeout_ms: Option<u64>,
}

/// The APIs that can be asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Provider {
    /// Chat completions, as OpenAI and many others offer them.
    #[value(name = "openai")]
    OpenAi,
    /// Messages, as Anthropic offers them.
    Anthropic,
}

/// A model that can be asked.
pub(super) struct Asked<'a> {
    backend: Backend,
    options: Options,
    request: Option<&'a str>,
    judge: Judge,
    runtime: tokio::runtime::Runtime,
}

/// What a model said about one line of a file.
#[derive(Serialize)]
pub(super) struct Line<'a> {
    line: usize,
    recommendation: Recommendation,
    reason: &'a str,
    status: Status,
    took: u64,
    provider: &'a str,
    model: &'a str,
    usage: gavel_judge::model::Usage,
    offline: &'a Finding,
}

impl Model {
    /// The model to ask, with the options to ask it with; `None` if none is named.
    ///
    /// # Errors
    /// What makes no sense, in words for the user.
    pub(crate) fn backend(&self) -> Result<Option<(Backend, Options)>, String> {
        let given = |flag: &Option<String>, name: &str| flag.clone().or_else(|| variable(name));
        let Some(model) = given(&self.model, "GAVEL_JUDGE_MODEL") else { return Ok(None) };
        let kind = match (self.provider, variable("GAVEL_JUDGE_PROVIDER").as_deref()) {
            (Some(Provider::OpenAi), _) | (None, None | Some("openai")) => Kind::OpenAi,
            (Some(Provider::Anthropic), _) | (None, Some("anthropic")) => Kind::Anthropic,
            (None, Some(other)) => {
                return Err(format!("`GAVEL_JUDGE_PROVIDER` is `{other}`, and not `openai` or `anthropic`"));
            }
        };
        let base_url = given(&self.base_url, "GAVEL_JUDGE_BASE_URL").unwrap_or_else(|| kind.usual_url().to_owned());
        let headers = self.header_env.iter().map(|pair| header(pair)).collect::<Result<Vec<_>, _>>()?;
        let access = access(kind, given(&self.api_env, "GAVEL_JUDGE_API_ENV"), &base_url, !headers.is_empty());
        let headers = Headers::new(headers);
        let options = Options::default();
        let options = Options { timeout_ms: self.timeout_ms.unwrap_or(options.timeout_ms), ..options };
        Ok(Some((Backend::Http(Endpoint { kind, base_url, model, access, headers }), options)))
    }

    /// The model to ask from the command line: the one that is named, or else the one of the settings; `None` if there is
    /// neither.
    ///
    /// # Errors
    /// What makes no sense, in words for the user.
    pub(super) fn asked(&self, chosen: impl FnOnce() -> Chosen) -> Result<Option<Asked<'_>>, String> {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
        let runtime = runtime.map_err(|error| error.to_string())?;
        let found = match self.backend()? {
            // What is said about a model that isn't named is about none of the settings.
            None if !self.names_a_place() => {
                let (settings, secrets) = chosen()?;
                runtime.block_on(of_settings(&settings, &secrets))?
            }
            named => named,
        };
        let Some((backend, options)) = found else { return Ok(None) };
        let options = Options { timeout_ms: self.timeout_ms.unwrap_or(options.timeout_ms), ..options };
        Ok(Some(Asked { backend, options, request: self.request.as_deref(), judge: Judge::new(), runtime }))
    }

    fn names_a_place(&self) -> bool {
        let Self { provider, base_url, model, api_env, header_env, request: _, timeout_ms: _ } = self;
        provider.is_some() || [base_url, model, api_env].iter().any(|given| given.is_some()) || !header_env.is_empty()
    }
}

/// What the user chose in the window, and where keys are kept; or why that isn't known.
pub(super) type Chosen = Result<(JudgeSettings, Secrets), String>;

/// The model of the settings, if one is chosen there.
async fn of_settings(settings: &JudgeSettings, secrets: &Secrets) -> Result<Option<(Backend, Options)>, String> {
    let setup = JudgeSetup::of_settings(settings, secrets).await;
    match (setup.chosen, setup.problem) {
        (judge_setup::Chosen::Nobody, _) => Ok(None),
        // Nobody was chosen, and here is no session whose model could be asked.
        (judge_setup::Chosen::SessionModel, _) if settings.who.is_none() => Ok(None),
        (judge_setup::Chosen::SessionModel, _) => {
            Err("each session is judged by its own model, and this is no session: `--model` names one".to_owned())
        }
        (judge_setup::Chosen::Model(_), Some(problem)) => Err(problem.to_string()),
        (judge_setup::Chosen::Model(backend), None) => Ok(Some((backend, setup.options))),
    }
}

/// The variable that holds the key of a judge that the environment names.
pub(crate) fn variable_of_key(kind: Kind) -> String {
    variable("GAVEL_JUDGE_API_ENV").unwrap_or_else(|| kind.usual_variable().to_owned())
}

/// Where the key of a judge that the environment names comes from.
pub(crate) fn key_of_environment(endpoint: &Endpoint) -> JudgeKey {
    match endpoint.access {
        Access::Open => JudgeKey::Nowhere,
        Access::Key(_) | Access::Missing => JudgeKey::Variable { name: variable_of_key(endpoint.kind) },
    }
}

/// The value of a variable that is set to anything.
fn variable(name: &str) -> Option<String> {
    env::var(name).ok().filter(|value| !value.is_empty())
}

fn header(pair: &str) -> Result<(String, String), String> {
    let (name, from) = pair.split_once('=').ok_or_else(|| format!("`{pair}` is not of the form NAME=VARIABLE"))?;
    let value = variable(from).ok_or_else(|| format!("the environment variable `{from}` is not set"))?;
    Ok((name.to_owned(), value))
}

/// The key. One that is named must be there; else a model on this machine, or one with a header for it, needs none.
fn access(kind: Kind, named: Option<String>, base_url: &str, has_header: bool) -> Access {
    let must = named.is_some();
    let name = named.unwrap_or_else(|| kind.usual_variable().to_owned());
    let here = url::Url::parse(base_url).is_ok_and(|url| match url.host() {
        Some(url::Host::Ipv4(ip)) => ip.is_loopback(),
        Some(url::Host::Ipv6(ip)) => ip.is_loopback(),
        Some(url::Host::Domain(name)) => name == "localhost",
        None => false,
    });
    match variable(&name).and_then(|value| Key::new(&value)) {
        Some(key) => Access::Key(key),
        None if !must && (here || has_header) => Access::Open,
        None => Access::Missing,
    }
}

impl Asked<'_> {
    /// What the model says about `detail` in `project`, after `finding`.
    pub(super) fn judge(&self, detail: &Detail, project: &str, finding: &Finding) -> Judged {
        let resources: Vec<String> = detail.command.iter().cloned().collect();
        let brief = Brief {
            scope: "command line".to_owned(),
            action: "shell",
            resources: &resources,
            project,
            detail,
            request: self.request,
            finding: Some(finding),
        };
        self.runtime.block_on(self.judge.judge(&self.backend, &brief, &self.options))
    }

    /// What the model says about a case of the benchmark. Nothing is remembered: each is asked.
    pub(super) fn judge_case(&self, case: &Case, detail: &Detail, resources: &[String], finding: &Finding) -> Judged {
        let brief = Brief {
            scope: "benchmark".to_owned(),
            action: case.action(),
            resources,
            project: Case::PROJECT,
            detail,
            request: Some(&case.request),
            finding: Some(finding),
        };
        let options = Options { cache: false, ..self.options.clone() };
        self.runtime.block_on(self.judge.judge(&self.backend, &brief, &options))
    }

    /// What the model is called.
    pub(super) fn name(&self) -> String {
        format!("{} {}", self.backend.provider(), self.backend.model())
    }

    /// `judged` as one object for line `line` of a file.
    pub(super) fn line<'a>(&'a self, line: usize, judged: &'a Judged, offline: &'a Finding) -> Line<'a> {
        let Verdict { recommendation, ref reason, status, took, .. } = judged.verdict;
        let (provider, model) = (self.backend.provider(), self.backend.model());
        Line { line, recommendation, reason, status, took, provider, model, usage: judged.usage, offline }
    }

    /// The verdict and all that was said, for a person.
    pub(super) fn for_people(&self, judged: &Judged) -> String {
        let Verdict { recommendation, ref reason, took, .. } = judged.verdict;
        let who = display::visible(&format!("{} {}", self.backend.provider(), self.backend.model()));
        let word = super::word(recommendation);
        let mut text = format!("{word} ({who}, {took} ms): {}\n", display::visible(reason));
        if let (Some(prompt), Some(completion)) = (judged.usage.prompt, judged.usage.completion) {
            text.push_str(&format!("{prompt} tokens asked, {completion} answered\n"));
        }
        for round in &judged.exchange.rounds {
            let status =
                round.status.map_or_else(|| "nothing came back".to_owned(), |code| format!("HTTP status {code}"));
            let (request, answer) = (display::visible(&round.request), display::visible(&round.answer));
            text.push_str(&format!("\n--- asked\n{request}\n\n--- answered: {status}\n{answer}\n"));
        }
        text
    }
}
