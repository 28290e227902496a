//! Commands that run code which isn't in the command: the project's own, or that of packages.

use super::super::finding::{Class, Deed};
use super::super::phrase::{code as quoted, plain};
use super::super::shell::Word;
use super::{operands, texts};
use gavel_core::say;
use gavel_core::text::Message;

/// Whether `name` with this one option does nothing but tell its version.
///
/// Left out are those that look into the project first for which of them to run, and may download it: `cargo`, `rustc`,
/// `go`, `yarn`, `gradle` and their like.
pub(super) fn tells_its_version(name: &str, option: &str) -> bool {
    const LONG: &[&str] = &[
        "node", "npm", "bun", "deno", "python", "python3", "pip", "pip3", "uv", "ruby", "gem", "java", "javac", "gcc",
        "g++", "clang", "cmake", "make", "docker", "tsc", "jq", "rg", "fd", "gh", "curl", "wget", "bash", "zsh", "php",
        "perl", "ls", "grep", "sed", "awk", "find", "tar", "sqlite3", "psql",
    ];
    match option {
        "--version" => LONG.contains(&name),
        "-V" => matches!(name, "python" | "python3" | "pip" | "pip3" | "rg" | "fd"),
        "-v" => matches!(name, "node" | "npm" | "tsc"),
        "version" => matches!(name, "terraform" | "hugo"),
        _ => false,
    }
}

pub(super) fn judge(name: &str, args: &[Word]) -> Option<Deed> {
    let words = texts(args);
    let named = operands(args);
    let verb = named.first().map(|word| word.text.as_str()).unwrap_or_default();
    let runs = |why: Message| Some(Deed::ask(Class::RunsCode, why));
    match name {
        "npm" | "pnpm" | "yarn" | "bun" => runs(node(name, verb, &named)),
        "npx" | "bunx" | "pnpx" | "dlx" | "uvx" | "pipx" => {
            runs(say!("runs the package {}, and downloads it if it isn't there", quoted(verb)))
        }
        "pip" | "pip3" | "uv" | "poetry" | "pipenv" | "conda" | "mamba" | "gem" | "bundle" | "composer" | "cabal"
        | "stack" | "mix" | "opam" => runs(packages(name, verb, &named)),
        "cargo" => runs(cargo(verb, &named)),
        "rustup" => Some(Deed::ask(Class::Network, say!("changes the Rust that is installed, outside the project"))),
        "go" => runs(match verb {
            "get" | "install" | "mod" => say!("fetches Go modules"),
            _ => say!("runs `go {}`, which builds or runs the project's code", plain(verb)),
        }),
        "make" | "gmake" | "just" | "task" | "ninja" | "meson" | "cmake" | "bazel" | "mvn" | "gradle" | "gradlew"
        | "mvnw" | "ant" | "rake" | "tox" | "nox" | "invoke" | "scons" | "dotnet" | "msbuild" | "swift"
        | "xcodebuild" | "sbt" | "lein" | "turbo" | "nx" | "lerna" => {
            let what = if verb.is_empty() { String::new() } else { format!(" {verb}") };
            runs(say!("runs what the project's build files say, {}", quoted(&format!("{name}{what}"))))
        }
        "python" | "python2" | "python3" | "node" | "nodejs" | "deno" | "ruby" | "perl" | "php" | "lua" | "luajit"
        | "Rscript" | "R" | "julia" | "java" | "osascript" | "tclsh" | "expect" | "ghci" | "irb" | "ipython"
        | "pypy" | "pypy3" | "groovy" | "scala" | "elixir" | "erl" | "guile" | "racket" | "pwsh" | "powershell"
        | "tsx" | "ts-node" | "bc" | "dc" | "m4" | "gdb" | "lldb" | "sqlite3" => runs(interpreter(name, args)),
        "awk" | "gawk" | "mawk" | "nawk" => runs(say!(
            "runs the program {} with `{}`, which may start commands and write files",
            quoted(verb),
            plain(name)
        )),
        "vim" | "vi" | "nvim" | "nano" | "emacs" | "ed" | "ex" | "code" | "less" | "more" | "man" | "most" | "view"
        | "pg" | "bat" | "info" | "open" | "xdg-open" | "start" | "explorer" => {
            runs(say!("opens {} in a program that can do more than show it, `{}`", quoted(verb), plain(name)))
        }
        "jest" | "vitest" | "mocha" | "pytest" | "rspec" | "phpunit" | "playwright" | "cypress" | "karma" | "ava"
        | "tap" => runs(say!("runs the project's tests with `{}`", plain(name))),
        "eslint" | "tsc" | "webpack" | "vite" | "rollup" | "esbuild" | "next" | "nuxt" | "astro" | "mypy"
        | "pyright" | "flake8" | "pylint" | "rubocop" | "golangci-lint" | "svelte-check" | "biome" | "stylelint"
        | "pre-commit" | "husky" | "lint-staged" | "clippy-driver" => {
            runs(say!("runs `{}` as the project has set it up", plain(name)))
        }
        "gcc" | "g++" | "clang" | "clang++" | "cc" | "c++" | "rustc" | "javac" | "ld" | "as" => {
            Some(Deed::ask(Class::Writes, say!("compiles with `{}`", plain(name))))
        }
        "entr" | "nodemon" | "watchexec" | "cargo-watch" | "fswatch" => {
            runs(say!("runs {} whenever a file changes", quoted(&words.join(" "))))
        }
        _ => None,
    }
}

fn node(name: &str, verb: &str, named: &[&Word]) -> Message {
    let second = named.get(1).map(|word| quoted(&word.text));
    match (verb, second) {
        ("install" | "i" | "ci" | "add" | "update" | "upgrade" | "", second) => match second {
            Some(package) => say!("downloads the package {} and runs its install scripts", package),
            None => say!("downloads packages and runs their install scripts"),
        },
        ("exec" | "x" | "dlx" | "create" | "init", Some(package)) => {
            say!("runs the package {}, and downloads it if it isn't there", package)
        }
        ("publish", _) => say!("publishes the project for everybody to download"),
        ("run" | "run-script", Some(script)) => say!("runs the project's script {}", script),
        ("test" | "t" | "start" | "stop" | "build" | "dev" | "lint", _) => {
            say!("runs the project's script {}", quoted(verb))
        }
        _ => {
            say!("runs {}, which may run the project's scripts or download packages", quoted(&format!("{name} {verb}")))
        }
    }
}

fn packages(name: &str, verb: &str, named: &[&Word]) -> Message {
    let what = named.get(1).map(|word| quoted(&word.text));
    match (verb, what) {
        ("install" | "add" | "sync" | "update" | "require" | "i", Some(what)) => {
            say!("downloads the package {} and runs its install scripts", what)
        }
        ("install" | "sync" | "update" | "lock", None) => {
            say!("downloads packages and runs their install scripts")
        }
        ("run" | "exec", Some(what)) => say!("runs {} in the project's environment", what),
        ("uninstall" | "remove", Some(what)) => say!("removes the package {}", what),
        _ => {
            say!("runs {}, which may download packages or run the project's code", quoted(&format!("{name} {verb}")))
        }
    }
}

fn cargo(verb: &str, named: &[&Word]) -> Message {
    let what = named.get(1).map(|word| quoted(&word.text));
    match (verb, what) {
        ("test" | "t" | "nextest", _) => say!("runs the project's tests, and its build scripts first"),
        ("run" | "r", _) => say!("builds and runs the project"),
        ("build" | "b" | "check" | "c" | "clippy" | "doc" | "bench", _) => {
            say!("builds the project, which runs its build scripts")
        }
        ("add", Some(what)) => say!("adds the package {} to the project", what),
        ("install", Some(what)) => say!("downloads, builds and installs {}", what),
        ("publish", _) => say!("publishes the project for everybody to download"),
        ("fmt", _) => say!("rewrites the project's sources in the usual style"),
        ("clean", _) => say!("deletes what was built"),
        _ => {
            say!("runs {}, which may run the project's code or download packages", quoted(&format!("cargo {verb}")))
        }
    }
}

fn interpreter(name: &str, args: &[Word]) -> Message {
    let inline = args.iter().any(|word| {
        matches!(word.text.as_str(), "-c" | "-e" | "-E" | "-p" | "--eval" | "-r" | "--print" | "-n" | "eval")
    });
    let script = operands(args).first().map(|word| quoted(&word.text));
    let module = args.iter().any(|word| word.text == "-m") && name.starts_with("py");
    let input = args.is_empty() || matches!(args, [only] if only.text == "-");
    match script {
        _ if input => say!("runs a program that `{}` is given on its input", plain(name)),
        Some(script) if module => say!("runs the module {} with `{}`", script, plain(name)),
        _ if inline => say!("runs a program that is written into the command, with `{}`", plain(name)),
        Some(script) => say!("runs {} with `{}`", script, plain(name)),
        None => say!("runs whatever `{}` is given", plain(name)),
    }
}
