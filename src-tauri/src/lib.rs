//! The desktop shell: a tray icon, a window, and nothing of what Gavel decides.

mod bridge;
mod shortcut;
mod store;
mod tray;
mod tray_host;
mod window;

use std::process::ExitCode;

use clap::Parser as _;
use gavel_runtime::cli::Cli;
use gavel_runtime::signals::Signals;
use gavel_runtime::{Demo, Home, run_headless};
use tauri::{Manager as _, RunEvent};

/// Runs the program until it is told to end.
///
/// # Errors
/// Why it can't begin, in words for the user.
pub fn run() -> Result<ExitCode, String> {
    let cli = Cli::parse();
    if let Some(command) = &cli.command {
        return command.run();
    }
    if cli.headless {
        return tauri::async_runtime::block_on(run_headless(cli.demo)).map(|()| ExitCode::SUCCESS);
    }
    let home = Home::open()?;
    see_display()?;
    let app = tauri::Builder::default()
        // First, so that a second start ends before it has touched anything.
        .plugin(tauri_plugin_single_instance::init(|app, _, _| window::open_oldest(app)))
        .plugin(tauri_plugin_store::Builder::default().build())
        .invoke_handler(tauri::generate_handler![bridge::call])
        .setup(move |app| {
            if let Err(why) = begin(app.handle(), &home, &cli) {
                // Tauri would panic.
                eprintln!("gavel: {why}");
                std::process::exit(1);
            }
            Ok(())
        })
        .build(tauri::generate_context!())
        .map_err(|error| format!("the desktop can't be reached: {error}"))?;
    app.run(|_, event| {
        // No code: the last window was closed. Gavel stays in the tray.
        if let RunEvent::ExitRequested { code: None, api, .. } = event {
            api.prevent_exit();
        }
    });
    Ok(ExitCode::SUCCESS)
}

fn begin(app: &tauri::AppHandle, home: &Home, cli: &Cli) -> Result<(), String> {
    end_on_signal(app)?;
    // Held until the process ends.
    app.manage(home.take(false)?);
    let (settings, keep) = store::open(app, home);
    let handle = tauri::async_runtime::block_on(async {
        let demo = if cli.demo { Some(Demo::start().await?) } else { None };
        let handle = home.start(settings, keep, demo.as_ref())?;
        if let Some(demo) = demo {
            app.manage(demo);
        }
        Ok::<_, String>(handle)
    })?;
    app.manage(window::Window::default());
    app.manage(handle.clone());
    bridge::start(app, &handle);
    shortcut::watch(app, handle.clone());
    tray_host::watch(app, handle);
    if cli.window {
        window::open(app, window::Place::INBOX);
    }
    Ok(())
}

/// Sees whether there is a desktop: the window's library would panic without one.
#[cfg(target_os = "linux")]
fn see_display() -> Result<(), String> {
    gtk::init().map_err(|_| {
        let place = ["WAYLAND_DISPLAY", "DISPLAY"].into_iter().find_map(|name| Some((name, std::env::var(name).ok()?)));
        let why = match place {
            Some((name, place)) => format!("no desktop answers at {name}=`{place}`"),
            None => "there is no desktop: neither `DISPLAY` nor `WAYLAND_DISPLAY` is set".to_owned(),
        };
        format!("{why}; start Gavel in a desktop session, or with --headless")
    })
}

#[cfg(not(target_os = "linux"))]
const fn see_display() -> Result<(), String> {
    Ok(())
}

fn end_on_signal(app: &tauri::AppHandle) -> Result<(), String> {
    let mut signals = tauri::async_runtime::block_on(async { Signals::listen() }).map_err(|error| error.to_string())?;
    let app = app.clone();
    tauri::async_runtime::spawn(async move {
        let signal = signals.ended().await;
        tracing::info!("told to end: {signal}");
        bridge::quit(&app).await;
    });
    Ok(())
}
