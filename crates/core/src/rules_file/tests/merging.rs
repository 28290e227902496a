use super::*;
use crate::rules_file::Difference;

/// A file in short: preset lines, learned commands with their approvals, pending commands with their counts.
fn short(preset: &str, learned: &str, pending: &str) -> Content {
    let list = |text: &str| text.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
    let counted = |text: &str| {
        list(text).iter().map(|one| one.split_once(':').map(|(a, b)| (a.to_owned(), b.to_owned())).unwrap()).collect()
    };
    let learned: Vec<(String, String)> = counted(learned);
    let pending: Vec<(String, String)> = counted(pending);
    let learned: Vec<String> =
        learned.iter().map(|(command, n)| format!(r#"{{"command": "{command}", "approvals": {n}}}"#)).collect();
    let pending: Vec<String> = pending.iter().map(|(command, n)| format!(r#""{command}": {n}"#)).collect();
    let preset: Vec<String> = list(preset).iter().map(|line| format!("\"{line}\"")).collect();
    content(&format!(
        r#"{{"version": 1, "preset": [{}], "learned": [{}], "pending": {{{}}}}}"#,
        preset.join(","),
        learned.join(","),
        pending.join(",")
    ))
}

fn shown(content: &Content) -> [String; 3] {
    let learned = content.lines().learned.iter().map(|one| format!("{}:{}", one.command, one.approvals));
    let pending = content.lines().pending.iter().map(|one| format!("{}:{}", one.command, one.count));
    let join = |parts: Vec<String>| parts.join(" ");
    [content.lines().preset.join(" "), join(learned.collect()), join(pending.collect())]
}

type File = [&'static str; 3];

#[test]
fn what_two_wrote_at_once_is_put_together() {
    // before, what the one made of it, what the other made of it, both together
    let cases: [(&str, File, File, File, File); 15] = [
        ("nothing", ["a", "m:3", "p:1"], ["a", "m:3", "p:1"], ["a", "m:3", "p:1"], ["a", "m:3", "p:1"]),
        ("both add presets", ["a", "", ""], ["a b", "", ""], ["a c", "", ""], ["a c b", "", ""]),
        ("the same preset", ["a", "", ""], ["a b", "", ""], ["a b", "", ""], ["a b", "", ""]),
        ("one removes", ["a b", "", ""], ["b", "", ""], ["a b c", "", ""], ["b c", "", ""]),
        ("the other removes", ["a b", "", ""], ["a b c", "", ""], ["b", "", ""], ["b c", "", ""]),
        ("both learn", ["", "m:3", ""], ["", "m:3 n:3", ""], ["", "m:3 o:3", ""], ["", "m:3 o:3 n:3", ""]),
        ("one forgets", ["", "m:3 n:3", ""], ["", "n:3", ""], ["", "m:3 n:3", ""], ["", "n:3", ""]),
        ("the other forgets", ["", "m:3", ""], ["", "m:4", ""], ["", "", ""], ["", "", ""]),
        ("both count", ["", "", "p:1"], ["", "", "p:2"], ["", "", "p:2"], ["", "", "p:2"]),
        ("each counts its own", ["", "", ""], ["", "", "p:1"], ["", "", "q:1"], ["", "", "q:1 p:1"]),
        ("one counts, the other resets", ["", "", "p:2"], ["", "", "p:3"], ["", "", ""], ["", "", ""]),
        ("one resets, the other counts", ["", "", "p:1"], ["", "", ""], ["", "", "p:2"], ["", "", ""]),
        ("it began anew meanwhile", ["", "", "p:2"], ["", "", "p:3"], ["", "", "p:1"], ["", "", "p:1"]),
        ("one learns, the other counts", ["", "", "p:2"], ["", "p:3", ""], ["", "", "p:3"], ["", "p:3", ""]),
        ("one learns, the other refuses", ["", "", "p:2"], ["", "p:3", ""], ["", "", ""], ["", "", ""]),
    ];
    for (name, before, after, mut other, both) in cases.map(|(n, b, a, o, t)| (n, b, a, short(o[0], o[1], o[2]), t)) {
        let of = |file: File| short(file[0], file[1], file[2]);
        let difference = Difference::between(&of(before), &of(after));
        other.adopt(&difference);
        assert_eq!(shown(&other), both, "{name}");
        // Putting it together once more changes nothing.
        other.adopt(&difference);
        assert_eq!(shown(&other), both, "{name}, again");
    }
}
