use std::io::Write;
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::Duration;

use serde_json::{Value, json};

use crate::home::lines_of;

const PATIENCE: Duration = Duration::from_secs(60);

/// A tool's refusal, as an agent gets it.
#[derive(Debug)]
pub struct Refusal {
    pub code: String,
    pub message: String,
    pub text: String,
    pub data: Value,
}

/// An agent on a process of its own, over stdio, of the handshake era.
pub struct Agent {
    child: Child,
    stdin: Option<ChildStdin>,
    lines: Receiver<String>,
    next: u64,
    name: String,
}

impl Agent {
    /// Starts the process and shakes hands.
    pub fn start(command: Command, name: &str) -> Self {
        let mut agent = Self::spawn(command, name);
        agent.shake_hands();
        agent
    }

    /// Starts the process and says nothing yet.
    pub fn spawn(mut command: Command, name: &str) -> Self {
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::inherit())
            .spawn()
            .expect("the program can be started");
        let stdin = child.stdin.take();
        let lines = lines_of(child.stdout.take().expect("it is piped"));
        Self {
            child,
            stdin,
            lines,
            next: 1,
            name: name.to_owned(),
        }
    }

    pub fn shake_hands(&mut self) -> Value {
        let params = json!({
            "protocolVersion": "2025-11-25",
            "capabilities": {},
            "clientInfo": { "name": self.name, "version": "1.0.0" },
        });
        let result = self.request("initialize", params);
        let ready = json!({ "jsonrpc": "2.0", "method": "notifications/initialized" });
        self.send(format!("{ready}\n").as_bytes());
        result
    }

    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// Sends bytes as they are.
    pub fn send(&mut self, bytes: &[u8]) {
        let stdin = self.stdin.as_mut().expect("standard input is open");
        stdin
            .write_all(bytes)
            .and_then(|()| stdin.flush())
            .expect("the process reads");
    }

    /// The next message from the process.
    pub fn receive(&mut self) -> Value {
        let line = self
            .lines
            .recv_timeout(PATIENCE)
            .unwrap_or_else(|error| match error {
                RecvTimeoutError::Timeout => {
                    panic!("{} got no answer within {PATIENCE:?}", self.name)
                }
                RecvTimeoutError::Disconnected => panic!("{}'s process has ended", self.name),
            });
        serde_json::from_str(&line).unwrap_or_else(|_| panic!("a line is JSON: {line}"))
    }

    /// Sends a request and waits for its whole response.
    pub fn respond(&mut self, method: &str, params: Value) -> Value {
        let id = self.next;
        self.next += 1;
        let request = json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params });
        self.send(format!("{request}\n").as_bytes());
        loop {
            let message = self.receive();
            if message["id"] == id && message.get("method").is_none() {
                return message;
            }
        }
    }

    #[track_caller]
    pub fn request(&mut self, method: &str, params: Value) -> Value {
        let mut response = self.respond(method, params);
        assert!(response.get("result").is_some(), "{method}: {response}");
        response["result"].take()
    }

    fn tool(&mut self, tool: &str, args: Value) -> Value {
        self.request("tools/call", json!({ "name": tool, "arguments": args }))
    }

    /// Calls a tool that must do its work.
    #[track_caller]
    pub fn call(&mut self, tool: &str, args: Value) -> Value {
        let short: String = args.to_string().chars().take(300).collect();
        let mut result = self.tool(tool, args);
        assert_ne!(result["isError"], true, "{tool} {short}: {result}");
        result["structuredContent"].take()
    }

    /// Calls a tool that must refuse.
    #[track_caller]
    pub fn refusal(&mut self, tool: &str, args: Value) -> Refusal {
        let short: String = args.to_string().chars().take(300).collect();
        let mut result = self.tool(tool, args);
        assert_eq!(
            result["isError"], true,
            "{tool} {short} is refused: {result}"
        );
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        let refusal = Refusal {
            code: text(&result["structuredContent"]["code"]),
            message: text(&result["structuredContent"]["message"]),
            text: text(&result["content"][0]["text"]),
            data: result["structuredContent"].take(),
        };
        assert!(
            !refusal.code.is_empty() && refusal.message.len() > 10,
            "{tool}: {refusal:?}"
        );
        refusal
    }

    /// Ends it as a crash would.
    pub fn kill(mut self) {
        self.child.kill().expect("it runs");
        self.child.wait().expect("it ends");
    }

    /// Closes its standard input, as a client does, and waits for its end.
    pub fn close(mut self) -> ExitStatus {
        self.stdin.take();
        self.child.wait().expect("it ends")
    }
}

impl Drop for Agent {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
