//! Passwords of servers that were just forgotten, and can be had again for a while.

use std::time::Duration;

use gavel_core::{Moment, ServerId, say};
use gavel_opencode::Credentials;

use crate::api::{Answer, Code};
use crate::calls::{PASSWORD, Reply, keychain_failure};
use crate::driver::{Driver, now};
use crate::failure::Failed;
use crate::message::Message;
use crate::settings::PasswordSetting;

/// For how long a password that was forgotten can be had again.
const BACK: Duration = Duration::from_secs(10);

/// Where the password of a server came from. It can't be printed.
pub(crate) struct Forgotten {
    id: ServerId,
    setting: PasswordSetting,
    /// What the keychain held. From there it is gone.
    password: Option<String>,
    until: Moment,
}

impl Forgotten {
    /// Whether it is the password of `id`.
    pub(crate) fn is_of(&self, id: &ServerId) -> bool {
        self.id == *id
    }
}

impl Driver {
    /// Until when the password of `id` can be had again, if it was just forgotten.
    pub(crate) fn password_back_until(&self, id: &ServerId) -> Option<Moment> {
        self.forgotten.iter().find(|one| one.id == *id).map(|one| one.until)
    }

    pub(crate) fn forget_password(&mut self, id: ServerId, answer: Reply) {
        let Some(setting) = self.settings.passwords.get(id.as_str()).cloned() else {
            self.password_kept(&id, None, None);
            let _ = answer.send(Ok(Answer::Done));
            return;
        };
        let (secrets, messages) = (self.servers.secrets().clone(), self.messages.clone());
        tokio::spawn(async move {
            let forgotten = match &setting.variable {
                Some(_) => Ok(None),
                None => match secrets.get(id.as_str()).await {
                    Ok(password) => secrets.forget(id.as_str()).await.map(|()| password),
                    Err(error) => Err(error),
                },
            };
            let result = forgotten.map(|password| {
                let until = now().plus(u64::try_from(BACK.as_millis()).unwrap_or(u64::MAX));
                let _ = messages.send(Message::PasswordForgotten(Box::new(Forgotten { id, setting, password, until })));
                Answer::Done
            });
            let _ = answer.send(result.map_err(|error| keychain_failure(PASSWORD, &error)));
        });
    }

    /// A password was taken out of the keychain, or a variable is no longer looked at.
    pub(crate) fn password_forgotten(&mut self, forgotten: Forgotten) {
        self.password_kept(&forgotten.id, None, None);
        let (until, messages) = (forgotten.until, self.messages.clone());
        self.forgotten.retain(|one| one.id != forgotten.id);
        self.forgotten.push(forgotten);
        tokio::spawn(async move {
            tokio::time::sleep(BACK).await;
            let _ = messages.send(Message::PasswordGone(until));
        });
    }

    /// What was forgotten until this moment can't be had again any more.
    pub(crate) fn password_gone(&mut self, until: Moment) {
        self.forgotten.retain(|one| one.until > until);
    }

    /// Has the password of a server again that was just forgotten.
    pub(crate) fn keep_forgotten_password(&mut self, id: ServerId, answer: Reply) {
        let Some(Forgotten { setting, password, .. }) = self.forgotten.iter().find(|one| one.id == id) else {
            let _ = answer.send(Err(Failed {
                code: Code::Failed,
                message: say!("The password can't be had again any more."),
                hint: say!("Type it in anew."),
            }));
            return;
        };
        let (setting, password) = (setting.clone(), password.clone());
        // It goes only once it is kept: a keychain that refuses it takes nothing away.
        match (&setting.variable, password) {
            (None, Some(password)) => self.keep_password(id, setting.username, password, answer),
            (variable, _) => {
                let password = variable.as_ref().and_then(|name| std::env::var(name).ok());
                let username = setting.username().to_owned();
                let credentials = password.map(|password| Credentials { username, password });
                self.password_kept(&id, Some(setting), credentials);
                let _ = answer.send(Ok(Answer::Done));
            }
        }
    }
}
