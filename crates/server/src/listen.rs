//! Finding a port: the usual one, or the next where a stranger has it; and
//! finding the server of a store that runs already.

use crate::Result;
use crate::keys::{hex, random};
use ozbrain_core::ports::Identity;
use ozbrain_core::{Code, Refusal};
use serde::Deserialize;
use sha2::{Digest, Sha256};
use std::io::{ErrorKind, Read, Write};
use std::net::{Ipv4Addr, SocketAddr, TcpStream};
use std::time::Duration;
use tokio::io::AsyncReadExt;
use tokio::net::TcpListener;

/// The port where clients look first.
const PORT: u16 = 4747;

/// How many ports after it are tried when a stranger has it.
const NEXT: u16 = 50;

/// How long another server may take to say who it is.
const ANSWER: Duration = Duration::from_secs(2);

/// Which port to listen on.
#[derive(Debug, Clone, Copy)]
pub enum Wanted {
    /// This one, as someone asked for expressly.
    Only(u16),
    /// This one or, if a stranger has it, the next free one.
    From(u16),
}

/// Where clients look: `OZBRAIN_PORT`, else 4747.
///
/// # Errors
/// `invalid` if `OZBRAIN_PORT` is no port.
pub fn usual_port() -> Result<u16> {
    match std::env::var("OZBRAIN_PORT") {
        Ok(port) if !port.is_empty() => port
            .parse()
            .map_err(|_| Refusal::invalid(format!("OZBRAIN_PORT is no port: {port}"))),
        _ => Ok(PORT),
    }
}

/// What became of the search for a port.
#[derive(Debug)]
pub enum Listening {
    /// The port is ours.
    Here(TcpListener),
    /// Our own server of this store has the port.
    Already(u16),
}

/// Opens a port for the server of a store.
///
/// # Errors
/// `unavailable` if the port that was asked for cannot be opened.
pub async fn listen(wanted: Wanted, store: &Identity) -> Result<Listening> {
    let (Wanted::Only(first) | Wanted::From(first)) = wanted;
    let bind = async |port: u16| TcpListener::bind((Ipv4Addr::LOCALHOST, port)).await;
    let mut stranger = false;
    if let Wanted::From(_) = wanted {
        let of = store.clone();
        let asked = tokio::task::spawn_blocking(move || running(first, Some(&of))).await;
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
            )));
        }
    }
    // It may be our own, started meanwhile.
    if !stranger && answers(first, store).await {
        return Ok(Listening::Already(first));
    }
    if matches!(wanted, Wanted::Only(_)) {
        return Err(Refusal::new(
            Code::Unavailable,
            format!(
                "Port {first} is in use by another program. Name another with --port, or leave \
                 it out and the next free one is taken."
            ),
        ));
    }
    for port in range(first).skip(1) {
        if let Ok(listener) = bind(port).await {
            return Ok(Listening::Here(listener));
        }
    }
    let any = bind(0).await;
    any.map(Listening::Here)
        .map_err(|error| Refusal::unavailable(format!("No port can be opened: {error}.")))
}

/// The ports where a server may be that found the first one taken.
fn range(first: u16) -> std::ops::RangeInclusive<u16> {
    first..=first.saturating_add(NEXT)
}

/// Whether a server of a store runs.
#[derive(Debug)]
pub enum Running {
    /// It does, on this port.
    Ours(u16, Health),
    /// It does not.
    Not {
        /// Whether someone else has the first port.
        stranger: bool,
    },
}

/// Looks for the server of a store on each port of the range; without a store,
/// none is ours. Blocks for as long as a stranger may take to answer.
pub fn running(first: u16, store: Option<&Identity>) -> Running {
    // All are asked at once: a stranger may never answer.
    let asked: Vec<_> = range(first)
        .map(|port| {
            let store = store.cloned();
            (port, std::thread::spawn(move || ask(port, store.as_ref())))
        })
        .collect();
    let mut stranger = false;
    for (port, asked) in asked {
        match asked.join() {
            Ok(Answer::Ours(health)) => return Running::Ours(port, health),
            Ok(Answer::Stranger) if port == first => stranger = true,
            _ => {}
        }
    }
    Running::Not { stranger }
}

/// Whether the server of a store answers on a port.
pub async fn answers(port: u16, store: &Identity) -> bool {
    let store = store.clone();
    let asked = tokio::task::spawn_blocking(move || ask(port, Some(&store)));
    matches!(asked.await, Ok(Answer::Ours(_)))
}

/// What a server answers to a challenge, to prove that it reads the store: the
/// id is told to everyone on this computer, who could then pass for the server
/// and be sent agents' keys. It names the port where the server itself listens,
/// so that nobody can pass a challenge on.
pub(crate) fn proof(store: &Identity, challenge: &str, port: u16) -> String {
    let mut proof = Sha256::new();
    proof.update(b"the server of a store\0");
    proof.update(store.secret);
    proof.update(port.to_be_bytes());
    proof.update(challenge);
    hex(&proof.finalize())
}

/// What a server says of itself.
#[derive(Debug, Deserialize)]
pub struct Health {
    app: String,
    /// Its version.
    pub version: String,
    store: String,
    /// See [`proof`].
    #[serde(default)]
    proof: String,
}

/// Who listens on a port.
enum Answer {
    Nobody,
    /// Another program, a server of another store, or one that cannot store.
    Stranger,
    Ours(Health),
}

/// Asks who listens on a port.
fn ask(port: u16, store: Option<&Identity>) -> Answer {
    let address = SocketAddr::from((Ipv4Addr::LOCALHOST, port));
    let Ok(stream) = TcpStream::connect_timeout(&address, ANSWER) else {
        return Answer::Nobody;
    };
    let ours = store.and_then(|store| ours(stream, port, store));
    ours.map_or(Answer::Stranger, Answer::Ours)
}

/// What the server of this store says, if it is that.
fn ours(mut stream: TcpStream, port: u16, store: &Identity) -> Option<Health> {
    let challenge = hex(&random::<16>().ok()?);
    stream.set_read_timeout(Some(ANSWER)).ok()?;
    stream.set_write_timeout(Some(ANSWER)).ok()?;
    let request = format!(
        "GET /health?challenge={challenge} HTTP/1.0\r\nHost: 127.0.0.1:{port}\r\n\
         Connection: close\r\n\r\n"
    );
    stream.write_all(request.as_bytes()).ok()?;
    let mut answer = String::new();
    // A stranger may never stop talking.
    let _ = stream.take(16 * 1024).read_to_string(&mut answer);
    let (head, body) = answer.split_once("\r\n\r\n")?;
    let status = head.split(' ').nth(1)?;
    let health: Health = serde_json::from_str(body).ok()?;
    let ours = status == "200"
        && health.app == "ozbrain"
        && health.store == store.id
        && health.proof == proof(store, &challenge, port);
    ours.then_some(health)
}

/// Waits until the server on a port, which answers for this store, may have
/// ended: until a connection to it closes. A server closes one that is silent
/// too, so ask again with [`listen`].
pub async fn ended(port: u16) {
    let Ok(mut stream) = tokio::net::TcpStream::connect((Ipv4Addr::LOCALHOST, port)).await else {
        return;
    };
    // Nothing was asked, so nothing but its end comes.
    let _ = stream.read(&mut [0]).await;
}
