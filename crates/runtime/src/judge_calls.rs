//! Choosing who judges, and keeping its key, while Gavel runs.

use std::time::Duration;

use gavel_core::flow::Event;
use gavel_core::text::{Message as Sentence, Template, plain};
use gavel_core::{say, term};
use gavel_judge::model::{Key, Kind};
use url::Url;

use crate::api::{Answer, Code, JudgeChoice};
use crate::calls::{Reply, keychain_failure, variable_name};
use crate::driver::{Driver, now};
use crate::failure::Failed;
use crate::judge_setup::JudgeSetup;
use crate::judge_state::{Forgotten, JudgeSaid};
use crate::message::Message;
use crate::settings::{JudgeKey, JudgeSettings, Who};

/// For how long a key that was forgotten can be had again.
const BACK: Duration = Duration::from_secs(10);

/// The longest address, name of a model, and key, in bytes.
const LONGEST: usize = 8 * 1024;

/// What is said when a key was not kept.
const KEY: Template = term!("The key was not kept: {}.");

impl Driver {
    /// Sets the judge up anew. A key may have to be fetched; until it is there, nobody is asked.
    pub(crate) fn set_up_judge(&mut self) {
        self.judge.turn += 1;
        self.feed(Event::LearnAfter(self.settings.judge.options.clone().bounded().learn_after));
        if let Some(fixed) = self.judge.fixed.clone() {
            return self.judge_begins(fixed, true);
        }
        let settings = self.settings.judge.clone();
        if settings.asked() == Who::Off {
            return self.judge_begins(JudgeSetup::nobody(), true);
        }
        self.judge_begins(JudgeSetup::nobody(), false);
        let turn = self.judge.turn;
        let (secrets, messages) = (self.servers.secrets().clone(), self.messages.clone());
        tokio::spawn(async move {
            let setup = JudgeSetup::of_settings(&settings, &secrets).await;
            let _ = messages.send(Message::Judge(JudgeSaid::Ready(turn, Box::new(setup))));
        });
    }

    /// Whatever waits is put before this judge.
    fn judge_begins(&mut self, setup: JudgeSetup, ready: bool) {
        self.judge.begin(ready);
        self.advice.set_up(setup);
        self.feed(Event::JudgeChanged);
    }

    /// Something about the judge has come to its end.
    pub(crate) fn judge_said(&mut self, said: JudgeSaid) {
        match said {
            JudgeSaid::Ready(turn, setup) if turn == self.judge.turn => self.judge_begins(*setup, true),
            JudgeSaid::Ready(..) => {}
            JudgeSaid::KeyKept(account) => {
                if self.settings.judge.account() == account && self.settings.judge.key == JudgeKey::Keychain {
                    self.set_up_judge();
                }
            }
            JudgeSaid::KeyForgotten(account, key) => {
                if let Some(key) = key {
                    let until = now().plus(u64::try_from(BACK.as_millis()).unwrap_or(u64::MAX));
                    self.judge.forgotten = Some(Forgotten { account: account.clone(), key, until });
                    let messages = self.messages.clone();
                    tokio::spawn(async move {
                        tokio::time::sleep(BACK).await;
                        let _ = messages.send(Message::Judge(JudgeSaid::KeyGone(until)));
                    });
                }
                if self.settings.judge.account() == account {
                    self.settings.judge.key = JudgeKey::Nowhere;
                    let _ = self.keep_settings();
                    self.set_up_judge();
                }
            }
            JudgeSaid::KeyGone(until) => {
                self.judge.forgotten = self.judge.forgotten.take().filter(|forgotten| forgotten.until != until);
            }
        }
    }

    pub(crate) fn set_judge(&mut self, choice: JudgeChoice) -> Result<Answer, Failed> {
        let before = self.settings.judge.clone();
        let options = choice.options.clone().bounded();
        let chosen = if let Some(fixed) = &mut self.judge.fixed {
            // The environment has the say in all but these.
            fixed.options.clone_from(&options);
            JudgeSettings { options, ..before.clone() }
        } else {
            JudgeSettings { options, ..chosen(choice, &before)? }
        };
        self.settings.judge = chosen;
        let kept = self.keep_settings();
        // What is only learned differently is no other judge.
        let learns = |settings: &JudgeSettings| settings.options.learn_after;
        let mut same = before.clone();
        same.options.learn_after = learns(&self.settings.judge);
        if same == self.settings.judge {
            self.feed(Event::LearnAfter(learns(&self.settings.judge)));
        } else {
            self.set_up_judge();
        }
        kept
    }

    pub(crate) fn keep_judge_key(&mut self, provider: Kind, base_url: String, key: String, answer: Reply) {
        let place = address(&base_url).map(|base_url| JudgeSettings { provider, base_url, ..JudgeSettings::default() });
        let key = place.and_then(|place| Ok((place.account(), fit(key)?)));
        let (account, key) = match key {
            Ok(both) => both,
            Err(failure) => {
                let _ = answer.send(Err(failure));
                return;
            }
        };
        self.judge.forgotten = None;
        self.put_judge_key(account, key, answer);
    }

    fn put_judge_key(&self, account: String, key: String, answer: Reply) {
        let (secrets, messages) = (self.servers.secrets().clone(), self.messages.clone());
        tokio::spawn(async move {
            let result = secrets.set(&account, &key).await.map_err(|error| keychain_failure(KEY, &error));
            if result.is_ok() {
                let _ = messages.send(Message::Judge(JudgeSaid::KeyKept(account)));
            }
            let _ = answer.send(result.map(|()| Answer::Done));
        });
    }

    pub(crate) fn forget_judge_key(&mut self, answer: Reply) {
        let account = self.settings.judge.account();
        let (secrets, messages) = (self.servers.secrets().clone(), self.messages.clone());
        tokio::spawn(async move {
            let forgotten = match secrets.get(&account).await {
                Ok(key) => secrets.forget(&account).await.map(|()| key),
                Err(error) => Err(error),
            };
            let result = forgotten.map(|key| {
                let _ = messages.send(Message::Judge(JudgeSaid::KeyForgotten(account, key)));
                Answer::Done
            });
            let _ = answer.send(result.map_err(|error| Failed {
                message: say!("The key was not forgotten: {}.", error.said()),
                hint: say!("Remove it with the keychain's own program."),
                ..keychain_failure(KEY, &error)
            }));
        });
    }

    pub(crate) fn keep_forgotten_judge_key(&mut self, answer: Reply) {
        let Some(Forgotten { account, key, .. }) = self.judge.forgotten.take() else {
            let _ = answer.send(Err(Failed {
                code: Code::Failed,
                message: say!("The key can't be had again any more."),
                hint: say!("Type it in anew."),
            }));
            return;
        };
        if self.settings.judge.account() == account {
            self.settings.judge.key = JudgeKey::Keychain;
            // A failure is in the log; the key is in its place all the same.
            let _ = self.keep_settings();
        }
        self.put_judge_key(account, key, answer);
    }
}

/// The settings that `choice` stands for.
fn chosen(choice: JudgeChoice, before: &JudgeSettings) -> Result<JudgeSettings, Failed> {
    let base_url = address(&choice.base_url)?;
    let model = choice.model.trim().to_owned();
    if (choice.who == Who::Endpoint && model.is_empty()) || model.len() > LONGEST || model.contains(char::is_control) {
        return Err(Failed {
            code: Code::BadModel,
            message: say!("The judge needs the name of a model."),
            hint: say!("It is the one that its provider lists."),
        });
    }
    let key = match choice.key {
        JudgeKey::Variable { name } => {
            JudgeKey::Variable { name: variable_name(&name, choice.provider.usual_variable())?.to_owned() }
        }
        key => key,
    };
    Ok(JudgeSettings { who: Some(choice.who), provider: choice.provider, base_url, model, key, ..before.clone() })
}

/// An address as it is kept: empty for the vendor's own, and never with a secret in it.
fn address(typed: &str) -> Result<String, Failed> {
    let typed = typed.trim().trim_end_matches('/');
    if typed.is_empty() {
        return Ok(String::new());
    }
    let bad = |message: Sentence, hint: Template| Failed { code: Code::BadUrl, message, hint: hint.into() };
    let example = term!("An address looks like https://api.openai.com/v1.");
    if typed.len() > LONGEST {
        return Err(bad(say!("The address is too long."), example));
    }
    let url = Url::parse(typed)
        .map_err(|error| bad(say!("`{}` is no address: {}.", plain(typed), plain(error.to_string())), example))?;
    if !matches!(url.scheme(), "http" | "https") || !url.has_host() {
        return Err(bad(say!("`{}` begins neither with `http://` nor with `https://`.", plain(typed)), example));
    }
    if !url.username().is_empty() || url.password().is_some() {
        let hint = term!("Give the key below: it is kept in the keychain, and never in the settings.");
        return Err(bad(say!("An address must not hold a password."), hint));
    }
    if url.query().is_some() || url.fragment().is_some() {
        return Err(bad(say!("An address must hold neither `?` nor `#`."), example));
    }
    Ok(typed.to_owned())
}

/// A key that can be sent.
fn fit(typed: String) -> Result<String, Failed> {
    let key = typed.trim();
    if Key::new(key).is_some() && key.len() <= LONGEST && key.bytes().all(|byte| byte.is_ascii_graphic()) {
        return Ok(key.to_owned());
    }
    Err(Failed {
        code: Code::BadKey,
        // What was typed is never repeated.
        message: say!("That is no key."),
        hint: say!("A key is one word of letters, digits and signs."),
    })
}
