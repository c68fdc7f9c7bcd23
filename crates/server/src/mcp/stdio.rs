//! The Model Context Protocol over standard input and output.

use super::Door;
use super::lines::{Input, Lines, Output};
use crate::app::App;
use ozbrain_core::words::ConnectionName;
use rmcp::model::{ClientJsonRpcMessage, ClientRequest, GetMeta, ProtocolVersion};
use rmcp::service::{RxJsonRpcMessage, ServerInitializeError, TxJsonRpcMessage};
use rmcp::transport::{Transport, stdio_pipes};
use rmcp::{RoleServer, ServiceExt};
use std::sync::Arc;

/// Serves one client over standard input and output until it closes them, and
/// lets running calls finish.
///
/// # Errors
/// A failure of the transport itself.
pub async fn serve_stdio(
    app: Arc<App>,
    connection: Option<ConnectionName>,
) -> Result<(), std::io::Error> {
    let (input, output) = streams();
    serve(app, connection, input, output).await
}

async fn serve(
    app: Arc<App>,
    connection: Option<ConnectionName>,
    input: Input,
    output: Output,
) -> Result<(), std::io::Error> {
    let served = Door::stdio(app, connection)
        .serve(Patient {
            lines: Lines::new(input, output),
            opened: false,
        })
        .await;
    match served {
        Ok(running) => running
            .waiting()
            .await
            .map(|_| ())
            .map_err(std::io::Error::other),
        // The client left before it said anything.
        Err(ServerInitializeError::ConnectionClosed(_)) => Ok(()),
        Err(error) => Err(std::io::Error::other(error)),
    }
}

/// Standard input and output. Clients connect them with pipes or sockets:
/// both are read without a thread in between, which every call would wait for.
fn streams() -> (Input, Output) {
    #[cfg(unix)]
    if let Some(streams) = sockets() {
        return streams;
    }
    let (input, output) = stdio_pipes();
    (Box::new(input), Box::new(output))
}

/// Standard input and output, if both are sockets: Node's programs start their
/// servers so.
#[cfg(unix)]
fn sockets() -> Option<(Input, Output)> {
    use std::fs::File;
    use std::os::fd::{AsFd, BorrowedFd};
    use std::os::unix::fs::FileTypeExt;
    use std::os::unix::net::UnixStream;

    fn socket(fd: BorrowedFd<'_>) -> Option<tokio::net::UnixStream> {
        let own = File::from(fd.try_clone_to_owned().ok()?);
        if !own.metadata().ok()?.file_type().is_socket() {
            return None;
        }
        let stream = UnixStream::from(std::os::fd::OwnedFd::from(own));
        stream.set_nonblocking(true).ok()?;
        tokio::net::UnixStream::from_std(stream).ok()
    }
    let input = socket(std::io::stdin().as_fd())?;
    let output = socket(std::io::stdout().as_fd())?;
    Some((Box::new(input), Box::new(output)))
}

/// Passes over what no client should send before its first request. rmcp ends
/// the process there; a client that starts clumsily is still a client.
struct Patient {
    lines: Lines,
    opened: bool,
}

impl Transport<RoleServer> for Patient {
    type Error = std::io::Error;

    fn send(
        &mut self,
        item: TxJsonRpcMessage<RoleServer>,
    ) -> impl Future<Output = Result<(), Self::Error>> + Send + 'static {
        self.lines.send(item)
    }

    async fn receive(&mut self) -> Option<RxJsonRpcMessage<RoleServer>> {
        loop {
            let message = self.lines.receive().await?;
            if self.opened {
                return Some(message);
            }
            let ClientJsonRpcMessage::Request(request) = &message else {
                tracing::debug!("passed over a message before the first request");
                continue;
            };
            (self.opened, self.lines.modern) = match &request.request {
                ClientRequest::InitializeRequest(_) => (true, false),
                ClientRequest::PingRequest(_) | ClientRequest::DiscoverRequest(_) => (false, false),
                other => {
                    let modern = other
                        .get_meta()
                        .missing_required_keys(&ProtocolVersion::V_2026_07_28)
                        .is_empty();
                    (modern, modern)
                }
            };
            return Some(message);
        }
    }

    fn close(&mut self) -> impl Future<Output = Result<(), Self::Error>> + Send {
        self.lines.close()
    }
}

#[cfg(test)]
mod tests;
