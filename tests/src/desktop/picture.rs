//! What is on the screen, pixel by pixel.
//!
//! Text in the DOM is no proof that anything was painted: the first frame of a web view stays on screen for a while.

use std::{process::Stdio, time::Duration};

use super::session::{HEIGHT, Session, WIDTH};
use crate::wait::eventually;

/// One state of the whole screen.
#[derive(Clone, PartialEq, Eq)]
pub struct Picture {
    rgb: Vec<u8>,
}

impl std::fmt::Debug for Picture {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "a picture of {WIDTH}x{HEIGHT}")
    }
}

impl Picture {
    pub(super) async fn take(session: &Session) -> Self {
        let mut import = session.command("import");
        import.args(["-window", "root", "-depth", "8", "rgb:-"]).stdin(Stdio::null());
        let mut import = tokio::process::Command::from(import);
        let out = tokio::time::timeout(Duration::from_secs(30), import.kill_on_drop(true).output()).await;
        let out = out.expect("a picture within 30 s").expect("imagemagick is installed");
        assert_eq!(out.stdout.len(), WIDTH * HEIGHT * 3, "{}", String::from_utf8_lossy(&out.stderr));
        Self { rgb: out.stdout }
    }

    /// The colour of the pixel at `x`, `y`.
    pub fn at(&self, x: usize, y: usize) -> [u8; 3] {
        let at = (y * WIDTH + x) * 3;
        [self.rgb[at], self.rgb[at + 1], self.rgb[at + 2]]
    }

    /// How many pixels have a colour that fits.
    pub fn count(&self, fits: impl Fn([u8; 3]) -> bool) -> usize {
        self.rgb.chunks_exact(3).filter(|rgb| fits([rgb[0], rgb[1], rgb[2]])).count()
    }

    /// How many pixels are not as in `other`.
    pub fn difference(&self, other: &Self) -> usize {
        self.rgb.chunks_exact(3).zip(other.rgb.chunks_exact(3)).filter(|(one, two)| one != two).count()
    }

    /// How many different colours there are; a screen with nothing on it has one.
    pub fn colours(&self) -> usize {
        let colours: std::collections::HashSet<_> = self.rgb.chunks_exact(3).collect();
        colours.len()
    }
}

impl Session {
    /// Waits until the screen shows what `fits`, and returns it.
    ///
    /// # Panics
    /// When it does not by the deadline; the screen is then saved as an artefact.
    pub async fn wait_for_picture(&self, what: &str, deadline: Duration, fits: impl Fn(&Picture) -> bool) -> Picture {
        let looked = crate::wait::try_eventually(format!("on the screen: {what}"), deadline, async || {
            Some(self.picture().await).filter(|picture| fits(picture))
        });
        match looked.await {
            Ok(picture) => picture,
            Err(missed) => {
                let name = format!("missed-{}", what.replace(|c: char| !c.is_alphanumeric(), "-"));
                self.screenshot(&name).await;
                panic!("{missed}\n  the screen is in `{name}.png` among the artefacts")
            }
        }
    }

    /// Waits for a visible window whose name matches the regular expression `name`, and returns its id.
    ///
    /// # Panics
    /// When there is none by the deadline.
    pub async fn wait_for_window(&self, name: &str, deadline: Duration) -> String {
        eventually(format!("a window named `{name}`"), deadline, async || self.windows(name).await.pop()).await
    }
}
