//! The settings of a repository, as far as they are known to make `git` run nothing.
//!
//! Only the plainest way to write them is understood. What else git might read out of a file doesn't count as harmless.

/// Settings that make a command which only reads do nothing else. Of a section with a name in quotes, that is left out.
const HARMLESS: &[(&str, &str)] = &[
    ("advice", "*"),
    (
        "branch",
        "autosetupmerge autosetuprebase sort remote merge rebase pushremote description vscode-merge-base gh-merge-base github-pr-owner-number",
    ),
    ("color", "*"),
    ("column", "*"),
    ("commit", "gpgsign verbose status"),
    (
        "core",
        "repositoryformatversion filemode bare logallrefupdates ignorecase precomposeunicode symlinks autocrlf eol safecrlf \
         abbrev bigfilethreshold checkstat commentchar compression fscache longpaths loosecompression preloadindex \
         protecthfs protectntfs quotepath sparsecheckout sparsecheckoutcone trustctime untrackedcache whitespace",
    ),
    ("extensions", "objectformat worktreeconfig"),
    ("fetch", "prune prunetags recursesubmodules"),
    ("gc", "auto autodetach"),
    ("gui", "wmstate geometry encoding"),
    ("init", "defaultbranch"),
    ("lfs", "repositoryformatversion"),
    ("log", "date decorate follow abbrevcommit"),
    ("maintenance", "auto strategy"),
    ("merge", "conflictstyle ff"),
    ("pull", "*"),
    ("push", "default autosetupremote followtags"),
    ("rebase", "autosquash autostash updaterefs"),
    ("remote", "url pushurl fetch push prune tagopt gh-resolved"),
    ("rerere", "enabled autoupdate"),
    ("status", "short branch showuntrackedfiles relativepaths"),
    ("submodule", "active url"),
    ("tag", "gpgsign sort"),
    ("user", "name email signingkey"),
];

/// Longer than this, in bytes, what stands before the host of an address is more likely a token than a name.
const LONGEST_NAME: usize = 24;

/// What is known of a file of settings.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Settings {
    /// Where the hooks lie, wherever it is said.
    pub hooks: Vec<String>,
}

/// Reads the settings in `text`; `None` if one of them isn't known to be harmless, or isn't understood.
pub(super) fn read(text: &str) -> Option<Settings> {
    let mut settings = Settings { hooks: Vec::new() };
    let mut section = None;
    for line in text.split('\n') {
        // A backslash would continue the line; and what else can't be seen may end it.
        if line.contains(|c: char| c == '\\' || (c.is_control() && c != '\t')) {
            return None;
        }
        let line = line.trim_matches([' ', '\t']);
        if line.is_empty() || line.starts_with(['#', ';']) {
            continue;
        }
        if line.starts_with('[') {
            section = Some(heading(line)?);
            continue;
        }
        let (name, value) = line.split_once('=').unwrap_or((line, ""));
        let (name, value) = (name.trim_end_matches([' ', '\t']), value.trim_matches([' ', '\t']));
        let section = section.as_deref()?;
        let name = name.to_ascii_lowercase();
        if section == "core" && name == "hookspath" {
            settings.hooks.push(plain(value)?.to_owned());
        } else if !is_harmless(section, &name) || holds_secret(value) {
            return None;
        }
    }
    Some(settings)
}

/// The section that `line` begins, without the name in quotes.
fn heading(line: &str) -> Option<String> {
    let inner = line.strip_prefix('[')?.strip_suffix(']')?;
    let section = match inner.split_once([' ', '\t']) {
        None => inner,
        Some((section, name)) => {
            let name = name.trim_start_matches([' ', '\t']).strip_prefix('"')?.strip_suffix('"')?;
            if name.contains('"') {
                return None;
            }
            section
        }
    };
    section.bytes().all(|byte| byte.is_ascii_alphanumeric()).then(|| section.to_ascii_lowercase())
}

/// Whether the setting `name` of `section`, both in small letters, is known to be harmless.
pub(super) fn is_harmless(section: &str, name: &str) -> bool {
    let is_word = !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-');
    let known = HARMLESS.iter().filter(|(known, _)| *known == section);
    is_word && known.flat_map(|(_, names)| names.split(' ')).any(|one| one == "*" || one == name)
}

/// Whether `value` is an address with a password or a token in it, which git tells whoever asks for its remotes.
fn holds_secret(value: &str) -> bool {
    let authority = value.split_once("://").and_then(|(_, rest)| rest.split('/').next());
    let user = authority.and_then(|authority| authority.rsplit_once('@')).map(|(user, _)| user);
    user.is_some_and(|user| user.contains(':') || user.len() > LONGEST_NAME)
}

/// A path that means itself.
fn plain(value: &str) -> Option<&str> {
    let odd = value.is_empty() || value.starts_with(['~', '%']) || value.contains(['"', '#', ';']);
    (!odd).then_some(value)
}
