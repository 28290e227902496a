//! Fetching from the web: never allowed, because an address can carry out what it should not.

use std::net::{Ipv4Addr, Ipv6Addr};

use gavel_core::text::{Message, Template};
use gavel_core::{say, term};
use url::{Host, Url};

use super::finding::{Class, Deed, Finding, whole};
use super::letters;
use super::phrase::{code, plain};
use super::subject::Subject;

/// What is said about fetching `subject`.
pub(super) fn finding(subject: &Subject<'_>) -> Finding {
    let url = subject
        .detail
        .url
        .as_deref()
        .filter(|url| !url.trim().is_empty())
        .or(subject.resources.first().map(String::as_str));
    let Some(url) = url else {
        return whole(Deed::ask(Class::Network, say!("fetches an address that isn't named")));
    };
    whole(Deed::ask(Class::Network, sentence(url)))
}

fn sentence(text: &str) -> Message {
    if let Some(odd) = letters::deceptive(text) {
        return say!("fetches {}, which {}", code(text), odd);
    }
    let Ok(url) = Url::parse(text) else { return say!("fetches {}, which is no proper address", code(text)) };
    let Some(host) = url.host() else { return say!("fetches {}, which names no machine", code(text)) };
    let name = code(&host.to_string());
    let mut more: Vec<Message> = Vec::new();
    match &host {
        Host::Domain(domain) => more.extend(of_domain(domain)),
        Host::Ipv4(address) => more.push(of_v4(*address)),
        Host::Ipv6(address) => more.push(of_v6(*address)),
    }
    if !url.username().is_empty() || url.password().is_some() {
        more.push(say!("the part before the `@` is a user name, not the machine"));
    }
    match url.scheme() {
        "https" => {}
        "http" => more.push(say!("without encryption")),
        other => more.push(say!("over {}", code(other))),
    }
    if let Some(port) = url.port() {
        more.push(say!("on port {}", plain(port.to_string())));
    }
    let carried = url.query().map_or(0, str::len) + url.path().len();
    if carried > 300 {
        more.push(say!("with an address of {} characters, which may carry data out", carried));
    }
    if more.is_empty() {
        return say!("fetches a page from {}", name);
    }
    let more = more.into_iter().reduce(|one, other| say!("{}, {}", one, other)).unwrap_or_default();
    say!("fetches a page from {}: {}", name, more)
}

fn of_domain(domain: &str) -> Option<Message> {
    let domain = domain.trim_end_matches('.').to_ascii_lowercase();
    if domain.split('.').any(|label| label.starts_with("xn--")) {
        return Some(say!("its name holds foreign letters that may look like others"));
    }
    let inside = domain == "localhost" || domain.ends_with(".localhost");
    if inside {
        return Some(say!("this very machine"));
    }
    if domain.contains("metadata") && (domain.contains("google") || domain.contains("internal")) {
        return Some(say!("the address where a cloud machine keeps its keys"));
    }
    if !domain.contains('.')
        || [".local", ".internal", ".lan", ".home", ".corp", ".intranet", ".test"]
            .iter()
            .any(|ending| domain.ends_with(ending))
    {
        return Some(say!("a machine of the local network"));
    }
    resembles(&domain)
}

/// A name that is one letter away from a well-known one.
fn resembles(domain: &str) -> Option<Message> {
    const KNOWN: &[&str] = &[
        "github.com",
        "gitlab.com",
        "npmjs.com",
        "npmjs.org",
        "pypi.org",
        "crates.io",
        "docs.rs",
        "google.com",
        "googleapis.com",
        "microsoft.com",
        "stackoverflow.com",
        "githubusercontent.com",
        "rust-lang.org",
        "python.org",
        "nodejs.org",
        "opencode.ai",
        "openai.com",
        "anthropic.com",
        "amazonaws.com",
        "mozilla.org",
        "wikipedia.org",
        "debian.org",
        "ubuntu.com",
        "docker.com",
        "cloudflare.com",
    ];
    let labels: Vec<&str> = domain.split('.').collect();
    let own = labels.get(labels.len().saturating_sub(2)..).unwrap_or_default().join(".");
    if KNOWN.contains(&own.as_str()) {
        return None;
    }
    let plain = |text: &str| text.replace('0', "o").replace(['1', 'i'], "l").replace("rn", "m").replace("vv", "w");
    let near = KNOWN.iter().find(|known| plain(known) == plain(&own) || one_letter_apart(known, &own));
    let within = || {
        KNOWN.iter().find(|known| domain.starts_with(&format!("{known}.")) || domain.contains(&format!(".{known}.")))
    };
    near.or_else(within).map(|known| say!("its name only resembles {}", code(known)))
}

fn one_letter_apart(one: &str, other: &str) -> bool {
    let (short, long) = if one.len() <= other.len() { (one, other) } else { (other, one) };
    if long.len() - short.len() > 1 || short.len() < 7 {
        return false;
    }
    let same = short.bytes().zip(long.bytes()).take_while(|(a, b)| a == b).count();
    let tail = |skip: usize| (short.as_bytes().get(same + skip..), long.as_bytes().get(same + 1..));
    let (cut, whole) = if short.len() == long.len() { tail(1) } else { tail(0) };
    cut == whole
}

const METADATA: Template = term!("the address where a cloud machine keeps its keys");

fn of_v4(address: Ipv4Addr) -> Message {
    let [a, b, ..] = address.octets();
    let what = if address.is_loopback() || address.is_unspecified() {
        term!("this very machine")
    } else if address == Ipv4Addr::new(169, 254, 169, 254)
        || address == Ipv4Addr::new(100, 100, 100, 200)
        || address == Ipv4Addr::new(169, 254, 170, 2)
    {
        METADATA
    } else if address.is_private() || address.is_link_local() || a == 100 && (64..128).contains(&b) {
        term!("a machine of the local network")
    } else {
        term!("a machine without a name")
    };
    what.into()
}

fn of_v6(address: Ipv6Addr) -> Message {
    if let Some(address) = address.to_ipv4_mapped() {
        return of_v4(address);
    }
    let what = if address.is_loopback() || address.is_unspecified() {
        term!("this very machine")
    } else if address == Ipv6Addr::new(0xfd00, 0xec2, 0, 0, 0, 0, 0, 0x254) {
        METADATA
    } else if address.is_unique_local() || address.is_unicast_link_local() {
        term!("a machine of the local network")
    } else {
        term!("a machine without a name")
    };
    what.into()
}
