//! Native notifications.
