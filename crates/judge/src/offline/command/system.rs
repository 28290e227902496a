//! Commands that act on the machine itself.

use super::super::finding::{Class, Deed};
use super::super::phrase::{code, plain};
use super::super::shell::Word;
use super::{has, operands, texts};
use gavel_core::say;
use gavel_core::text::Message;

pub(super) fn judge(name: &str, args: &[Word]) -> Option<Deed> {
    let named = operands(args);
    let words = texts(args);
    let first = named.first().map(|word| word.text.as_str()).unwrap_or_default();
    let outside = |why: Message| Some(Deed::ask(Class::Outside, why));
    let off = || Some(Deed::deny(say!("switches the machine off or restarts it, with everything that runs on it")));
    match name {
        "shutdown" | "reboot" | "halt" | "poweroff" | "pm-suspend" if !has(args, "c", &["help", "show"]) => off(),
        "init" | "telinit" if matches!(first, "0" | "6") => off(),
        "systemctl"
            if matches!(first, "poweroff" | "reboot" | "halt" | "kexec" | "soft-reboot" | "emergency" | "rescue") =>
        {
            off()
        }
        "loginctl" if matches!(first, "poweroff" | "reboot" | "terminate-user") => off(),
        "systemctl" | "service" | "launchctl" | "rc-service" | "loginctl" | "init" | "telinit" | "shutdown" => {
            if matches!(first, "status" | "list-units" | "is-active" | "show") {
                return outside(say!("looks at the services of this machine"));
            }
            outside(say!("starts, stops or changes services of this machine: {}", code(&words.join(" "))))
        }
        "kill" if named.iter().any(|word| word.text == "-1") || kills_all(&words) => {
            Some(Deed::deny(say!("ends every process of yours, whatever it is in the middle of")))
        }
        "kill" | "pkill" | "killall" | "skill" | "xkill" => {
            Some(Deed::ask(Class::Destructive, say!("ends other processes: {}", code(&words.join(" ")))))
        }
        "crontab" if has(args, "r", &[]) => {
            Some(Deed::ask(Class::Destructive, say!("deletes everything that was set to run by itself")))
        }
        "crontab" if has(args, "l", &[]) => outside(say!("shows what is set to run by itself")),
        "crontab" | "at" | "batch" => Some(Deed::ask(Class::RunsCode, say!("sets something to run by itself later"))),
        "docker" | "podman" | "nerdctl" | "docker-compose" => Some(container(name, first, &words)),
        "apt" | "apt-get" | "yum" | "dnf" | "pacman" | "zypper" | "apk" | "brew" | "snap" | "flatpak" | "port"
        | "choco" | "winget" | "scoop" | "dpkg" | "rpm" | "nix-env" => {
            let class = if matches!(first, "remove" | "purge" | "autoremove" | "uninstall" | "erase") {
                Class::Destructive
            } else {
                Class::RunsCode
            };
            Some(Deed::ask(
                class,
                say!(
                    "changes the programs that are installed on this machine: {}",
                    code(&format!("{name} {}", words.join(" ")))
                ),
            ))
        }
        "useradd" | "usermod" | "adduser" | "groupadd" | "visudo" | "gpasswd" => {
            outside(say!("changes who may use this machine"))
        }
        "userdel" | "deluser" | "groupdel" => {
            Some(Deed::ask(Class::Destructive, say!("deletes a user of this machine")))
        }
        "mount" | "umount" | "swapoff" | "swapon" | "modprobe" | "insmod" | "rmmod" | "sysctl" | "iptables" | "nft"
        | "ufw" | "ip" | "ifconfig" | "route" | "hostnamectl" | "timedatectl" | "defaults" | "reg" | "setenforce"
        | "dmesg" | "journalctl" => outside(say!(
            "looks at or changes the set-up of this machine: {}",
            code(&format!("{name} {}", words.join(" ")))
        )),
        "hostname" if !named.is_empty() => outside(say!("changes the name of this machine")),
        "xclip" | "xsel" | "pbpaste" | "pbcopy" | "wl-copy" | "wl-paste" => {
            outside(say!("reads or changes what was copied"))
        }
        "notify-send" | "say" | "osd" => outside(say!("shows or says something to the user")),
        "tmux" | "screen" | "disown" | "bg" | "fg" | "jobs" => Some(Deed::ask(
            Class::RunsCode,
            say!("runs or controls something in the background with `{}`", plain(name)),
        )),
        _ => None,
    }
}

/// `kill -9 -1` and `kill -KILL -1`.
fn kills_all(words: &[&str]) -> bool {
    matches!(words, [_, .., "-1"]) || matches!(words, [.., "--", "-1"])
}

fn container(name: &str, verb: &str, words: &[&str]) -> Deed {
    let what = code(&format!("{name} {}", words.join(" ")));
    let destroys = matches!(verb, "rm" | "rmi" | "prune" | "kill")
        || words.contains(&"prune")
        || words.contains(&"rm") && !words.contains(&"run")
        || words.contains(&"-v") && words.contains(&"down");
    if destroys {
        return Deed::ask(Class::Destructive, say!("removes containers, images or volumes: {}", what));
    }
    match verb {
        "ps" | "images" | "logs" | "inspect" | "version" | "info" => {
            Deed::ask(Class::Outside, say!("looks at containers, outside the project: {}", what))
        }
        "push" | "pull" | "login" => Deed::ask(Class::Network, say!("talks to an image registry: {}", what)),
        _ => Deed::ask(Class::RunsCode, say!("runs something in a container: {}", what)),
    }
}
