use std::io::{BufRead, BufReader, Write};
use std::net::TcpStream;
use std::time::Duration;

use serde_json::Value;

use crate::Server;

/// Reads a stream of events, line by line.
pub struct Events(BufReader<TcpStream>);

impl Events {
    /// Opens the stream of a tab, from `last` on.
    pub fn open(server: &Server, bearer: &str, last: Option<u64>) -> Self {
        let mut stream =
            TcpStream::connect(("127.0.0.1", server.port)).expect("the server listens");
        stream
            .set_read_timeout(Some(Duration::from_secs(20)))
            .expect("a limit can be set");
        let port = server.port;
        let last = last.map_or(String::new(), |last| format!("Last-Event-ID: {last}\r\n"));
        let request = format!(
            "GET /api/events HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\
             Authorization: Bearer {bearer}\r\n{last}\r\n"
        );
        stream
            .write_all(request.as_bytes())
            .expect("the server reads");
        let mut events = Self(BufReader::new(stream));
        let first = events.line().expect("an answer");
        assert!(first.contains("200"), "{first}");
        while events.line().expect("its headers") != "\r\n" {}
        events
    }

    /// `None` once the stream has ended.
    fn line(&mut self) -> Option<String> {
        let mut line = String::new();
        let read = self.0.read_line(&mut line).expect("something is told");
        (read > 0).then_some(line)
    }

    /// The data of the next event.
    pub fn next_event(&mut self) -> Option<Value> {
        loop {
            let line = self.line()?;
            if let Some(data) = line.strip_prefix("data: ") {
                return Some(serde_json::from_str(data).expect("it is JSON"));
            }
        }
    }

    /// The next event about a topic.
    pub fn about(&mut self, topic: &str) -> Value {
        self.until(|event| event["topic"] == topic)
    }

    /// The next event of a kind.
    pub fn kind(&mut self, kind: &str) -> Value {
        self.until(|event| event["kind"] == kind)
    }

    fn until(&mut self, is: impl Fn(&Value) -> bool) -> Value {
        loop {
            let event = self.next_event().expect("the stream goes on");
            if is(&event) {
                return event;
            }
        }
    }
}
