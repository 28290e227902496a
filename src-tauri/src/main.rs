//! The program `gavel`.

#![cfg_attr(not(debug_assertions), windows_subsystem = "windows")]

use std::process::ExitCode;

fn main() -> ExitCode {
    match gavel_shell::run() {
        Ok(code) => code,
        Err(why) => {
            eprintln!("gavel: {why}");
            ExitCode::FAILURE
        }
    }
}
