//! Carrying out the calls of hosts.

use gavel_core::flow::Event;
use gavel_core::grants::GrantId;
use gavel_core::text::{Template, plain};
use gavel_core::{ServerId, say, term};
use gavel_opencode::{Credentials, server_id};
use tokio::sync::oneshot;

use crate::api::{Answer, Call, Code, Preferences};
use crate::driver::Driver;
use crate::failure::Failed;
use crate::handle::Wish;
use crate::message::Message;
use crate::secrets;
use crate::settings::{PasswordSetting, ServerSetting};

/// The longest grace delay, in milliseconds.
const LONGEST_GRACE: u64 = 60_000;

/// What is said when a password was not kept.
pub(crate) const PASSWORD: Template = term!("The password was not kept: {}.");

pub(crate) type Reply = oneshot::Sender<Result<Answer, Failed>>;

impl Driver {
    pub(crate) fn call(&mut self, call: Call, answer: Reply) {
        let result = match call {
            Call::Snapshot => Ok(Answer::Snapshot { snapshot: Box::new(self.picture()) }),
            Call::Decide { key, decision, edition } => {
                self.feed(Event::Decide { key, decision, edition: Some(edition) });
                Ok(Answer::Done)
            }
            Call::AnswerQuestion { key, answer: given, edition } => {
                return self.answer_question(key, given, edition, answer);
            }
            Call::CancelQuestion { key, reason } => Ok(self.cancel_question(key, reason)),
            Call::CheckAnswer { key, answer: given } => return self.check_answer(&key, given, answer),
            Call::KeepDraft { key, draft } => self.keep_draft(key, draft),
            Call::OpenLink { key, field } => return self.open_link(&key, &field, answer),
            Call::Retry { key } => {
                self.feed(Event::Retry(key));
                Ok(Answer::Done)
            }
            Call::Activity { before, limit, query } => return self.activity_rows(before, limit, query, answer),
            Call::Pictures { query, days } => return self.pictures(query, days, answer),
            Call::ReportCard => return self.report_card(answer),
            Call::ExportActivity { query, format } => return self.export_activity(query, format, answer),
            Call::AddServer { url, name } => self.add_server(&url, name),
            Call::RemoveServer { server } => self.remove_server(&server.into()),
            Call::WatchAgain { server } => self.watch_again(&server.into()),
            Call::SetPasswordVariable { server, variable } => self.set_variable(&server.into(), &variable),
            Call::SetPassword { server, username, password } => {
                return self.keep_password(server.into(), username, password, answer);
            }
            Call::ForgetPassword { server } => return self.forget_password(server.into(), answer),
            Call::KeepForgottenPassword { server } => return self.keep_forgotten_password(server.into(), answer),
            Call::Pause { paused } => {
                self.paused = paused;
                self.apply_preferences();
                Ok(Answer::Done)
            }
            Call::SetPreferences { preferences } => self.set_preferences(preferences),
            Call::SavedApprovals { server } => return self.saved_approvals(&server.into(), answer),
            Call::WouldMatch { directories, patterns, lines } => Ok(self.would_match(directories, &patterns, lines)),
            Call::ChangeSavedApproval { server, directory, id, resource } => {
                return self.change_saved(&server.into(), directory, id, resource, answer);
            }
            Call::RemoveSavedApproval { server, directory, id, hold } => {
                return self.remove_saved((server.into(), id), directory, hold, answer);
            }
            Call::KeepSavedApproval { server, id } => {
                self.keep_saved(&(server.into(), id));
                Ok(Answer::Done)
            }
            Call::SetMode { scope, stance } => self.set_mode(scope, stance),
            Call::RulesOf { server, directory, agent, stance } => {
                return self.rules_of(&server.into(), directory, agent, stance, answer);
            }
            Call::Try { server, session, action, resource } => {
                return self.try_rules(&server.into(), &session.into(), action, resource, answer);
            }
            Call::FindUnasked => {
                self.look_at_projects();
                Ok(Answer::Done)
            }
            Call::PutAside { directory, aside } => self.put_aside(directory, aside),
            Call::TakeGrantBack { id } => {
                self.feed(Event::TakeBack(GrantId(id)));
                Ok(Answer::Done)
            }
            Call::GiveGrantAgain { id } => {
                self.feed(Event::GiveAgain(GrantId(id)));
                Ok(Answer::Done)
            }
            Call::SetJudge { choice } => self.set_judge(choice),
            Call::KeepJudgeKey { provider, base_url, key } => {
                return self.keep_judge_key(provider, base_url, key, answer);
            }
            Call::ForgetJudgeKey => return self.forget_judge_key(answer),
            Call::KeepForgottenJudgeKey => return self.keep_forgotten_judge_key(answer),
            Call::TestJudge { command } => return self.test_judge(command, answer),
            Call::StopJudgeTest => {
                self.judge.stop_test();
                Ok(Answer::Done)
            }
            Call::JudgeAgain { server, session } => {
                self.feed(Event::JudgeAgain(server.into(), session.into()));
                Ok(Answer::Done)
            }
            about_rules @ (Call::RulesProjects
            | Call::ProjectRules { .. }
            | Call::ChangeRules { .. }
            | Call::UndoRules { .. }
            | Call::CheckPreset { .. }
            | Call::TryCommand { .. }
            | Call::ExportRules { .. }
            | Call::ImportRules { .. }) => return self.call_about_rules(about_rules, answer),
            Call::Quit => {
                let _ = self.wishes.send(Wish::Quit);
                Ok(Answer::Done)
            }
        };
        // A host that no longer waits has closed its window; what it asked is done all the same.
        let _ = answer.send(result);
    }

    fn add_server(&mut self, url: &str, name: String) -> Result<Answer, Failed> {
        let id = server_id(url).map_err(|error| Failed {
            code: Code::BadUrl,
            message: say!("{}.", error.said()),
            hint: say!("An address looks like http://127.0.0.1:4096."),
        })?;
        let known = |server: &ServerSetting| server_id(&server.url).is_ok_and(|known| known == id);
        if self.settings.servers.iter().any(known) {
            return Err(Failed {
                code: Code::BadUrl,
                message: say!("{} is in the list already.", plain(id.as_str())),
                hint: say!("Remove it first to add it under another name."),
            });
        }
        // What was just removed is had again, with its password, under the name that is given now.
        let _ = self.take_removed(&id);
        self.settings.servers.push(ServerSetting { url: id.0.clone(), name });
        let kept = self.keep_settings();
        self.watch_all();
        kept
    }

    fn set_variable(&mut self, id: &ServerId, variable: &str) -> Result<Answer, Failed> {
        let name = variable_name(variable, "GAVEL_PASSWORD")?;
        let username = self.settings.passwords.get(id.as_str()).map(|known| known.username.clone());
        let setting = PasswordSetting { username: username.unwrap_or_default(), variable: Some(name.to_owned()) };
        let credentials =
            std::env::var(name).ok().map(|password| Credentials { username: setting.username().to_owned(), password });
        self.password_kept(id, Some(setting), credentials);
        self.keep_settings()
    }

    pub(crate) fn keep_password(&self, id: ServerId, username: String, password: String, answer: Reply) {
        let (secrets, messages) = (self.servers.secrets().clone(), self.messages.clone());
        tokio::spawn(async move {
            let result = match secrets.set(id.as_str(), &password).await {
                Ok(()) => {
                    let setting = PasswordSetting { username, variable: None };
                    let credentials = Credentials { username: setting.username().to_owned(), password };
                    let _ = messages.send(Message::Kept(id, Some(setting), Some(credentials)));
                    Ok(Answer::Done)
                }
                Err(error) => Err(keychain_failure(PASSWORD, &error)),
            };
            let _ = answer.send(result);
        });
    }

    /// Where the password of a server comes from has changed: remembers it, and connects with it.
    pub(crate) fn password_kept(
        &mut self,
        id: &ServerId,
        setting: Option<PasswordSetting>,
        credentials: Option<Credentials>,
    ) {
        match setting {
            Some(setting) => {
                self.forgotten.retain(|one| !one.is_of(id));
                self.settings.passwords.insert(id.0.clone(), setting);
            }
            None => {
                self.settings.passwords.remove(id.as_str());
            }
        }
        // A failure is in the log; the password works until Gavel ends, and is asked for again then.
        let _ = self.keep_settings();
        self.servers.connect(id, credentials);
    }

    fn set_preferences(&mut self, preferences: Preferences) -> Result<Answer, Failed> {
        self.settings.preferences = Preferences { grace: preferences.grace.min(LONGEST_GRACE), ..preferences };
        self.apply_preferences();
        self.keep_settings()
    }

    pub(crate) fn apply_preferences(&mut self) {
        let preferences = self.settings.preferences.clone();
        self.feed(Event::Grace(preferences.grace.min(LONGEST_GRACE)));
        self.feed(Event::Pause(self.paused || !preferences.notify));
        // Whoever wants no notifications looks at the window; whoever pauses is away.
        self.feed(Event::Unattended(self.paused));
        for gone in self.servers.discover(preferences.discover) {
            self.feed(Event::ServerRemoved(gone));
        }
    }

    pub(crate) fn keep_settings(&self) -> Result<Answer, Failed> {
        (self.keep)(&self.settings).map(|()| Answer::Done).map_err(|why| {
            tracing::error!("the settings are not being kept: {why}");
            Failed {
                code: Code::Failed,
                message: say!("It is done, but it will be forgotten when Gavel ends: {}.", plain(why)),
                hint: say!("See that the settings file and its folder can be written."),
            }
        })
    }
}

/// The name of an environment variable in what was typed; `example` is one.
pub(crate) fn variable_name<'a>(typed: &'a str, example: &str) -> Result<&'a str, Failed> {
    let name = typed.trim();
    let is_plain = |c: char| c.is_ascii_alphanumeric() || c == '_';
    if !name.is_empty() && name.chars().all(is_plain) && !name.starts_with(|c: char| c.is_ascii_digit()) {
        return Ok(name);
    }
    Err(Failed {
        code: Code::BadVariable,
        message: say!("`{}` is not the name of an environment variable.", plain(name)),
        hint: say!("A name has letters, digits and underscores, for example {}.", plain(example)),
    })
}

/// `message` says with the error what was not kept.
pub(crate) fn keychain_failure(message: Template, error: &secrets::Error) -> Failed {
    Failed {
        code: Code::NoKeychain,
        message: message.with(error.said()),
        hint: say!("Put it into an environment variable and name that instead."),
    }
}
