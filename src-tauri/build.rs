//! Lets Tauri read its configuration and prepare what the program embeds.

fn main() {
    tauri_build::build();
}
