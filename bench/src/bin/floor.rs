//! The floor: what the hardware and SQLite's full-text index allow. A table, an
//! index, one transaction a write, the top row ids first and their rows after;
//! newline-delimited JSON-RPC over stdio, and nothing else: no rules, no
//! history, no access, no budget.
//!
//! `floor FILE full|normal`

use std::error::Error;
use std::io::{BufRead, Write};

use rusqlite::{Connection, params};
use serde_json::{Value, json};

const POINTERS: u32 = 20;

fn main() -> Result<(), Box<dyn Error>> {
    let mut args = std::env::args().skip(1);
    let (Some(file), Some(synchronous)) = (args.next(), args.next()) else {
        return Err("usage: floor FILE full|normal".into());
    };
    let mut floor = Floor::open(&file, &synchronous)?;
    let mut out = std::io::stdout().lock();
    for line in std::io::stdin().lock().lines() {
        let request: Value = serde_json::from_str(&line?)?;
        let result = floor.answer(&request)?;
        let response = json!({ "jsonrpc": "2.0", "id": request["id"], "result": result });
        writeln!(out, "{response}")?;
        out.flush()?;
    }
    Ok(())
}

struct Floor {
    db: Connection,
}

impl Floor {
    fn open(file: &str, synchronous: &str) -> rusqlite::Result<Self> {
        let db = Connection::open(file)?;
        db.busy_timeout(std::time::Duration::from_secs(30))?;
        db.pragma_update(None, "journal_mode", "wal")?;
        db.pragma_update(None, "synchronous", synchronous)?;
        db.execute_batch(
            "CREATE TABLE IF NOT EXISTS units (
                 id INTEGER PRIMARY KEY, topic TEXT NOT NULL, title TEXT NOT NULL, body TEXT NOT NULL
             );
             CREATE VIRTUAL TABLE IF NOT EXISTS words USING fts5(
                 title, topic, body, content = 'units', content_rowid = 'id', tokenize = 'porter unicode61'
             );",
        )?;
        Ok(Self { db })
    }

    fn answer(&mut self, request: &Value) -> rusqlite::Result<Value> {
        let params = &request["params"];
        let text = |name: &str| params[name].as_str().unwrap_or_default();
        match request["method"].as_str().unwrap_or_default() {
            "write" => self.write(text("topic"), text("title"), text("body")),
            "fetch" => self.fetch(params["id"].as_i64().unwrap_or_default()),
            "search" => Ok(json!({ "results": self.search(text("query"))? })),
            "brief" => self.brief(text("query")),
            _ => Ok(json!({})),
        }
    }

    fn write(&mut self, topic: &str, title: &str, body: &str) -> rusqlite::Result<Value> {
        let change = self
            .db
            .transaction_with_behavior(rusqlite::TransactionBehavior::Immediate)?;
        change
            .prepare_cached("INSERT INTO units (topic, title, body) VALUES (?1, ?2, ?3)")?
            .execute(params![topic, title, body])?;
        let id = change.last_insert_rowid();
        change
            .prepare_cached(
                "INSERT INTO words (rowid, title, topic, body) VALUES (?1, ?2, ?3, ?4)",
            )?
            .execute(params![id, title, topic, body])?;
        change.commit()?;
        Ok(json!({ "id": id }))
    }

    fn fetch(&self, id: i64) -> rusqlite::Result<Value> {
        self.db
            .prepare_cached("SELECT topic, title, body FROM units WHERE id = ?1")?
            .query_row([id], |row| {
                Ok(json!({
                    "id": id,
                    "topic": row.get::<_, String>(0)?,
                    "title": row.get::<_, String>(1)?,
                    "text": row.get::<_, String>(2)?,
                }))
            })
    }

    fn search(&self, query: &str) -> rusqlite::Result<Vec<Value>> {
        let words: Vec<_> = query
            .split_whitespace()
            .map(|word| format!("\"{}\"", word.replace('"', "")))
            .collect();
        let mut ranked = self.db.prepare_cached(
            "SELECT rowid, bm25(words) FROM words WHERE words MATCH ?1 ORDER BY bm25(words) LIMIT ?2",
        )?;
        let top = ranked
            .query_map(params![words.join(" OR "), POINTERS], |row| {
                Ok((row.get::<_, i64>(0)?, row.get::<_, f64>(1)?))
            })?
            .collect::<rusqlite::Result<Vec<_>>>()?;
        let mut unit = self
            .db
            .prepare_cached("SELECT topic, title, substr(body, 1, 160) FROM units WHERE id = ?1")?;
        top.into_iter()
            .map(|(id, score)| {
                unit.query_row([id], |row| {
                    Ok(json!({
                        "id": id,
                        "topic": row.get::<_, String>(0)?,
                        "title": row.get::<_, String>(1)?,
                        "snippet": row.get::<_, String>(2)?,
                        "score": score,
                    }))
                })
            })
            .collect()
    }

    /// Five whole units, and pointers to the rest.
    fn brief(&self, query: &str) -> rusqlite::Result<Value> {
        let mut found = self.search(query)?;
        let pointers = found.split_off(found.len().min(5));
        let units = found
            .iter()
            .map(|pointer| self.fetch(pointer["id"].as_i64().unwrap_or_default()))
            .collect::<rusqlite::Result<Vec<_>>>()?;
        Ok(json!({ "units": units, "pointers": pointers }))
    }
}
