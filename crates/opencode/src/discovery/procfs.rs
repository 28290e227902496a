//! Which addresses OpenCode processes listen at, as Linux tells it under `/proc`. Elsewhere nothing is found.

use std::collections::HashSet;
use std::fs;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::path::Path;

/// The address of a listening socket, and the number by which its process knows it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Listening {
    /// Where it listens.
    pub address: SocketAddr,
    /// The socket's inode.
    pub inode: u64,
}

/// The addresses at which processes named `opencode` listen and can be reached on this machine, each once.
/// Processes of other users are not seen.
#[must_use]
pub fn listening() -> Vec<SocketAddr> {
    listening_under(Path::new("/proc"))
}

fn listening_under(proc: &Path) -> Vec<SocketAddr> {
    let sockets = sockets_of_opencode(proc);
    if sockets.is_empty() {
        return Vec::new();
    }
    let mut found = Vec::new();
    for table in ["net/tcp", "net/tcp6"] {
        let text = fs::read_to_string(proc.join(table)).unwrap_or_default();
        for socket in parse(&text).into_iter().filter(|socket| sockets.contains(&socket.inode)) {
            if let Some(address) = reachable(socket.address)
                && !found.contains(&address)
            {
                found.push(address);
            }
        }
    }
    found
}

/// The listening sockets in the text of `/proc/net/tcp` or `/proc/net/tcp6`. Lines that make no sense are left out.
#[must_use]
pub fn parse(text: &str) -> Vec<Listening> {
    text.lines().filter_map(parse_line).collect()
}

fn parse_line(line: &str) -> Option<Listening> {
    const LISTEN: &str = "0A";
    let mut fields = line.split_ascii_whitespace();
    let local = fields.nth(1)?;
    let state = fields.nth(1)?;
    let inode = fields.nth(5)?;
    if state != LISTEN {
        return None;
    }
    let (ip, port) = local.split_once(':')?;
    let address = SocketAddr::new(parse_ip(ip)?, u16::from_str_radix(port, 16).ok()?);
    Some(Listening { address, inode: inode.parse().ok()? })
}

/// An address as the kernel prints it: words of 32 bits in hexadecimal, each in the machine's byte order.
fn parse_ip(text: &str) -> Option<IpAddr> {
    let word = |at: usize| u32::from_str_radix(text.get(at..at + 8)?, 16).ok().map(u32::to_ne_bytes);
    match text.len() {
        8 => Some(Ipv4Addr::from(word(0)?).into()),
        32 => {
            let mut bytes = [0; 16];
            for (chunk, at) in bytes.chunks_exact_mut(4).zip([0, 8, 16, 24]) {
                chunk.copy_from_slice(&word(at)?);
            }
            Some(Ipv6Addr::from(bytes).into())
        }
        _ => None,
    }
}

/// Where on this machine a socket bound to `address` is reached; `None` if not over loopback. The same server must
/// come out the same as when the user types its address, so 127.0.0.1 is preferred.
fn reachable(address: SocketAddr) -> Option<SocketAddr> {
    let ip = match address.ip() {
        ip if ip.is_unspecified() => Ipv4Addr::LOCALHOST.into(),
        IpAddr::V6(ip) => ip.to_ipv4_mapped().map_or(IpAddr::V6(ip), IpAddr::V4),
        ip @ IpAddr::V4(_) => ip,
    };
    ip.is_loopback().then(|| SocketAddr::new(ip, address.port()))
}

fn sockets_of_opencode(proc: &Path) -> HashSet<u64> {
    let Ok(entries) = fs::read_dir(proc) else { return HashSet::new() };
    let processes = entries
        .flatten()
        .filter(|entry| entry.file_name().to_str().is_some_and(|name| name.bytes().all(|byte| byte.is_ascii_digit())));
    processes.filter(|entry| is_opencode(&entry.path())).flat_map(|entry| sockets_of(&entry.path())).collect()
}

fn is_opencode(process: &Path) -> bool {
    let comm = fs::read_to_string(process.join("comm")).unwrap_or_default();
    is_its_name(comm.trim_end())
        || fs::read_link(process.join("exe")).is_ok_and(|exe| {
            // An update replaces the file under a running process; the kernel then adds a remark.
            let name = exe.file_name().and_then(|name| name.to_str()).unwrap_or_default();
            is_its_name(name.strip_suffix(" (deleted)").unwrap_or(name))
        })
}

fn is_its_name(name: &str) -> bool {
    // The npm package calls its binary so on every platform.
    matches!(name, "opencode" | "opencode.exe")
}

fn sockets_of(process: &Path) -> Vec<u64> {
    let Ok(entries) = fs::read_dir(process.join("fd")) else { return Vec::new() };
    let links = entries.flatten().filter_map(|entry| fs::read_link(entry.path()).ok());
    links.filter_map(|link| parse_socket(link.to_str()?)).collect()
}

/// The inode in the name of an open socket, `socket:[123]`.
fn parse_socket(name: &str) -> Option<u64> {
    name.strip_prefix("socket:[")?.strip_suffix(']')?.parse().ok()
}

#[cfg(all(test, target_os = "linux", target_endian = "little"))]
mod tests;
