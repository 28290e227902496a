//! A few words in the terminal interface of a 1.x server, for whoever looks at it.

use serde_json::json;

use crate::Error;
use crate::dialect::failure::done;
use crate::http::{Http, path};

/// Shows `message` for `duration` milliseconds in the terminal that shows `directory`. With none there it is seen by
/// nobody, and the server says nothing of that.
///
/// # Errors
/// The server did not do it.
pub async fn show(http: &Http, directory: &str, message: &str, warns: bool, duration: u64) -> Result<(), Error> {
    let variant = if warns { "warning" } else { "info" };
    let body = json!({ "title": "Gavel", "message": message, "variant": variant, "duration": duration });
    done(&http.post(&path(&["tui", "show-toast"], &[("directory", directory)]), &body).await?)
}
