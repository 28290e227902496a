//! Commands that act on the machine itself.

use super::super::finding::{Class, Deed};
use super::super::phrase::code;
use super::super::shell::Word;
use super::{has, operands, texts};

pub(super) fn judge(name: &str, args: &[Word]) -> Option<Deed> {
    let named = operands(args);
    let words = texts(args);
    let first = named.first().map(|word| word.text.as_str()).unwrap_or_default();
    let outside = |why: String| Some(Deed::ask(Class::Outside, why));
    let off = || Some(Deed::deny("switches the machine off or restarts it, with everything that runs on it"));
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
                return outside("looks at the services of this machine".to_owned());
            }
            outside(format!("starts, stops or changes services of this machine: {}", code(&words.join(" "))))
        }
        "kill" if named.iter().any(|word| word.text == "-1") || kills_all(&words) => {
            Some(Deed::deny("ends every process of yours, whatever it is in the middle of"))
        }
        "kill" | "pkill" | "killall" | "skill" | "xkill" => {
            Some(Deed::ask(Class::Destructive, format!("ends other processes: {}", code(&words.join(" ")))))
        }
        "crontab" if has(args, "r", &[]) => {
            Some(Deed::ask(Class::Destructive, "deletes everything that was set to run by itself"))
        }
        "crontab" if has(args, "l", &[]) => outside("shows what is set to run by itself".to_owned()),
        "crontab" | "at" | "batch" => Some(Deed::ask(Class::RunsCode, "sets something to run by itself later")),
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
                format!(
                    "changes the programs that are installed on this machine: {}",
                    code(&format!("{name} {}", words.join(" ")))
                ),
            ))
        }
        "useradd" | "usermod" | "adduser" | "groupadd" | "visudo" | "gpasswd" => {
            outside("changes who may use this machine".to_owned())
        }
        "userdel" | "deluser" | "groupdel" => Some(Deed::ask(Class::Destructive, "deletes a user of this machine")),
        "mount" | "umount" | "swapoff" | "swapon" | "modprobe" | "insmod" | "rmmod" | "sysctl" | "iptables" | "nft"
        | "ufw" | "ip" | "ifconfig" | "route" | "hostnamectl" | "timedatectl" | "defaults" | "reg" | "setenforce"
        | "dmesg" | "journalctl" => outside(format!(
            "looks at or changes the set-up of this machine: {}",
            code(&format!("{name} {}", words.join(" ")))
        )),
        "hostname" if !named.is_empty() => outside("changes the name of this machine".to_owned()),
        "xclip" | "xsel" | "pbpaste" | "pbcopy" | "wl-copy" | "wl-paste" => {
            outside("reads or changes what was copied".to_owned())
        }
        "notify-send" | "say" | "osd" => outside("shows or says something to the user".to_owned()),
        "tmux" | "screen" | "disown" | "bg" | "fg" | "jobs" => {
            Some(Deed::ask(Class::RunsCode, format!("runs or controls something in the background with `{name}`")))
        }
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
        return Deed::ask(Class::Destructive, format!("removes containers, images or volumes: {what}"));
    }
    match verb {
        "ps" | "images" | "logs" | "inspect" | "version" | "info" => {
            Deed::ask(Class::Outside, format!("looks at containers, outside the project: {what}"))
        }
        "push" | "pull" | "login" => Deed::ask(Class::Network, format!("talks to an image registry: {what}")),
        _ => Deed::ask(Class::RunsCode, format!("runs something in a container: {what}")),
    }
}
