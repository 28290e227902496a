//! The settings file, through Tauri's store.

use std::sync::Arc;

use gavel_runtime::{Home, JudgeSettings, Keep, Settings};
use tauri::{AppHandle, Wry};
use tauri_plugin_store::{Store, StoreExt as _};

/// The settings, and how changed ones are kept.
///
/// A settings file that can't be understood is left alone, byte for byte: Gavel starts with the defaults, and says at
/// every change that it is not kept.
pub(crate) fn open(app: &AppHandle, home: &Home) -> (Settings, Keep) {
    let opened = home.settings().and_then(|settings| {
        let store = app.store_builder(&home.places.settings).disable_auto_save().build();
        store.map(|store| (settings, store)).map_err(|error| error.to_string())
    });
    match opened {
        Ok((settings, store)) => (settings, Box::new(move |settings| write(&store, settings))),
        Err(why) => {
            tracing::error!("{why}");
            // It may say that nobody is to be asked.
            let settings = Settings { judge: JudgeSettings::nobody(), ..Settings::default() };
            (settings, Box::new(move |_| Err(why.clone())))
        }
    }
}

fn write(store: &Arc<Store<Wry>>, settings: &Settings) -> Result<(), String> {
    let value = serde_json::to_value(settings).map_err(|error| error.to_string())?;
    for (key, value) in value.as_object().into_iter().flatten() {
        store.set(key, value.clone());
    }
    store.save().map_err(|error| error.to_string())
}
