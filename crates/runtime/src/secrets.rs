//! Passwords and keys: in the OS keychain, or in an environment variable the settings name. Never in a file of ours.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use gavel_core::say;
use gavel_core::text::{Message, plain};
use keyring::Entry;

/// Under which name passwords and keys are found in the keychain.
const SERVICE: &str = "gavel";

/// A keychain may ask the user to unlock it, so it gets a while; but Gavel doesn't wait for ever.
const PATIENCE: Duration = Duration::from_secs(60);

/// Why the keychain was of no use.
#[derive(Debug, Clone)]
pub enum Error {
    /// There is none.
    None,
    /// It did not do what was asked.
    Refused(String),
    /// It did not answer.
    Silent,
}

/// Where passwords and keys are kept. Each has an account: the id of its server, or `judge:` and the address of a judge.
#[derive(Debug, Clone)]
pub enum Secrets {
    /// The keychain of the desktop.
    Keychain,
    /// A keychain in memory, for tests.
    Memory(Arc<std::sync::Mutex<std::collections::HashMap<String, String>>>),
    /// No keychain, for tests and for sessions that are known to have none.
    Nowhere,
}

impl Error {
    /// Why, for any language.
    pub fn said(&self) -> Message {
        match self {
            Self::None => {
                say!("this session has no keychain (on Linux: no Secret Service, such as GNOME Keyring or KWallet)")
            }
            Self::Refused(why) => say!("the keychain refused: {}", plain(why)),
            Self::Silent => {
                say!("the keychain did not answer within {} seconds", usize::try_from(PATIENCE.as_secs()).unwrap_or(60))
            }
        }
    }
}

impl std::error::Error for Error {}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.said().fmt(f)
    }
}

impl Secrets {
    /// Whether a keychain answers. Asks for no secret, so that nothing has to be unlocked.
    ///
    /// # Errors
    /// Why it can't be used.
    pub async fn probe(&self) -> Result<(), Error> {
        match self {
            Self::Keychain => blocking(|| Entry::new(SERVICE, "probe").map(drop).map_err(explain)).await,
            Self::Memory(_) => Ok(()),
            Self::Nowhere => Err(Error::None),
        }
    }

    /// What is kept under `account`, if anything is.
    ///
    /// # Errors
    /// If the keychain can't be used.
    pub async fn get(&self, account: &str) -> Result<Option<String>, Error> {
        match self {
            Self::Keychain => {
                let account = account.to_owned();
                blocking(move || match entry(&account)?.get_password() {
                    Ok(password) => Ok(Some(password)),
                    Err(keyring::Error::NoEntry) => Ok(None),
                    Err(error) => Err(explain(error)),
                })
                .await
            }
            Self::Memory(kept) => Ok(lock(kept).get(account).cloned()),
            Self::Nowhere => Err(Error::None),
        }
    }

    /// Keeps `password` under `account`.
    ///
    /// # Errors
    /// If the keychain can't be used.
    pub async fn set(&self, account: &str, password: &str) -> Result<(), Error> {
        match self {
            Self::Keychain => {
                let (account, password) = (account.to_owned(), password.to_owned());
                blocking(move || entry(&account)?.set_password(&password).map_err(explain)).await
            }
            Self::Memory(kept) => {
                lock(kept).insert(account.to_owned(), password.to_owned());
                Ok(())
            }
            Self::Nowhere => Err(Error::None),
        }
    }

    /// Forgets what is kept under `account`. Nothing to forget is no error.
    ///
    /// # Errors
    /// If the keychain can't be used.
    pub async fn forget(&self, account: &str) -> Result<(), Error> {
        match self {
            Self::Keychain => {
                let account = account.to_owned();
                blocking(move || match entry(&account)?.delete_credential() {
                    Ok(()) | Err(keyring::Error::NoEntry) => Ok(()),
                    Err(error) => Err(explain(error)),
                })
                .await
            }
            Self::Memory(kept) => {
                lock(kept).remove(account);
                Ok(())
            }
            Self::Nowhere => Err(Error::None),
        }
    }
}

fn entry(account: &str) -> Result<Entry, Error> {
    Entry::new(SERVICE, account).map_err(explain)
}

fn lock<T>(kept: &std::sync::Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    kept.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
}

/// The keyring's calls block, some of them for as long as a prompt is open.
async fn blocking<T: Send + 'static>(work: impl FnOnce() -> Result<T, Error> + Send + 'static) -> Result<T, Error> {
    match tokio::time::timeout(PATIENCE, tokio::task::spawn_blocking(work)).await {
        Ok(Ok(result)) => result,
        Ok(Err(join)) => Err(Error::Refused(join.to_string())),
        Err(_) => Err(Error::Silent),
    }
}

fn explain(error: keyring::Error) -> Error {
    match error {
        keyring::Error::NoDefaultStore => Error::None,
        other => Error::Refused(other.to_string()),
    }
}
