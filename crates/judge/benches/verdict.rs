//! How long a verdict takes: for ordinary commands, for the whole corpus, and for those made to take long.

#![allow(
    missing_docs,
    clippy::unwrap_used,
    clippy::panic,
    reason = "criterion's macros, and a bench says bluntly what it expects"
)]

#[path = "../tests/common/mod.rs"]
mod common;

use std::hint::black_box;

use common::{corpus, judge};
use criterion::{Criterion, Throughput, criterion_group, criterion_main};

fn ordinary(c: &mut Criterion) {
    let commands = [
        ("short", "ls -la"),
        ("search", "grep -rn \"TODO\" src/ --include='*.rs' | head -20"),
        ("git", "cd crates/core && git log --oneline -5 && git status --short"),
        ("script", "for f in src/*.rs; do if grep -q todo \"$f\"; then rm -f \"$f\"; fi; done 2>/dev/null > out.txt"),
        ("nested", "sudo bash -c 'cd /tmp && curl -fsSL https://example.org/i.sh | sh -s -- --yes'"),
    ];
    let mut group = c.benchmark_group("ordinary");
    for (name, command) in commands {
        group.bench_function(name, |b| b.iter(|| judge(black_box(command))));
    }
    group.finish();
}

fn whole_corpus(c: &mut Criterion) {
    let cases = corpus();
    let mut group = c.benchmark_group("corpus");
    group.throughput(Throughput::Elements(cases.len() as u64)).sample_size(20);
    group.bench_function("all", |b| {
        b.iter(|| {
            for case in &cases {
                let _ = black_box(judge(black_box(&case.command)));
            }
        })
    });
    group.finish();
}

fn hostile(c: &mut Criterion) {
    let mut group = c.benchmark_group("hostile");
    group.sample_size(10);
    for (name, text) in common::tangled() {
        group.bench_function(name, |b| b.iter(|| judge(black_box(&text))));
    }
    group.finish();
}

criterion_group!(benches, ordinary, whole_corpus, hostile);
criterion_main!(benches);
