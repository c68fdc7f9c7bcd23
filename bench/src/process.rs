//! The processes that are measured: `ozbrain mcp`, and the floor.

use std::error::Error;
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::corpus::Unit;

pub type Result<T> = std::result::Result<T, Box<dyn Error>>;

/// Where a contender keeps its data, and how it is started on it.
#[derive(Clone)]
pub enum Contender {
    Ozbrain {
        program: PathBuf,
        data: PathBuf,
    },
    Floor {
        program: PathBuf,
        file: PathBuf,
        synchronous: &'static str,
    },
}

impl Contender {
    pub fn name(&self) -> String {
        match self {
            Self::Ozbrain { .. } => "ozbrain".to_owned(),
            Self::Floor { synchronous, .. } => format!("floor {}", synchronous.to_uppercase()),
        }
    }

    /// What has to be there before the first write.
    pub fn prepare(&self) -> Result<()> {
        let Self::Ozbrain { program, data } = self else {
            return Ok(());
        };
        let done = Command::new(program)
            .args(["brain", "create", "team", "--shared"])
            .env("OZBRAIN_DATA_DIR", data)
            .stdout(Stdio::null())
            .status()?;
        if done.success() {
            Ok(())
        } else {
            Err("the brain `team` could not be made".into())
        }
    }

    pub fn start(&self, connection: &str) -> Result<Process> {
        let (mut command, mcp) = match self {
            Self::Ozbrain { program, data } => {
                let mut command = Command::new(program);
                command
                    .args(["mcp", "--connection", connection])
                    .env("OZBRAIN_DATA_DIR", data);
                (command, true)
            }
            Self::Floor {
                program,
                file,
                synchronous,
            } => {
                let mut command = Command::new(program);
                command.arg(file).arg(synchronous);
                (command, false)
            }
        };
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()?;
        let stdin = child.stdin.take().ok_or("standard input is piped")?;
        let stdout = BufReader::new(child.stdout.take().ok_or("standard output is piped")?);
        let mut process = Process {
            child,
            stdin,
            stdout,
            next: 1,
            mcp,
        };
        if mcp {
            process.exchange(
                "initialize",
                &json!({
                    "protocolVersion": "2025-11-25",
                    "capabilities": {},
                    "clientInfo": { "name": "bench", "version": "1.0.0" },
                }),
            )?;
            process.send(&json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }))?;
        }
        Ok(process)
    }

    /// The bytes on disk.
    pub fn size(&self) -> Result<u64> {
        let folder = match self {
            Self::Ozbrain { data, .. } => data.as_path(),
            Self::Floor { file, .. } => file.parent().unwrap_or(Path::new(".")),
        };
        let mut bytes = 0;
        for entry in fs::read_dir(folder)? {
            bytes += entry?.metadata()?.len();
        }
        Ok(bytes)
    }
}

pub struct Process {
    child: Child,
    stdin: ChildStdin,
    stdout: BufReader<ChildStdout>,
    next: u64,
    mcp: bool,
}

impl Process {
    fn send(&mut self, message: &Value) -> Result<()> {
        let mut line = message.to_string();
        line.push('\n');
        self.stdin.write_all(line.as_bytes())?;
        Ok(self.stdin.flush()?)
    }

    fn receive(&mut self) -> Result<String> {
        let mut line = String::new();
        loop {
            line.clear();
            if self.stdout.read_line(&mut line)? == 0 {
                return Err("the process has ended".into());
            }
            // Notices come between the answers.
            if !line.contains("\"method\"") || line.contains("\"result\"") {
                return Ok(line);
            }
        }
    }

    /// A request and its raw answer, with the time between them.
    fn exchange(&mut self, method: &str, params: &Value) -> Result<(Duration, String)> {
        let id = self.next;
        self.next += 1;
        let request = json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params });
        let began = Instant::now();
        self.send(&request)?;
        let answer = self.receive()?;
        Ok((began.elapsed(), answer))
    }

    fn request(&self, tool: &str, mut args: Value) -> (String, Value) {
        if !self.mcp {
            return (tool.to_owned(), args);
        }
        if let (Some(args), true) = (args.as_object_mut(), matches!(tool, "write")) {
            args.insert("brain".to_owned(), json!("team"));
        }
        (
            "tools/call".to_owned(),
            json!({ "name": tool, "arguments": args }),
        )
    }

    /// Calls a tool; the time that the answer took, and what it holds.
    pub fn call(&mut self, tool: &str, args: Value) -> Result<(Duration, Value)> {
        let (method, params) = self.request(tool, args);
        let (time, line) = self.exchange(&method, &params)?;
        Ok((time, self.open(&line)?))
    }

    fn open(&self, line: &str) -> Result<Value> {
        let mut answer: Value = serde_json::from_str(line)?;
        let mut result = answer["result"].take();
        if result.is_null() || result["isError"] == true {
            return Err(format!("refused: {line}").into());
        }
        Ok(if self.mcp {
            result["structuredContent"].take()
        } else {
            result
        })
    }

    pub fn write(&mut self, unit: &Unit) -> Result<(Duration, Value)> {
        self.call("write", unit_args(unit))
    }

    pub fn search(&mut self, query: &str) -> Result<(Duration, Value)> {
        let args = if self.mcp {
            json!({ "query": query, "limit": 20, "budget": 4_000 })
        } else {
            json!({ "query": query })
        };
        self.call("search", args)
    }

    pub fn brief(&mut self, query: &str) -> Result<(Duration, Value)> {
        self.call("brief", json!({ "query": query }))
    }

    pub fn fetch(&mut self, id: &Value) -> Result<(Duration, Value)> {
        self.call("fetch", json!({ "id": id }))
    }

    /// Writes many units with some requests under way at a time; their ids.
    pub fn fill(&mut self, units: &[Unit]) -> Result<Vec<Value>> {
        const UNDER_WAY: usize = 16;
        let first = self.next;
        let mut ids = vec![Value::Null; units.len()];
        let (mut sent, mut done) = (0, 0);
        while done < units.len() {
            while sent < units.len() && sent - done < UNDER_WAY {
                let (method, params) = self.request("write", unit_args(&units[sent]));
                let id = first + sent as u64;
                self.send(
                    &json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }),
                )?;
                sent += 1;
            }
            let line = self.receive()?;
            let answer: Value = serde_json::from_str(&line)?;
            let at = answer["id"].as_u64().ok_or("an answer has an id")? - first;
            ids[usize::try_from(at)?] = self.open(&line)?["id"].clone();
            done += 1;
        }
        self.next = first + sent as u64;
        Ok(ids)
    }

    /// Resident and proportional memory, in MiB.
    pub fn memory(&self) -> Result<(f64, f64)> {
        let rollup = fs::read_to_string(format!("/proc/{}/smaps_rollup", self.child.id()))?;
        let of = |name: &str| {
            let line = rollup.lines().find(|line| line.starts_with(name));
            let kib = line.and_then(|line| line.split_whitespace().nth(1)?.parse::<f64>().ok());
            kib.unwrap_or(f64::NAN) / 1024.0
        };
        Ok((of("Rss:"), of("Pss:")))
    }
}

fn unit_args(unit: &Unit) -> Value {
    json!({ "topic": unit.topic, "title": unit.title, "body": unit.body })
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
