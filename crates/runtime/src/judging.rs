//! What is said about requests before anybody answers them.

use std::time::Instant;

use gavel_core::text::Message;
use gavel_core::{Ask, Class, Finding, Recommendation, ServerId, say};
use gavel_judge::offline::{self, Subject};
use url::{Host, Url};

/// Says what requests do.
pub(crate) struct Judging {
    home: Option<String>,
}

impl Judging {
    pub(crate) fn new() -> Self {
        Self { home: home() }
    }

    /// What the analysis on this machine says of `ask`, and how long that took, in milliseconds, rounded up.
    pub(crate) fn timed(&self, ask: &Ask) -> (Finding, u64) {
        let began = Instant::now();
        let finding = self.finding(ask);
        (finding, u64::try_from(began.elapsed().as_micros().div_ceil(1_000)).unwrap_or(u64::MAX))
    }

    /// What the analysis on this machine says of `ask`: at once, without a disk or a network.
    fn finding(&self, ask: &Ask) -> Finding {
        // Places on other machines are not measured by the home on this one.
        let home = self.home.as_deref().filter(|_| is_here(&ask.key.server));
        offline::verdict(&Subject::of(ask, home))
    }
}

/// `finding`, once something was seen that its proof had not reckoned with.
pub(crate) fn doubted(finding: Finding, why: Message) -> Finding {
    let said = say!("{}, but {}", finding.said, why);
    Finding { recommendation: Recommendation::Ask, class: Class::Unknown, reason: said.to_string(), said, ..finding }
}

/// Absolute path of the user's home, if there is one whose name is text.
pub(crate) fn home() -> Option<String> {
    std::env::home_dir().and_then(|home| home.into_os_string().into_string().ok())
}

/// Whether `server` runs on this machine.
pub(crate) fn is_here(server: &ServerId) -> bool {
    let Ok(url) = Url::parse(server.as_str()) else { return false };
    match url.host() {
        Some(Host::Ipv4(ip)) => ip.is_loopback(),
        Some(Host::Ipv6(ip)) => ip.is_loopback(),
        Some(Host::Domain(name)) => name == "localhost",
        None => false,
    }
}
