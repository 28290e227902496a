//! What reaches the driver from outside the event streams.

use gavel_core::flow::Event;
use gavel_core::text::Message as Sentence;
use gavel_core::{Moment, ServerId};
use gavel_disk::RulesWatch;
use gavel_opencode::Credentials;
use gavel_opencode::discovery::Sighting;
use tokio::sync::oneshot;

use crate::api::{Call, Shortcut};
use crate::calls::Reply;
use crate::forgotten::Forgotten;
use crate::judge_state::JudgeSaid;
use crate::modes::Found;
use crate::saved::Removal;
use crate::servers::Stay;
use crate::settings::PasswordSetting;

/// Something that reaches the driver from outside the event streams.
pub(crate) enum Message {
    /// A host calls.
    Call(Call, Reply),
    /// Something happened that the machine has to hear of, unless it belongs to a stay that is over.
    Event(Option<Stay>, Event),
    /// The judge of this turn is asked, or has spoken.
    Advice(u64, Stay, Event),
    /// Discovery saw something.
    Sighting(Sighting),
    /// The password of a server was fetched; the server can be connected to.
    Fetched(Stay, Option<Credentials>),
    /// A password was put into the keychain, or taken out of it.
    Kept(ServerId, Option<PasswordSetting>, Option<Credentials>),
    /// The time to undo this removal is over.
    RemovalDue(Removal, u64),
    /// The time to undo the removals of servers until this moment is over.
    ServerGone(Moment),
    /// The password of a server was forgotten.
    PasswordForgotten(Box<Forgotten>),
    /// What was forgotten until this moment can't be had again any more.
    PasswordGone(Moment),
    /// Something went wrong with a server that nobody may have been told of.
    Fault(ServerId, Sentence),
    /// Something was found out about the rules of a project.
    Rules(Found),
    /// It is known what a user said, or that it isn't to be had.
    Words,
    /// Something happened to a rules file.
    RulesStirred,
    /// What is to be watched of the rules files from now on.
    RulesWatch(RulesWatch),
    /// What is said in terminals may have to be said again.
    ToastDue,
    /// What waits may have to be kept.
    WaitingDue,
    /// Whether there is a keychain.
    Keychain(Result<(), Sentence>),
    /// Something about the judge has come to its end.
    Judge(JudgeSaid),
    /// Whether there is a tray.
    Tray(bool),
    /// Whether the keys that bring the inbox up are heard.
    Shortcut(Shortcut),
    /// Gavel is to end; tell when everything is closed.
    ShutDown(oneshot::Sender<()>),
}
