//! Messages over a stream, one a line.
//!
//! What comes is read with bounded memory, and every request in it is
//! answered, be it that it cannot be read.

use super::unread::{Envelope, too_long, unreadable};
use rmcp::RoleServer;
use rmcp::service::{RxJsonRpcMessage, TxJsonRpcMessage};
use rmcp::transport::Transport;
use serde::Serialize;
use std::io;
use std::pin::Pin;
use std::sync::Arc;
use tokio::io::{AsyncBufReadExt, AsyncRead, AsyncWrite, AsyncWriteExt, BufReader};
use tokio::sync::Mutex;

/// The longest line that is read, so that a text far past every limit is still
/// answered with its refusal. Of longer ones the envelope alone is read.
pub(super) const LINE: usize = 64 * 1024 * 1024;

/// Room for lines that is kept from one to the next.
const ROOM: usize = 1024 * 1024;

const MARK: &[u8] = b"\xef\xbb\xbf";

pub(super) type Input = Box<dyn AsyncRead + Send + Unpin>;
pub(super) type Output = Box<dyn AsyncWrite + Send + Unpin>;

type Sending = Pin<Box<dyn Future<Output = io::Result<()>> + Send>>;

/// One client's lines. Whatever is under way when a read is given up stays
/// here, so that the next read goes on with it.
pub(super) struct Lines {
    read: BufReader<Input>,
    line: Vec<u8>,
    /// The envelope of a line that is too long, until it ends.
    long: Option<Envelope>,
    write: Arc<Mutex<Option<Writer>>>,
    /// An answer of its own that is being sent.
    answering: Option<Sending>,
    /// Whether the client speaks the era of 2026-07-28.
    pub(super) modern: bool,
}

enum Line {
    Whole,
    TooLong(Envelope),
    End,
}

impl Lines {
    pub(super) fn new(input: Input, output: Output) -> Self {
        Self {
            read: BufReader::new(input),
            line: Vec::new(),
            long: None,
            write: Arc::new(Mutex::new(Some(Writer::new(output)))),
            answering: None,
            modern: false,
        }
    }

    /// Reads to the end of the line.
    async fn line(&mut self) -> io::Result<Line> {
        loop {
            let some = self.read.fill_buf().await?;
            if some.is_empty() {
                return Ok(Line::End);
            }
            let end = some.iter().position(|byte| *byte == b'\n');
            let part = some.get(..end.unwrap_or(some.len())).unwrap_or_default();
            if self.long.is_none() && self.line.len() + part.len() > LINE {
                let line = std::mem::take(&mut self.line);
                self.long = Some(Envelope::of(bare(&line)));
            }
            match &mut self.long {
                Some(envelope) => envelope.feed(part),
                None => self.line.extend_from_slice(part),
            }
            let taken = part.len() + usize::from(end.is_some());
            self.read.consume(taken);
            if end.is_some() {
                return Ok(self.long.take().map_or(Line::Whole, Line::TooLong));
            }
        }
    }

    /// The message of the line that was read; what is no JSON is passed over.
    fn message(&mut self) -> Option<RxJsonRpcMessage<RoleServer>> {
        let line = bare(&self.line);
        let message = match serde_json::from_slice(line) {
            Ok(message) => Some(message),
            Err(error) => {
                tracing::debug!("a line is no message: {:?}", error.classify());
                unreadable(line).and_then(|why| {
                    let envelope = Envelope::of(line);
                    let answer = envelope.answer(&why, self.modern);
                    self.answering = answer.map(|answer| sending(&self.write, answer));
                    serde_json::from_value(envelope.stands_for()?).ok()
                })
            }
        };
        self.line.clear();
        self.line.shrink_to(ROOM);
        message
    }
}

/// A line without what is no part of its message.
fn bare(line: &[u8]) -> &[u8] {
    line.strip_prefix(MARK).unwrap_or(line).trim_ascii()
}

impl Transport<RoleServer> for Lines {
    type Error = io::Error;

    fn send(
        &mut self,
        item: TxJsonRpcMessage<RoleServer>,
    ) -> impl Future<Output = io::Result<()>> + Send + 'static {
        sending(&self.write, item)
    }

    async fn receive(&mut self) -> Option<RxJsonRpcMessage<RoleServer>> {
        loop {
            if let Some(answering) = &mut self.answering {
                let answered = answering.await;
                self.answering = None;
                answered.ok()?;
            }
            let line = self.line().await.unwrap_or_else(|error| {
                tracing::error!("standard input cannot be read: {error}");
                Line::End
            });
            match line {
                Line::Whole => {
                    if let Some(message) = self.message() {
                        return Some(message);
                    }
                }
                Line::TooLong(envelope) => {
                    tracing::debug!("a line is too long");
                    let answer = matches!(envelope.began(), Some(b'{' | b'['))
                        .then(|| envelope.answer(&too_long(LINE), self.modern))
                        .flatten();
                    self.answering = answer.map(|answer| sending(&self.write, answer));
                }
                Line::End => return None,
            }
        }
    }

    async fn close(&mut self) -> io::Result<()> {
        drop(self.write.lock().await.take());
        Ok(())
    }
}

fn sending(write: &Arc<Mutex<Option<Writer>>>, item: impl Serialize + Send + 'static) -> Sending {
    let write = Arc::clone(write);
    Box::pin(async move {
        let line = serde_json::to_vec(&item)?;
        match &mut *write.lock().await {
            Some(writer) => writer.line(line).await,
            None => Err(io::ErrorKind::NotConnected.into()),
        }
    })
}

/// Writes whole lines: what a write that was given up left over goes first.
struct Writer {
    output: Output,
    left: Vec<u8>,
    sent: usize,
}

impl Writer {
    fn new(output: Output) -> Self {
        Self {
            output,
            left: Vec::new(),
            sent: 0,
        }
    }

    async fn line(&mut self, line: Vec<u8>) -> io::Result<()> {
        if self.left.is_empty() {
            self.left = line;
        } else {
            self.left.extend(line);
        }
        self.left.push(b'\n');
        while let Some(rest) = self.left.get(self.sent..).filter(|rest| !rest.is_empty()) {
            match self.output.write(rest).await? {
                0 => return Err(io::ErrorKind::WriteZero.into()),
                sent => self.sent += sent,
            }
        }
        self.left = Vec::new();
        self.sent = 0;
        self.output.flush().await
    }
}
