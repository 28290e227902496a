//! Commands that talk to other machines.

use super::super::finding::{Class, Deed};
use super::super::phrase::{code, plain};
use super::super::secrets;
use super::super::shell::{Run, Word};
use super::paths::{over, writing};
use super::{both, operands};
use gavel_core::text::{Message, Piece};
use gavel_core::{say, term};

pub(super) fn judge(run: &mut Run<'_>, name: &str, args: &[Word]) -> Option<Deed> {
    let named = operands(args);
    let first = || named.first().map_or_else(|| Piece::from(term!("another machine")), |word| code(&word.text));
    Some(match name {
        "curl" => curl(run, args),
        "wget" | "wget2" | "aria2c" | "http" | "https" | "xh" | "lynx" | "w3m" | "elinks" => wget(run, name, args),
        "scp" | "sftp" | "rsync" | "ftp" | "lftp" | "rclone" => Deed::ask(
            Class::Network,
            say!("copies files to or from another machine: {}", super::super::phrase::list(&super::texts(args))),
        ),
        "nc" | "ncat" | "netcat" | "socat" | "telnet" => raw(name, args),
        "ping" | "ping6" | "traceroute" | "tracepath" | "mtr" | "nmap" | "dig" | "nslookup" | "host" | "whois"
        | "drill" => {
            let about = named.iter().find(|word| word.text.contains(|c: char| c.is_alphabetic() || c == '.'));
            Deed::ask(
                Class::Network,
                say!("asks the network about {}", about.map_or_else(first, |word| code(&word.text))),
            )
        }
        "gh" | "glab" | "hub" | "tea" => Deed::ask(
            Class::Network,
            say!("talks to the code host in your name: {}", code(&format!("{name} {}", super::texts(args).join(" ")))),
        ),
        "aws" | "gcloud" | "az" | "doctl" | "heroku" | "flyctl" | "fly" | "vercel" | "netlify" | "wrangler"
        | "firebase" | "supabase" => cloud(name, args),
        "kubectl" | "helm" | "terraform" | "tofu" | "pulumi" | "ansible" | "ansible-playbook" | "nomad" | "vault"
        | "consul" => cloud(name, args),
        "psql" | "mysql" | "mongosh" | "mongo" | "redis-cli" | "sqlcmd" | "mariadb" | "clickhouse-client" => {
            database(name, args)
        }
        "openssl" if named.first().is_some_and(|word| word.text == "s_client") => {
            Deed::ask(Class::Network, say!("opens a connection to another machine"))
        }
        "mail" | "mailx" | "sendmail" | "mutt" | "swaks" => Deed::ask(Class::Network, say!("sends mail")),
        "ssh-copy-id" | "mosh" | "autossh" | "sshpass" => Deed::ask(Class::Network, say!("logs in to {}", first())),
        "openssl" | "ssh-keygen" | "ssh-add" | "gpg" | "gpg2" | "age" | "pass" | "security" | "secret-tool" | "op"
        | "bw" => Deed::ask(Class::Outside, say!("works with keys or passwords through `{}`", plain(name))),
        _ => return None,
    })
}

/// The address among the words of a client.
fn address(args: &[Word]) -> Piece {
    let named = operands(args);
    let url = args
        .iter()
        .find(|word| word.text.contains("://"))
        .or_else(|| named.iter().copied().find(|word| word.text.contains('.')));
    url.or(named.first().copied()).map_or_else(|| Piece::from(term!("an address")), |word| code(&word.text))
}

fn curl(run: &Run<'_>, args: &[Word]) -> Deed {
    let mut sent = None;
    let mut written = None;
    let mut own_program = false;
    let mut kept = false;
    let mut rest = args.iter();
    while let Some(word) = rest.next() {
        let text = word.text.as_str();
        let (option, value) = match text.split_once('=').filter(|_| text.starts_with("--")) {
            Some((option, value)) => (option, Some(value.to_owned())),
            None => (text, None),
        };
        let mut value = || value.clone().or_else(|| rest.next().map(|word| word.text.clone())).unwrap_or_default();
        match option {
            "-d" | "--data" | "--data-binary" | "--data-raw" | "--data-urlencode" | "--data-ascii" | "-F"
            | "--form" | "--json" | "-T" | "--upload-file" => {
                sent = Some(value());
            }
            "-o" | "--output" => written = Some(value()),
            "-O" | "--remote-name" | "-OL" | "-LO" | "-sSLO" => {
                kept = true;
            }
            "-K" | "--config" => own_program = true,
            _ if text.starts_with("-d") || text.starts_with("-T") || text.starts_with("-F") => {
                sent = text.get(2..).map(str::to_owned)
            }
            _ => {}
        }
    }
    let to = address(args);
    let deed = match &sent {
        Some(what)
            if what.contains('@')
                || args.iter().any(|word| word.text.starts_with("-T") || word.text == "--upload-file") =>
        {
            let file = what.rsplit('@').next().unwrap_or(what);
            let holding =
                secrets::reason(file).map_or_else(Message::default, |what| say!(", which usually holds {},", what));
            Deed::ask(Class::Network, say!("sends the file {}{} to {}", code(file), holding, to))
        }
        Some(_) => Deed::ask(Class::Network, say!("sends data to {}", to)),
        None => Deed::ask(Class::Network, say!("fetches {}", to)),
    };
    let deed = if own_program { Deed { why: say!("{}, as a file says", deed.why), ..deed } } else { deed };
    let deed = if kept { Deed { why: say!("{} into a file", deed.why), ..deed } } else { deed };
    match written {
        Some(file) => {
            let word = Word { text: file, exact: true, ..Word::default() };
            both(deed, writing(run, &word, &over).unwrap_or_else(|| Deed::ask(Class::Reads, Message::default())))
        }
        None => deed,
    }
}

fn wget(run: &Run<'_>, name: &str, args: &[Word]) -> Deed {
    let from = address(args);
    if args
        .iter()
        .any(|word| word.text.starts_with("--use-askpass") || word.text == "-e" || word.text.starts_with("--execute"))
    {
        return Deed::ask(Class::RunsCode, say!("fetches {} with settings of its own", from));
    }
    if args.iter().any(|word| word.text.starts_with("--post") || word.text.starts_with("--body")) {
        return Deed::ask(Class::Network, say!("sends data to {}", from));
    }
    let file = args
        .iter()
        .position(|word| matches!(word.text.as_str(), "-O" | "--output-document" | "-o"))
        .and_then(|at| args.get(at + 1));
    let own = Deed::ask(Class::Network, say!("fetches {}", from));
    match file.filter(|file| file.text != "-") {
        Some(file) => {
            both(own, writing(run, file, &over).unwrap_or_else(|| Deed::ask(Class::Reads, Message::default())))
        }
        None if name.starts_with("wget") => Deed { why: say!("{} into a file", own.why), ..own },
        None => own,
    }
}

fn raw(name: &str, args: &[Word]) -> Deed {
    let runs = args.iter().any(|word| {
        let text = word.text.to_ascii_lowercase();
        text.starts_with("exec:")
            || text.starts_with("system:")
            || matches!(text.as_str(), "-e" | "-c" | "--exec" | "--sh-exec")
    });
    if runs {
        return Deed::ask(Class::RunsCode, say!("opens a connection that lets another machine run commands here"));
    }
    let to = operands(args).first().map_or_else(|| Piece::from(term!("another machine")), |word| code(&word.text));
    let listens = args.iter().any(|word| word.text.starts_with("-l"));
    Deed::ask(
        Class::Network,
        if listens {
            say!("waits for connections with `{}`", plain(name))
        } else {
            say!("opens a connection to {}", to)
        },
    )
}

fn cloud(name: &str, args: &[Word]) -> Deed {
    let destroys = args.iter().any(|word| {
        let text = word.text.as_str();
        matches!(
            text,
            "delete"
                | "destroy"
                | "uninstall"
                | "rm"
                | "rb"
                | "terminate-instances"
                | "drain"
                | "apps:destroy"
                | "-destroy"
        ) || text.starts_with("delete-")
    });
    let what = code(&format!("{name} {}", super::texts(args).join(" ")));
    if destroys {
        return Deed::ask(Class::Destructive, say!("deletes something on other machines: {}", what));
    }
    if matches!(name, "ansible" | "ansible-playbook")
        || args.iter().any(|word| matches!(word.text.as_str(), "exec" | "ssh" | "run"))
    {
        return Deed::ask(Class::RunsCode, say!("runs something on other machines: {}", what));
    }
    Deed::ask(Class::Network, say!("talks to other machines in your name: {}", what))
}

fn database(name: &str, args: &[Word]) -> Deed {
    let all = super::texts(args).join(" ").to_ascii_lowercase();
    let destroys = ["drop ", "truncate ", "delete from", "flushall", "flushdb", "dropdatabase"]
        .iter()
        .any(|word| all.contains(word));
    if destroys {
        return Deed::ask(Class::Destructive, say!("deletes data from a database with `{}`", plain(name)));
    }
    Deed::ask(Class::Network, say!("talks to a database with `{}`", plain(name)))
}
