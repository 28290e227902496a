//! The wire to OpenCode servers: event stream, dialects, discovery.
