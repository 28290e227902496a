//! Serves the demo on a given port of this machine, to be looked at with curl:
//!
//! ```text
//! cargo run -p gavel-stand-in --example serve -- 4096
//! curl -N http://127.0.0.1:4096/global/event
//! curl 'http://127.0.0.1:4096/permission?directory=/home/dev/web-shop'
//! ```

use gavel_stand_in::{Options, StandIn, demo};
use tokio_util::sync::CancellationToken;

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let port = std::env::args().nth(1).map(|port| port.parse()).transpose()?;
    let password = std::env::var("OPENCODE_SERVER_PASSWORD").ok();
    let stand_in = StandIn::start(Options { port, password, ..Options::default() }).await?;
    println!("opencode server listening on {}", stand_in.url());
    let stop = CancellationToken::new();
    tokio::select! {
        () = demo::play(&stand_in, stop.clone()) => {}
        ended = tokio::signal::ctrl_c() => ended?,
    }
    Ok(())
}
