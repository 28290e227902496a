//! A message bus for one test.

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};

use tempfile::TempDir;

/// A `dbus-daemon` that nobody else knows of and that starts nothing by itself.
pub struct Bus {
    daemon: Child,
    pub address: String,
    _folder: TempDir,
}

impl Bus {
    pub fn start() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let complaints = folder.path().join("complaints");
        let config = folder.path().join("bus.conf");
        let text = format!(
            "<!DOCTYPE busconfig PUBLIC \"-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN\" \
             \"http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd\">\n\
             <busconfig><type>session</type><listen>unix:dir={}</listen><auth>EXTERNAL</auth>\
             <policy context=\"default\"><allow send_destination=\"*\" eavesdrop=\"true\"/>\
             <allow eavesdrop=\"true\"/><allow own=\"*\"/></policy></busconfig>\n",
            folder.path().display()
        );
        std::fs::write(&config, text).unwrap();
        let mut daemon = Command::new("dbus-daemon")
            .arg("--config-file")
            .arg(&config)
            .args(["--nofork", "--nopidfile", "--print-address=1"])
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(std::fs::File::create(&complaints).unwrap())
            .spawn()
            .expect("dbus-daemon, of Debian's package dbus");
        let mut address = String::new();
        BufReader::new(daemon.stdout.take().unwrap()).read_line(&mut address).unwrap();
        if address.trim().is_empty() {
            panic!("the bus did not start: {}", std::fs::read_to_string(&complaints).unwrap());
        }
        Self { daemon, address: address.trim().to_owned(), _folder: folder }
    }
}

impl Drop for Bus {
    fn drop(&mut self) {
        let _ = self.daemon.kill();
        let _ = self.daemon.wait();
    }
}
