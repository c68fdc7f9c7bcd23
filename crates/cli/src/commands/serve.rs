//! `ozbrain serve`.

use super::{Signals, end};
use crate::home::Home;
use crate::output::{Failure, Output};
use ozbrain_core::ports::{Clients, Store};
use ozbrain_core::use_cases;
use ozbrain_core::{Code, Refusal};
use ozbrain_server::{App, http, now, sign_in_link};
use serde::Deserialize;
use serde_json::json;
use std::io::{ErrorKind, Read, Write};
use std::net::{Ipv4Addr, SocketAddr, TcpStream};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;
use tokio::net::TcpListener;

/// The port where clients look first.
const PORT: u16 = 4747;

/// Which port to listen on.
#[derive(Clone, Copy)]
enum Wanted {
    /// This one, as someone asked for expressly.
    Only(u16),
    /// This one or, if a stranger has it, the next free one.
    From(u16),
}

/// Where clients look: `OZBRAIN_PORT`, else 4747.
pub(crate) fn usual_port() -> Result<u16, Failure> {
    match std::env::var("OZBRAIN_PORT") {
        Ok(port) if !port.is_empty() => port
            .parse()
            .map_err(|_| Failure::Usage(format!("OZBRAIN_PORT is no port: {port}"))),
        _ => Ok(PORT),
    }
}

/// How many ports after it are tried when a stranger has it.
const NEXT: u16 = 50;

/// How long another server may take to say who it is.
const ANSWER: Duration = Duration::from_secs(2);

/// Serves agents over HTTP, and the person in a browser, until it is told to
/// stop. Where a server of this store runs already, it prints a fresh link to
/// that one.
pub(crate) fn run(home: Home, port: Option<u16>, output: &Output) -> Result<(), Failure> {
    let welcome = Welcome::of(&home);
    let port = match port {
        Some(port) => Wanted::Only(port),
        None => Wanted::From(usual_port()?),
    };
    let clients = super::connect::installed(&home);
    let app = home.app();
    app.knows_clients(clients.map(|clients| Arc::new(clients) as Arc<dyn Clients>));
    // A server that cannot store anything says so now, not to its first agent.
    let store = use_cases::health(&*app.store()?, now())?.id;
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()?;
    let served = runtime.block_on(serve(&app, port, &store, &welcome, output));
    end(runtime, &app);
    served
}

async fn serve(
    app: &Arc<App>,
    port: Wanted,
    store: &str,
    welcome: &Welcome,
    output: &Output,
) -> Result<(), Failure> {
    // Before anyone is told of the server: they may stop it at once.
    let signals = Signals::listen()?;
    let listener = match listen(port, store).await? {
        Listening::Here(listener) => listener,
        Listening::Already(port) => {
            let link = link(&*app.store()?, port)?;
            return welcome.print(port, &link, true, output);
        }
    };
    let port = listener.local_addr()?.port();
    let link = link(&*app.store()?, port)?;
    match welcome.print(port, &link, false, output) {
        // Nobody reads it: the server is wanted all the same.
        Ok(()) | Err(Failure::Unread) => {}
        Err(failure) => return Err(failure),
    }
    Ok(http::serve(Arc::clone(app), listener, stopped(signals)).await?)
}

/// A link that signs the person's browser in.
pub(crate) fn link(store: &dyn Store, port: u16) -> Result<String, Refusal> {
    sign_in_link(store, &format!("127.0.0.1:{port}"))
}

enum Listening {
    Here(TcpListener),
    /// Our own server of this store has the port.
    Already(u16),
}

async fn listen(wanted: Wanted, store: &str) -> Result<Listening, Failure> {
    let (Wanted::Only(first) | Wanted::From(first)) = wanted;
    let bind = async |port: u16| TcpListener::bind((Ipv4Addr::LOCALHOST, port)).await;
    let mut stranger = false;
    if let Wanted::From(_) = wanted {
        let of = store.to_owned();
        let asked = tokio::task::spawn_blocking(move || running(first, &of)).await;
        match asked {
            Ok(Running::Ours(port, _)) => return Ok(Listening::Already(port)),
            Ok(Running::Not { stranger: there }) => stranger = there,
            Err(_) => {}
        }
    }
    match bind(first).await {
        Ok(listener) => return Ok(Listening::Here(listener)),
        Err(error) if error.kind() == ErrorKind::AddrInUse => {}
        Err(error) => {
            return Err(Refusal::unavailable(format!(
                "Port {first} cannot be opened: {error}. Name another with --port."
            ))
            .into());
        }
    }
    // It may be our own, started meanwhile.
    if !stranger {
        let other = tokio::task::spawn_blocking(move || ask(first)).await;
        if matches!(other, Ok(Answer::Server(health)) if health.is_of(store)) {
            return Ok(Listening::Already(first));
        }
    }
    if matches!(wanted, Wanted::Only(_)) {
        return Err(Refusal::new(
            Code::Unavailable,
            format!(
                "Port {first} is in use by another program. Name another with --port, or leave \
                 it out and the next free one is taken."
            ),
        )
        .into());
    }
    for port in range(first).skip(1) {
        if let Ok(listener) = bind(port).await {
            return Ok(Listening::Here(listener));
        }
    }
    Ok(Listening::Here(bind(0).await?))
}

/// The ports where a server may be that found the first one taken.
fn range(first: u16) -> std::ops::RangeInclusive<u16> {
    first..=first.saturating_add(NEXT)
}

/// Whether a server of a store runs.
pub(crate) enum Running {
    /// It does, on this port.
    Ours(u16, Health),
    /// It does not; whether someone else has the first port.
    Not { stranger: bool },
}

/// Looks for the server of a store on each port of the range.
pub(crate) fn running(first: u16, store: &str) -> Running {
    // All are asked at once: a stranger may never answer.
    let asked: Vec<_> = range(first)
        .map(|port| (port, std::thread::spawn(move || ask(port))))
        .collect();
    let mut stranger = false;
    for (port, asked) in asked {
        match asked.join() {
            Ok(Answer::Server(health)) if health.is_of(store) => {
                return Running::Ours(port, health);
            }
            Ok(Answer::Server(_) | Answer::Stranger) if port == first => stranger = true,
            _ => {}
        }
    }
    Running::Not { stranger }
}

/// What a server says of itself.
#[derive(Debug, Deserialize)]
pub(crate) struct Health {
    app: String,
    pub(crate) version: String,
    store: String,
}

impl Health {
    /// Whether it is our server, of this store.
    pub(crate) fn is_of(&self, store: &str) -> bool {
        self.app == "ozbrain" && self.store == store
    }
}

/// Who listens on a port.
enum Answer {
    Nobody,
    /// Another program, or a server that cannot store.
    Stranger,
    Server(Health),
}

/// Asks who listens on a port.
fn ask(port: u16) -> Answer {
    let address = SocketAddr::from((Ipv4Addr::LOCALHOST, port));
    match TcpStream::connect_timeout(&address, ANSWER) {
        Ok(stream) => health(stream, port).map_or(Answer::Stranger, Answer::Server),
        Err(_) => Answer::Nobody,
    }
}

fn health(mut stream: TcpStream, port: u16) -> Option<Health> {
    stream.set_read_timeout(Some(ANSWER)).ok()?;
    stream.set_write_timeout(Some(ANSWER)).ok()?;
    let request =
        format!("GET /health HTTP/1.0\r\nHost: 127.0.0.1:{port}\r\nConnection: close\r\n\r\n");
    stream.write_all(request.as_bytes()).ok()?;
    let mut answer = String::new();
    // A stranger may never stop talking.
    let _ = stream.take(16 * 1024).read_to_string(&mut answer);
    let (head, body) = answer.split_once("\r\n\r\n")?;
    let status = head.split(' ').nth(1)?;
    serde_json::from_str(body).ok().filter(|_| status == "200")
}

/// What a person needs to connect an agent.
struct Welcome {
    program: PathBuf,
    dir: PathBuf,
    usual_dir: bool,
}

impl Welcome {
    fn of(home: &Home) -> Self {
        let absolute = |path: PathBuf| std::path::absolute(&path).unwrap_or(path);
        Self {
            program: std::env::current_exe().unwrap_or_else(|_| "ozbrain".into()),
            dir: absolute(home.dir().to_owned()),
            usual_dir: home.is_usual(),
        }
    }

    fn print(&self, port: u16, link: &str, already: bool, output: &Output) -> Result<(), Failure> {
        let url = format!("http://127.0.0.1:{port}/mcp");
        let mut arguments = ["mcp", "--connection", "cursor"]
            .map(str::to_owned)
            .to_vec();
        let mut command = quoted(&self.program.display().to_string());
        if !self.usual_dir {
            let dir = self.dir.display().to_string();
            command.push_str(&format!(" --data-dir {}", quoted(&dir)));
            arguments.extend(["--data-dir".to_owned(), dir]);
        }
        let stdio = json!({
            "mcpServers": {"ozbrain": {"command": self.program, "args": arguments}}
        });
        // As people expect to read it: the command first.
        let readable = format!(
            r#"{{"mcpServers": {{"ozbrain": {{"command": {}, "args": {}}}}}}}"#,
            stdio["mcpServers"]["ozbrain"]["command"], stdio["mcpServers"]["ozbrain"]["args"]
        );
        let said = json!({"mcp": url, "link": link, "running": already, "data_dir": self.dir, "stdio": stdio});
        let text = format!(
            "OzBrain {} at {url}\n\
             Its memory lies in {}\n\n\
             To see it, open this link in your browser. It works once, for two minutes; \
             starting again prints another:\n\n  \
             {link}\n\n\
             To connect an agent on this computer, add this to its MCP configuration, with a\n\
             name of its own for each:\n\n  \
             {readable}\n\n\
             To connect one over HTTP, make a key:\n\n  \
             {command} connection create \"My agent\"\n\n\
             and give the agent the address above with the header `Authorization: Bearer KEY`.\n\
             {}",
            if already {
                "is running already"
            } else {
                "listens"
            },
            self.dir.display(),
            if already { "" } else { "\nCtrl-C stops it." }
        );
        output.reply(&said, |_| text)
    }
}

/// A path as a shell takes it.
fn quoted(path: &str) -> String {
    if path.contains(char::is_whitespace) {
        format!("\"{path}\"")
    } else {
        path.to_owned()
    }
}

/// Waits until someone wants the server to stop. Whoever cannot wait asks
/// twice.
async fn stopped(mut signals: Signals) {
    signals.next().await;
    tokio::spawn(async move {
        signals.next().await;
        std::process::exit(130);
    });
}
