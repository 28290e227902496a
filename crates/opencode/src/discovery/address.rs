//! Addresses of servers, in the one spelling that counts.

use gavel_core::{ServerId, term};
use url::{Host, Url};

use crate::Error;

/// The identity of the server at `url`. One server reachable by two spellings of its address has one identity:
/// `localhost` becomes `127.0.0.1`, default ports, a trailing slash and any user name or password are left out.
///
/// # Errors
/// The address can't name a server.
pub fn server_id(url: &str) -> Result<ServerId, Error> {
    let given = url.trim();
    let wrong = |why| Error::Address { given: without_password(given), why };
    let lower = given.to_ascii_lowercase();
    if !lower.starts_with("http://") && !lower.starts_with("https://") {
        return Err(wrong(if lower.contains("://") {
            term!("only http:// and https:// are understood")
        } else {
            term!("it must begin with http:// or https://")
        }));
    }
    let mut url = Url::parse(given).map_err(|error| {
        wrong(match error {
            url::ParseError::EmptyHost => term!("it names no host"),
            url::ParseError::InvalidPort => term!("its port is not a number from 1 to 65535"),
            _ => term!("it could not be read"),
        })
    })?;
    if url.query().is_some() || url.fragment().is_some() {
        return Err(wrong(term!("it must not contain `?` or `#`")));
    }
    if url.port() == Some(0) {
        return Err(wrong(term!("its port is not a number from 1 to 65535")));
    }
    let is_localhost = match url.host() {
        Some(Host::Domain(name)) => name.trim_end_matches('.') == "localhost",
        // What is bound to every address is reached by the loopback one.
        Some(Host::Ipv4(ip)) => ip.is_unspecified(),
        Some(Host::Ipv6(ip)) => ip.is_unspecified() || ip.to_ipv4_mapped().is_some_and(|ip| ip.is_loopback()),
        None => return Err(wrong(term!("it names no host"))),
    };
    let changed = (!is_localhost || url.set_host(Some("127.0.0.1")).is_ok())
        && url.set_username("").is_ok()
        && url.set_password(None).is_ok();
    if !changed {
        return Err(wrong(term!("it could not be read")));
    }
    Ok(ServerId(url.as_str().trim_end_matches('/').to_owned()))
}

/// The address as it may be shown: a password in it is left out, even if the address makes no sense.
fn without_password(given: &str) -> String {
    // Where an address makes no sense, nobody knows where its password ends: at the last `@` at the latest.
    let Some((hidden, rest)) = given.rsplit_once('@') else { return given.to_owned() };
    let before = hidden.find("//").and_then(|at| hidden.get(..at + 2)).unwrap_or_default();
    format!("{before}…@{rest}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_server_has_one_identity() {
        let cases = [
            ("http://127.0.0.1:4096", "http://127.0.0.1:4096"),
            ("http://localhost:4096/", "http://127.0.0.1:4096"),
            (" HTTP://LocalHost:4096 ", "http://127.0.0.1:4096"),
            ("http://localhost.:4096", "http://127.0.0.1:4096"),
            ("http://0.0.0.0:4096", "http://127.0.0.1:4096"),
            ("http://[::]:4096", "http://127.0.0.1:4096"),
            ("http://[::1]:4096", "http://[::1]:4096"),
            ("http://[::ffff:127.0.0.1]:4096", "http://127.0.0.1:4096"),
            ("http://127.1:4096", "http://127.0.0.1:4096"),
            ("http://me:secret@127.0.0.1:4096//", "http://127.0.0.1:4096"),
            ("http://example.org:80", "http://example.org"),
            ("https://Example.org:443/open/code/", "https://example.org/open/code"),
            ("https://жук.example:8443", "https://xn--f1ai0a.example:8443"),
        ];
        for (given, expected) in cases {
            assert_eq!(server_id(given), Ok(ServerId(expected.to_owned())), "{given}");
        }
    }

    #[test]
    fn says_what_is_wrong() {
        let cases = [
            ("", "`` is not the address of a server: it must begin with http:// or https://"),
            (
                "localhost:4096",
                "`localhost:4096` is not the address of a server: it must begin with http:// or https://",
            ),
            ("ftp://a", "`ftp://a` is not the address of a server: only http:// and https:// are understood"),
            ("http://", "`http://` is not the address of a server: it names no host"),
            (
                "http://a:99999",
                "`http://a:99999` is not the address of a server: its port is not a number from 1 to 65535",
            ),
            ("http://a:0", "`http://a:0` is not the address of a server: its port is not a number from 1 to 65535"),
            ("http://a b", "`http://a b` is not the address of a server: it could not be read"),
            ("http://a/?x=1", "`http://a/?x=1` is not the address of a server: it must not contain `?` or `#`"),
            ("me:hunter2@a:1", "`…@a:1` is not the address of a server: it must begin with http:// or https://"),
            (
                "http://me:hun/hunter2@a:b",
                "`http://…@a:b` is not the address of a server: its port is not a number from 1 to 65535",
            ),
            (
                "http://me:hunter2@a:b",
                "`http://…@a:b` is not the address of a server: its port is not a number from 1 to 65535",
            ),
        ];
        for (given, expected) in cases {
            let said = server_id(given).map_err(|error| error.to_string());
            assert_eq!(said, Err(expected.to_owned()), "{given}");
            assert!(!expected.contains("hunter2"));
        }
    }
}
