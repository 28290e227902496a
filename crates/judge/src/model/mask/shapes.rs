//! What secrets look like.

use std::sync::LazyLock;

use regex::Regex;

/// A shape, compiled.
pub(super) struct Shape {
    /// What is said in the place of the secret.
    pub kind: &'static str,
    /// Finds it. The group `secret`, where there is one, is what is masked; else all of it.
    pub finds: Regex,
    /// Whether the value is looked at again: behind a telling name, but perhaps harmless.
    pub doubtful: bool,
}

/// Names that tell of a secret, as a part of a longer one.
macro_rules! telling {
    () => {
        r"(?:passw(?:or)?d|passwd|passphrase|passcode|secret|token|api[_-]?key|apikey|access[_-]?key|private[_-]?key|encryption[_-]?key|signing[_-]?key|master[_-]?key|license[_-]?key|account[_-]?key|auth[_-]?key|ssh[_-]?key|secretkey|credential|signature|cookie|session[_-]?id|connection[_-]?string|database[_-]?url|redis[_-]?url|mongo(?:db)?[_-]?ur[il]|webhook[_-]?url)"
    };
}

/// The table: what is said, how it is found, whether the value is looked at again. In this order: what is surest first.
const TABLE: [(&str, &str, bool); 37] = [
    (
        "private key",
        r"-----BEGIN [A-Z0-9 ]*PRIVATE KEY(?: BLOCK)?-----(?s:.*?)(?:-----END [A-Z0-9 ]*PRIVATE KEY(?: BLOCK)?-----|\z)",
        false,
    ),
    ("private key", r"(?i)PuTTY-User-Key-File-\d(?s:.*?)(?:Private-MAC:[^\n]*|\z)", false),
    ("private key", r"AGE-SECRET-KEY-1[0-9A-Z]{20,}|b3BlbnNzaC1rZXktdjE[A-Za-z0-9+/=]*", false),
    ("token", r"\beyJ[A-Za-z0-9_-]{6,}\.[A-Za-z0-9_-]{6,}(?:\.[A-Za-z0-9_-]*){0,3}", false),
    ("API key", r"\b(?:sk|rk|pk)[-_](?:[A-Za-z0-9]+[-_])*[A-Za-z0-9_-]{16,}", false),
    (
        "token",
        r"\b(?:gh[pousr]_[A-Za-z0-9]{16,}|github_pat_[A-Za-z0-9_]{16,}|gl(?:pat|oas|dt|rt|cbt|ptt|ft|imt|agent|soat|ffct)-[A-Za-z0-9_.-]{16,})",
        false,
    ),
    ("token", r"\bxox[a-z]-[A-Za-z0-9-]{8,}|\bxapp-[A-Za-z0-9-]{8,}|\bxox[a-z]\.[A-Za-z0-9.-]{8,}", false),
    (
        "web hook",
        r"(?i)https://(?:hooks\.slack\.com/(?:services|workflows|triggers)|discord(?:app)?\.com/api/webhooks|[a-z0-9-]+\.webhook\.office\.com)/(?P<secret>[^\s'\x22<>]+)",
        false,
    ),
    (
        "API key",
        r"\bAIza[0-9A-Za-z_-]{30,}|\bya29\.[0-9A-Za-z_.-]{16,}|\bGOCSPX-[0-9A-Za-z_-]{16,}|\b1//0[0-9A-Za-z_-]{20,}",
        false,
    ),
    (
        "token",
        r"\b(?:npm_[A-Za-z0-9]{20,}|pypi-[A-Za-z0-9_-]{20,}|rubygems_[a-f0-9]{20,}|cio[A-Za-z0-9]{30,}|dckr_(?:pat|oat)_[A-Za-z0-9_-]{16,}|oy2[a-z0-9]{40,})",
        false,
    ),
    (
        "API key",
        r"\b(?:hf_[A-Za-z0-9]{20,}|gsk_[A-Za-z0-9]{20,}|xai-[A-Za-z0-9]{20,}|r8_[A-Za-z0-9]{20,}|pplx-[A-Za-z0-9]{20,}|nvapi-[A-Za-z0-9_-]{20,}|tgp_v1_[A-Za-z0-9_-]{20,}|fw_[A-Za-z0-9]{20,}|csk-[a-z0-9]{20,})",
        false,
    ),
    (
        "token",
        r"\b(?:do[opr]_v1_[a-f0-9]{20,}|tskey-[A-Za-z0-9-]{16,}|hv[sbr]\.[A-Za-z0-9_-]{16,}|lin_(?:api|oauth)_[A-Za-z0-9]{16,}|figd_[A-Za-z0-9_-]{16,}|dp\.(?:pt|st|ct|sa)\.[A-Za-z0-9.]{16,}|fo1_[A-Za-z0-9_-]{16,}|fm[12]_[A-Za-z0-9+/=_-]{16,}|EAA[A-Za-z0-9]{30,}|PMAK-[A-Za-z0-9-]{16,}|NRAK-[A-Z0-9]{16,}|NRJS-[a-z0-9]{16,}|sntry[su]_[A-Za-z0-9_=+/.-]{16,}|glsa_[A-Za-z0-9_]{16,}|glc_[A-Za-z0-9+/=]{16,}|shp(?:at|ca|pa|ss)_[a-fA-F0-9]{16,}|sq0[a-z]{3}-[A-Za-z0-9_-]{16,}|xkeysib-[a-f0-9-]{16,}|SG\.[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}|key-[0-9a-f]{32}|ATATT[A-Za-z0-9_=-]{16,}|ATCTT[A-Za-z0-9_=-]{16,}|atlasv1\.[A-Za-z0-9]+|[A-Za-z0-9]{10,}\.atlasv1\.[A-Za-z0-9_=-]+|pul-[a-f0-9]{32,}|sbp_[a-f0-9]{20,}|vercel_[A-Za-z0-9_]{16,}|nfp_[A-Za-z0-9]{16,}|rnd_[A-Za-z0-9]{16,}|pscale_[a-z]+_[A-Za-z0-9_.-]{16,}|secret_[A-Za-z0-9]{20,}|ntn_[A-Za-z0-9]{20,}|whsec_[A-Za-z0-9+/=]{16,}|AC[a-f0-9]{32}\b|SK[a-f0-9]{32}\b)",
        false,
    ),
    (
        "token",
        r"\b\d{8,10}:AA[A-Za-z0-9_-]{30,}|\b[MNO][A-Za-z0-9_-]{22,27}\.[A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]{25,}",
        false,
    ),
    ("AWS key", r"\b(?:AKIA|ASIA|AROA|AIDA|AGPA|ANPA|ANVA|ABIA|ACCA)[0-9A-Z]{12,}", false),
    ("AWS key", r"(?:^|[^A-Za-z0-9/+=])(?P<secret>[A-Za-z0-9/+]{40})(?:$|[^A-Za-z0-9/+=])", true),
    ("private key", r"\b0x[0-9a-fA-F]{64}\b", false),
    (
        "token",
        r"(?i)\bhttps?://(?P<secret>[^\s/@:'\x22]*[0-9][^\s/@:'\x22]{7,}|[^\s/@:'\x22]{7,}[0-9][^\s/@:'\x22]*|[^\s/@:'\x22]{20,})(?::x-oauth-basic)?@",
        true,
    ),
    ("password", r"(?i)\b[a-z][a-z0-9+.-]*://[^\s/@:'\x22]*:(?P<secret>[^\s/@'\x22]+)@", true),
    (
        "password",
        r"(?i)\b(?:postgres(?:ql)?|mysql|mariadb|mongodb(?:\+srv)?|rediss?|amqps?|mssql|sqlserver|ftps?|sftp|ssh|smtps?|ldaps?|clickhouse|cockroachdb)(?:\+[a-z0-9]+)?://[^\s/@:'\x22]*:(?P<secret>[^\s'\x22]+)@",
        true,
    ),
    (
        "credentials",
        r"(?i)\b(?:proxy-)?authorization[\x22']?\s*[:=]\s*[\x22']?(?:(?:bearer|basic|token|digest|apikey|negotiate|bot|aws4-hmac-sha256)\s+)?(?P<secret>[^'\x22\r\n]+)",
        true,
    ),
    ("credentials", r"(?i)\b(?:bearer|basic)\s+(?P<secret>[A-Za-z0-9._~+/=-]{12,})", true),
    ("cookie", r"(?i)\b(?:set-)?cookie[\x22']?\s*:\s*(?P<secret>[^'\x22\r\n]+)", true),
    (
        "credentials",
        r"(?i)\bx-[a-z-]*(?:auth|key|token|secret)[a-z-]*[\x22']?\s*[:=]\s*[\x22']?(?P<secret>[^'\x22\s]+)",
        true,
    ),
    (
        "password",
        r#"(?i)\b(?:curl|wget|http|https|svn|hg)\b[^|;&\n]*?\s(?:-u|--user|--proxy-user|-U|-a|--auth)[ =]?["']?[^\s:"'-][^\s:"']*:(?P<secret>[^\s"']+)"#,
        true,
    ),
    (
        "password",
        r#"(?i)\b(?:mysql|mysqldump|mysqladmin|mysqlimport|mariadb|mariadb-dump|sshpass)\b[^|;&\n]*?\s-p\s?["']?(?P<secret>[^\s'";|&]+)"#,
        true,
    ),
    (
        "password",
        r#"(?i)\b(?:docker|podman|buildah|skopeo|helm|oc|az|npm|heroku)\b[^|;&\n]*?\blogin\b[^|;&\n]*?\s-p[ =]?["']?(?P<secret>[^\s'";|&]+)"#,
        true,
    ),
    ("password", r#"(?i)\bredis-cli\b[^|;&\n]*?\s(?:-a|--pass)[ =]["']?(?P<secret>[^\s'";|&]+)"#, true),
    (
        "password",
        r#"(?i)\b(?:htpasswd\s+-[a-z]*b[a-z]*\s+\S+\s+\S+|smbclient\b[^|;&\n]*?-U\s*[^\s%]+%|net\s+use\b[^|;&\n]*?/user:\S+)\s*["']?(?P<secret>[^\s'";|&]+)"#,
        true,
    ),
    (
        "password",
        r#"(?i)\b(?:echo|printf)\s+(?:-\w+\s+)*["']?[^\s:"'|]+:(?P<secret>[^\n"'|]+)["']?\s*\|\s*(?:sudo\s+)?(?:/\S*/)?chpasswd"#,
        true,
    ),
    (
        "password",
        r#"(?i)\b(?:echo|printf)\s+(?:-\w+\s+)*["']?(?P<secret>[^\n"'|]+)["']?\s*\|\s*(?:sudo\s+-\w*S|su\b|\S*passwd\b|docker\s+login|podman\s+login|gh\s+auth|openssl|gpg|cryptsetup)"#,
        true,
    ),
    ("password", r"(?i)\blogin\s+\S+\s+password\s+(?P<secret>\S+)", true),
    ("password", r"(?i)\b(?:identified\s+(?:with\s+\S+\s+)?by|password)\s+'(?P<secret>[^'\n]+)'", true),
    ("secret", concat!(r"(?i)<(?P<name>[a-z0-9_.:-]*", telling!(), r"[a-z0-9_.-]*)>\s*(?P<secret>[^<>\s]+)"), true),
    ("password", r"(?i)\bpass:(?P<secret>[^\s'\x22]+)", true),
    (
        "secret",
        concat!(
            r#"(?i)(?P<name>[a-z0-9_.-]*"#,
            telling!(),
            r#"[a-z0-9_-]*|[a-z0-9_.-]*(?:pwd|pass)|\b(?:[a-z0-9.-]*[_.-])?(?:pw|pin|otp|sig|auth|dsn|pat)|[a-z0-9][a-z0-9_.-]*[_-]key)["']?\s*(?::=|=>|=|:)\s*(?P<secret>"(?:\\.|[^"\\\n])*"|'[^'\n]*'|[^\s"'&;|<>(),\]}]+)"#
        ),
        true,
    ),
    (
        "secret",
        concat!(
            r#"(?i)--?(?P<name>[a-z0-9_-]*"#,
            telling!(),
            r#"[a-z0-9_-]*|pass|pwd|auth)(?:\s+|=)(?P<secret>"(?:\\.|[^"\\\n])*"|'[^'\n]*'|[^\s"'&;|<>(),\]}-][^\s"'&;|<>(),\]}]*)"#
        ),
        true,
    ),
    (
        "secret",
        concat!(
            r#"(?i)\b(?:setx?|set-item|put-parameter|set-secret|config\s+set|secrets?\s+(?:set|create|add|put))\s+(?:[^\s|;&]+\s+)*?(?P<name>[^\s|;&=]*"#,
            telling!(),
            r#"[^\s|;&=]*)\s+(?P<secret>"[^"\n]*"|'[^'\n]*'|[^\s"'&;|<>(),-][^\s"'&;|<>(),]*)"#
        ),
        true,
    ),
];

/// All shapes; `None` if one of them can't be used, which a test sees to.
pub(super) static SHAPES: LazyLock<Option<Vec<Shape>>> = LazyLock::new(|| {
    let compiled = TABLE
        .iter()
        .map(|(kind, finds, doubtful)| Regex::new(finds).ok().map(|finds| Shape { kind, finds, doubtful: *doubtful }));
    compiled.collect()
});

/// Assignments of every name, for texts that belong to a file with secrets.
pub(super) static ASSIGNMENT: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(r#"(?m)(?P<name>\b[A-Za-z_][A-Za-z0-9_.-]*)["']?\s*[=:]\s*(?P<secret>"(?:\\.|[^"\\\n])*"|'[^'\n]*'|[^\s"'&;|<>(),]+)"#).ok()
});
