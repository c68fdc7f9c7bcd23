use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::OnceLock;
use std::sync::mpsc::{self, Receiver};
use std::thread;
use std::time::Duration;

use serde_json::Value;
use tempfile::TempDir;

use crate::{Agent, Http};

/// The `ozbrain` under test: `OZBRAIN_BIN`, else what Cargo builds now.
pub fn program() -> &'static Path {
    static PROGRAM: OnceLock<PathBuf> = OnceLock::new();
    PROGRAM.get_or_init(|| match std::env::var_os("OZBRAIN_BIN") {
        Some(path) => path.into(),
        None => build(),
    })
}

fn build() -> PathBuf {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let built = Command::new(cargo)
        .args([
            "build",
            "--workspace",
            "--bin",
            "ozbrain",
            "--message-format=json",
        ])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .stderr(Stdio::inherit())
        .output()
        .expect("Cargo can be started");
    assert!(built.status.success(), "ozbrain could not be built");
    String::from_utf8(built.stdout)
        .expect("Cargo speaks UTF-8")
        .lines()
        .filter_map(|line| serde_json::from_str::<Value>(line).ok())
        .find(|message| message["target"]["name"] == "ozbrain" && message["executable"].is_string())
        .and_then(|message| message["executable"].as_str().map(PathBuf::from))
        .expect("Cargo names the program that it built")
}

/// A data folder of its own, deleted at the end.
pub struct Home {
    dir: TempDir,
    user: PathBuf,
    data: PathBuf,
}

/// Variables that lead out of a home folder.
const FOLDERS: [&str; 9] = [
    "APPIMAGE",
    "CLAUDE_CONFIG_DIR",
    "CLINE_DIR",
    "CODEX_HOME",
    "FLATPAK_XDG_CONFIG_HOME",
    "GEMINI_CLI_HOME",
    "GOOSE_PATH_ROOT",
    "XDG_CONFIG_HOME",
    "XDG_DATA_HOME",
];

impl Default for Home {
    fn default() -> Self {
        Self::new()
    }
}

impl Home {
    pub fn new() -> Self {
        let dir = tempfile::Builder::new()
            .prefix("ozbrain-journey-")
            .tempdir()
            .expect("a temporary folder can be made");
        let data = dir.path().join("data");
        let user = dir.path().join("user");
        std::fs::create_dir(&user).expect("a folder can be made");
        Self { dir, user, data }
    }

    /// A home with the shared brain `team`, which most journeys are about.
    pub fn with_team() -> Self {
        let home = Self::new();
        home.run(&["brain", "create", "team", "--shared"]).ok();
        home
    }

    /// A folder beside the data.
    pub fn dir(&self) -> &Path {
        self.dir.path()
    }

    /// The data folder; it is there once the program has run.
    pub fn data(&self) -> &Path {
        &self.data
    }

    /// The person's home folder, where clients keep their settings.
    pub fn user(&self) -> &Path {
        &self.user
    }

    /// The file that holds the brains.
    pub fn database(&self) -> PathBuf {
        self.data.join("ozbrain.db")
    }

    /// The program on this data folder, with nothing of the caller's settings.
    pub fn command(&self) -> Command {
        self.adopt(Command::new(program()))
    }

    /// Gives another command (a shell that starts the program) this data folder.
    pub fn adopt(&self, mut command: Command) -> Command {
        // Clients of whoever runs the tests are not looked at.
        for variable in FOLDERS {
            command.env_remove(variable);
        }
        command
            .env_remove("OZBRAIN_PORT")
            .env("HOME", self.user())
            .env("OZBRAIN_DATA_DIR", &self.data)
            .env("OZBRAIN", program());
        command
    }

    pub fn run(&self, args: &[&str]) -> Ran {
        let mut command = self.command();
        command.args(args);
        Ran::of(command)
    }

    pub fn key(&self, connection: &str) -> String {
        let json = self
            .run(&["connection", "create", connection, "--json"])
            .json();
        json["key"].as_str().expect("a key is printed").to_owned()
    }

    /// An agent on an `ozbrain mcp` of its own, past the handshake.
    pub fn agent(&self, connection: &str) -> Agent {
        let mut command = self.command();
        command.args(["mcp", "--connection", connection]);
        Agent::start(command, connection)
    }

    pub fn serve(&self) -> Server {
        self.serve_on(free_port())
    }

    pub fn serve_on(&self, port: u16) -> Server {
        let mut command = self.command();
        command.args(["serve", "--port", &port.to_string()]);
        Server::start(command)
    }

    /// As [`Self::serve_on`], with the port as the setting, not as an order.
    pub fn serve_near(&self, port: u16) -> Server {
        let mut command = self.command();
        command.arg("serve").env("OZBRAIN_PORT", port.to_string());
        Server::start(command)
    }
}

/// A port that is free at this moment.
fn free_port() -> u16 {
    let listener = TcpListener::bind(("127.0.0.1", 0)).expect("a port is free");
    listener.local_addr().expect("it has an address").port()
}

/// What a finished command left.
#[derive(Debug)]
pub struct Ran {
    pub code: Option<i32>,
    pub stdout: String,
    pub stderr: String,
    what: String,
}

impl Ran {
    pub fn of(command: Command) -> Self {
        Self::given(command, "")
    }

    /// Runs a command that reads this text.
    pub fn given(mut command: Command, input: &str) -> Self {
        let what = format!("{command:?}");
        let mut child = command
            .stdin(if input.is_empty() {
                Stdio::null()
            } else {
                Stdio::piped()
            })
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program can be started");
        if let Some(mut stdin) = child.stdin.take() {
            stdin
                .write_all(input.as_bytes())
                .expect("it takes its input");
        }
        let done = child.wait_with_output().expect("it ends");
        Self {
            code: done.status.code(),
            stdout: String::from_utf8(done.stdout).expect("standard output is UTF-8"),
            stderr: String::from_utf8_lossy(&done.stderr).into_owned(),
            what,
        }
    }

    #[track_caller]
    pub fn exits(self, code: i32) -> Self {
        assert_eq!(
            self.code,
            Some(code),
            "{}\n{}{}",
            self.what,
            self.stdout,
            self.stderr
        );
        self
    }

    #[track_caller]
    pub fn ok(self) -> Self {
        self.exits(0)
    }

    /// Refused: exit code 1, with a reason on standard error.
    #[track_caller]
    pub fn refused(self) -> String {
        let ran = self.exits(1);
        assert!(
            ran.stderr.trim().len() > 10,
            "{} gives a reason: {}",
            ran.what,
            ran.stderr
        );
        ran.stderr
    }

    #[track_caller]
    pub fn json(self) -> Value {
        let ran = self.ok();
        serde_json::from_str(&ran.stdout)
            .unwrap_or_else(|error| panic!("{} prints JSON: {error}\n{}", ran.what, ran.stdout))
    }
}

/// A running `ozbrain serve`.
pub struct Server {
    child: Child,
    pub port: u16,
    pub printed: String,
    lines: Receiver<String>,
}

impl Server {
    pub fn start(command: Command) -> Self {
        Self::start_with(command, Stdio::inherit())
    }

    /// As [`Self::start`], with what it logs in a file.
    pub fn start_with_log(command: Command, log: &Path) -> Self {
        let log = std::fs::File::create(log).expect("a file can be made");
        Self::start_with(command, log.into())
    }

    fn start_with(mut command: Command, log: Stdio) -> Self {
        let mut child = command
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(log)
            .spawn()
            .expect("the program can be started");
        let lines = lines_of(child.stdout.take().expect("it is piped"));
        let mut printed = String::new();
        let port = loop {
            let line = lines
                .recv_timeout(Duration::from_secs(60))
                .unwrap_or_else(|_| {
                    let _ = child.kill();
                    panic!("ozbrain serve told no address:\n{printed}")
                });
            printed.push_str(&line);
            printed.push('\n');
            if let Some(port) = port_in(&line) {
                break port;
            }
        };
        Self {
            child,
            port,
            printed,
            lines,
        }
    }

    pub fn http(&self) -> Http {
        Http::new(self.port)
    }

    /// The next line that it prints.
    pub fn line(&self) -> String {
        self.lines
            .recv_timeout(Duration::from_secs(60))
            .expect("it prints more")
    }

    pub fn pid(&self) -> u32 {
        self.child.id()
    }

    /// Ends it as a crash would.
    pub fn kill(mut self) {
        self.child.kill().expect("it runs");
        self.child.wait().expect("it ends");
    }

    /// Waits until it ends by itself; the exit code, and all that it printed.
    pub fn ended(mut self) -> (Option<i32>, String) {
        let status = self.child.wait().expect("it ends");
        let mut printed = std::mem::take(&mut self.printed);
        for line in self.lines.iter() {
            printed.push_str(&line);
            printed.push('\n');
        }
        (status.code(), printed)
    }

    pub fn alive(&mut self) -> bool {
        self.child.try_wait().expect("its state is known").is_none()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The port of `http://127.0.0.1:PORT/mcp` in a line.
pub(crate) fn port_in(line: &str) -> Option<u16> {
    let rest = line.split_once("http://127.0.0.1:")?.1;
    rest.split_once("/mcp")?.0.parse().ok()
}

/// The lines of a stream, read on a thread of their own until it ends.
pub(crate) fn lines_of(stream: impl Read + Send + 'static) -> Receiver<String> {
    let (send, lines) = mpsc::channel();
    thread::spawn(move || {
        for line in BufReader::new(stream).lines() {
            let Ok(line) = line else { break };
            if send.send(line).is_err() {
                break;
            }
        }
    });
    lines
}
