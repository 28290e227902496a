//! Files that usually hold secrets, by their names.

use gavel_core::term;
use gavel_core::text::Template;

/// Why the file at `path` usually holds a secret; nothing if it doesn't look so. Only the letters of the path count.
pub(crate) fn reason(path: &str) -> Option<Template> {
    let lower = path.to_ascii_lowercase();
    let parts: Vec<&str> = lower.split('/').filter(|part| !part.is_empty()).collect();
    let name = parts.last().copied().unwrap_or_default();
    folder(&parts).or_else(|| exact(name)).or_else(|| shape(name)).or_else(|| pair(&parts))
}

/// Whole folders.
fn folder(parts: &[&str]) -> Option<Template> {
    parts.iter().find_map(|part| {
        Some(match *part {
            ".ssh" => term!("the keys for logging in elsewhere"),
            ".aws" | ".azure" | ".gcloud" | ".oci" => term!("the keys of a cloud account"),
            ".gnupg" | ".password-store" => term!("private keys or passwords"),
            ".kube" => term!("the keys of a cluster"),
            ".docker" => term!("the log-in of an image registry"),
            ".mozilla" | ".thunderbird" | "keychains" | "keyrings" => term!("saved passwords"),
            ".electrum" | ".bitcoin" | ".ethereum" => term!("a wallet"),
            ".secrets" | "secrets" => term!("secrets, by its name"),
            _ => return None,
        })
    })
}

/// Names of single files.
fn exact(name: &str) -> Option<Template> {
    Some(match name {
        ".netrc" | "_netrc" | ".git-credentials" | ".pgpass" | ".my.cnf" | ".mylogin.cnf" | ".s3cfg" | ".boto" => {
            term!("user names with their passwords")
        }
        ".npmrc" | ".yarnrc" | ".yarnrc.yml" | ".pypirc" | ".gemrc" | "nuget.config" | "auth.json" => {
            term!("the token of a package registry")
        }
        ".dockercfg"
        | "credentials.tfrc.json"
        | ".terraformrc"
        | "application.secrets.json"
        | "google-services.json" => term!("credentials"),
        "wp-config.php" | "database.yml" | "configuration.php" => term!("the password of a database"),
        "passwords.txt" | "password.txt" | "passwords" | "passwd.txt" | "login data" | "cookies" | "key4.db"
        | "logins.json" => term!("passwords"),
        "wallet.dat" => term!("a wallet"),
        ".xauthority" | ".iceauthority" | "krb5.keytab" => term!("a ticket for logging in"),
        ".envrc" => term!("environment variables with keys and passwords"),
        ".htpasswd" | "shadow" | "gshadow" | "master.passwd" | ".vault_pass" | ".vault-token" => term!("passwords"),
        "credentials"
        | "credentials.json"
        | "credentials.yml"
        | "credentials.yaml"
        | "credentials.xml"
        | "credentials.toml"
        | "credentials.yml.enc"
        | "application_default_credentials.json" => term!("credentials"),
        "secrets.json"
        | "secrets.yml"
        | "secrets.yaml"
        | "secrets.toml"
        | "secret.json"
        | "secret.yml"
        | "secret.yaml"
        | "secret.txt"
        | "secrets.txt"
        | "secret"
        | "local.settings.json" => term!("secrets, by its name"),
        "master.key"
        | "service-account.json"
        | "serviceaccount.json"
        | "service_account.json"
        | "terraform.tfstate"
        | "terraform.tfstate.backup"
        | "terraform.tfvars"
        | "kubeconfig"
        | "token"
        | "token.txt"
        | "tokens.json"
        | "token.json"
        | ".token" => term!("keys or tokens"),
        ".bash_history" | ".zsh_history" | ".history" | ".psql_history" | ".mysql_history" | ".python_history"
        | ".node_repl_history" => term!("whatever was typed, passwords too"),
        _ => return None,
    })
}

/// Shapes of names.
fn shape(name: &str) -> Option<Template> {
    // An example is made to be shown; but only the ones that are surely no more than that.
    let example = [".example", ".sample", ".template", ".dist"].iter().any(|ending| name.ends_with(ending));
    if (name == ".env" || name.starts_with(".env.") || name.starts_with(".env-") || name.ends_with(".env")) && !example
    {
        return Some(term!("environment variables with keys and passwords"));
    }
    if name.starts_with(".env") && !example {
        return Some(term!("environment variables with keys and passwords"));
    }
    let public = name.ends_with(".pub");
    if ["id_rsa", "id_dsa", "id_ecdsa", "id_ed25519"].iter().any(|start| name.starts_with(start)) && !public {
        return Some(term!("a private key"));
    }
    let keys = [
        ".pem",
        ".key",
        ".p12",
        ".pfx",
        ".jks",
        ".keystore",
        ".kdbx",
        ".ppk",
        ".p8",
        ".keytab",
        ".kubeconfig",
        ".secret",
        ".secrets",
        ".asc",
        ".gpg",
        ".age",
        ".der",
        ".tfvars",
        ".tfstate",
        ".ovpn",
        ".mobileprovision",
        ".keychain",
    ];
    keys.iter().any(|ending| name.ends_with(ending)).then_some(term!("a key or certificate"))
}

/// Files that hold secrets only where they are.
fn pair(parts: &[&str]) -> Option<Template> {
    let inside = |folder: &str| parts.iter().rev().skip(1).any(|part| *part == folder);
    let name = parts.last().copied().unwrap_or_default();
    match name {
        "config" | "config.worktree" | "fetch_head" if inside(".git") => {
            Some(term!("addresses of remotes, at times with tokens"))
        }
        _ if inside("gcloud") && inside(".config") => Some(term!("the keys of a cloud account")),
        "hosts.yml" if inside("gh") => Some(term!("the token of a code host")),
        "environ" if inside("proc") || inside("self") => Some(term!("the environment of a process")),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_hold_secrets_and_names_that_do_not() {
        let secret = [
            ".env",
            "a/.env.local",
            "prod.env",
            ".ENV",
            "server.pem",
            "tls.KEY",
            "id_rsa",
            "deploy/id_ed25519",
            ".ssh/known_hosts",
            "/home/a/.aws/config",
            ".netrc",
            ".npmrc",
            "credentials",
            "config/credentials.json",
            ".git/config",
            "master.key",
            "secrets/db.txt",
            "terraform.tfstate",
            ".envrc",
            "sub/.git/config",
        ];
        for path in secret {
            assert!(reason(path).is_some(), "{path}");
        }
        let open = [
            ".env.example",
            "README.md",
            "src/environment.ts",
            "id_rsa.pub",
            "src/keys.rs",
            "credentials.rs",
            "config",
            ".gitignore",
            "tokenizer.py",
            "src/token.rs",
            ".git/HEAD",
            "monkey.rs",
        ];
        for path in open {
            assert_eq!(reason(path), None, "{path}");
        }
    }
}
