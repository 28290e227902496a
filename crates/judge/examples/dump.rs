#![allow(missing_docs)]
use gavel_core::Detail;
use gavel_judge::offline::*;
use std::io::Read;
fn main() {
    let mut s = String::new();
    std::io::stdin().read_to_string(&mut s).unwrap();
    for line in s.split("\n---\n") {
        let line = line.trim_end_matches('\n');
        let d = Detail { command: Some(line.to_owned()), ..Detail::default() };
        let f = verdict(&Subject {
            action: "shell",
            resources: &[],
            detail: &d,
            project: "/home/ada/shop",
            home: Some("/home/ada"),
        });
        println!("{:?} {:?} | {} | {}", f.recommendation, f.class, line, f.reason);
        for s in f.segments {
            println!("        {}..{} {:?} {:?} {}", s.start, s.end, s.class, s.recommendation, s.why);
        }
    }
}
