//! The TypeScript that the window is compiled against is the one these types generate.

use std::path::Path;

/// Set to rewrite the file instead of comparing it.
const REWRITE: &str = "GAVEL_WRITE_BINDINGS";

#[test]
fn typescript_is_up_to_date() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../ui/src/bindings/api.ts");
    let fresh = gavel_runtime::api::bindings::typescript();
    if std::env::var_os(REWRITE).is_some() {
        std::fs::write(&path, &fresh).unwrap();
    }
    let committed = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(
        committed == fresh,
        "ui/src/bindings/api.ts is out of date: run {REWRITE}=1 cargo test -p gavel-runtime --test bindings"
    );
}
