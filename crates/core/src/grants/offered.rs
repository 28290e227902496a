//! What may be allowed with a request.

use crate::Ask;
use crate::display::is_deceptive_text;
use crate::modes::covers;
use crate::rules::Saved;

/// Whether `pattern` may be allowed with `ask`: it is one that the server proposed, or certainly matches no more than
/// one of these does.
///
/// What the user has changed must be seen to be what it is: a pattern with hidden characters is taken only as proposed.
#[must_use]
pub fn is_offered(ask: &Ask, pattern: &Saved) -> bool {
    if pattern.action != ask.action {
        return false;
    }
    let is_narrower = || {
        let resource = pattern.resource.as_str();
        !resource.trim().is_empty()
            && !is_deceptive_text(resource)
            && ask.save.iter().any(|proposed| covers(proposed, resource))
    };
    ask.save.contains(&pattern.resource) || is_narrower()
}
