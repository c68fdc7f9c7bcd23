//! Messages that cannot be read: what their envelope tells, and the answer to
//! them. A text may be JSON by its grammar and still no message: half of a
//! surrogate pair, a number past every range, bytes that are no UTF-8, a value
//! nested too deep, more than is ever read.

use super::refused;
use ozbrain_core::{Code, Refusal};
use serde::de::IgnoredAny;
use serde_json::{Value, json};

/// The most bytes of an id or a method that are kept.
const KEPT: usize = 512;

/// What is told of a message whose values cannot be read.
pub(crate) const UNREADABLE: &str = "This message cannot be read: it holds half of a surrogate \
     pair, a number that no number type holds, bytes that are no UTF-8, or is nested too deep. \
     Send it without.";

/// What is told of something else than one message.
pub(crate) const ALONE: &str = "Send one JSON-RPC message: an object. Batches are not part of MCP.";

/// The outermost members of a message that matter for an answer, gathered as
/// its bytes pass by: a message of any length takes no more memory than these.
#[derive(Debug, Default)]
pub(crate) struct Envelope {
    began: Option<u8>,
    depth: usize,
    in_text: bool,
    escaped: bool,
    key: Vec<u8>,
    part: Vec<u8>,
    id: Option<Vec<u8>>,
    method: Option<Vec<u8>>,
    /// It has a `result` or an `error`: it is itself an answer.
    answers: bool,
}

impl Envelope {
    /// The envelope of a whole message.
    pub(crate) fn of(message: &[u8]) -> Self {
        let mut envelope = Self::default();
        envelope.feed(message);
        envelope
    }

    /// Takes the next bytes.
    pub(super) fn feed(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.next(byte);
        }
    }

    fn next(&mut self, byte: u8) {
        let outermost = self.depth == 1;
        if self.in_text {
            if outermost {
                self.keep(byte);
            }
            match byte {
                _ if self.escaped => self.escaped = false,
                b'\\' => self.escaped = true,
                b'"' => self.in_text = false,
                _ => {}
            }
            return;
        }
        if byte.is_ascii_whitespace() {
            return;
        }
        self.began.get_or_insert(byte);
        match byte {
            b'}' | b']' => {
                if outermost {
                    self.member_ends();
                }
                self.depth = self.depth.saturating_sub(1);
                return;
            }
            b':' if outermost => {
                self.key = std::mem::take(&mut self.part);
                return;
            }
            b',' if outermost => {
                self.member_ends();
                return;
            }
            b'{' | b'[' => self.depth += 1,
            b'"' => self.in_text = true,
            _ => {}
        }
        if outermost {
            self.keep(byte);
        }
    }

    /// A text that is cut lacks its closing quote, so it is read as nothing.
    fn keep(&mut self, byte: u8) {
        if self.part.len() < KEPT {
            self.part.push(byte);
        }
    }

    fn member_ends(&mut self) {
        let part = std::mem::take(&mut self.part);
        match self.key.as_slice() {
            br#""id""# => self.id = Some(part),
            br#""method""# => self.method = Some(part),
            br#""result""# | br#""error""# => self.answers = true,
            _ => {}
        }
        self.key.clear();
    }

    /// Its first byte.
    pub(super) fn began(&self) -> Option<u8> {
        self.began
    }

    /// The message's id; `null` where none can be read.
    pub(crate) fn id(&self) -> Value {
        let id = self.id.as_deref().and_then(|id| {
            let id: Value = serde_json::from_slice(id).ok()?;
            (id.is_string() || id.is_number()).then_some(id)
        });
        id.unwrap_or_default()
    }

    fn method(&self) -> Option<String> {
        serde_json::from_slice(self.method.as_deref()?).ok()
    }

    /// What stands for it where it answers a question of ours: an answer that
    /// cannot be read is none, and whoever waits for it must not go on waiting.
    pub(super) fn stands_for(&self) -> Option<Value> {
        let id = self.id();
        let answers = self.answers && self.method.is_none() && !id.is_null();
        answers.then(|| json!({"jsonrpc": "2.0", "id": id, "result": {"action": "cancel"}}))
    }

    /// What is answered to it, `why` it cannot be read; nothing where no
    /// request was made. A call of a tool gets a tool error, as for any
    /// argument that cannot be used.
    pub(super) fn answer(&self, why: &Refusal, modern: bool) -> Option<Value> {
        if self.began != Some(b'{') {
            return Some(rpc_error(&Value::Null, -32600, ALONE));
        }
        let method = self.method();
        let told = self.id.is_none() && method.is_some();
        if told || (method.is_none() && self.answers) {
            return None;
        }
        let id = self.id();
        if id.is_null() || method.as_deref() != Some("tools/call") {
            return Some(rpc_error(&id, -32600, &why.message));
        }
        Some(json!({"jsonrpc": "2.0", "id": id, "result": refusal_of(why, modern)}))
    }
}

/// A refusal as the result of a tool's call, for a client of its era.
pub(super) fn refusal_of(why: &Refusal, modern: bool) -> Value {
    let mut result = serde_json::to_value(refused(why)).unwrap_or_default();
    if let (false, Value::Object(result)) = (modern, &mut result) {
        result.remove("resultType");
    }
    result
}

/// An error of JSON-RPC.
pub(crate) fn rpc_error(id: &Value, code: i32, message: &str) -> Value {
    json!({"jsonrpc": "2.0", "id": id, "error": {"code": code, "message": message}})
}

/// Why a whole message cannot be read; `None` for what is no JSON at all, not
/// even where bytes that are no UTF-8 stand for some character.
pub(super) fn unreadable(message: &[u8]) -> Option<Refusal> {
    let text = String::from_utf8_lossy(message);
    serde_json::from_str::<IgnoredAny>(&text)
        .is_ok()
        .then(|| Refusal::invalid(UNREADABLE))
}

/// Why a message of more than `most` bytes is not read.
pub(super) fn too_long(most: usize) -> Refusal {
    Refusal::new(
        Code::TooLarge,
        format!(
            "This message is longer than {} MiB. Nothing was stored: send less.",
            most >> 20
        ),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answer(message: &[u8]) -> Option<Value> {
        Envelope::of(message).answer(&unreadable(message)?, false)
    }

    #[test]
    fn the_id_is_found_wherever_it_stands() {
        for message in [
            r#"{"id":7,"params":{"id":1,"x":"\"id\":2,}"},"method":"ping"}"#,
            r#"{"params":{"id":1,"x":["id",3,{"id":4}]},"method":"ping" , "id" : 7 }"#,
            r#"{"method":"ping","id":7,"params":{"x":"\ud800 \" ,\"id\":9"}}"#,
        ] {
            assert_eq!(Envelope::of(message.as_bytes()).id(), 7, "{message}");
        }
        let text = r#"{"id":"a,\"b","method":"ping"}"#;
        assert_eq!(Envelope::of(text.as_bytes()).id(), r#"a,"b"#);
        for none in [
            r#"{"id":"\ud800","method":"ping"}"#.to_owned(),
            r#"{"id":1e400,"method":"ping"}"#.to_owned(),
            r#"{"id":{"a":1},"method":"ping"}"#.to_owned(),
            r#"{"id":null,"method":"ping"}"#.to_owned(),
            format!(r#"{{"id":"{}"}}"#, "x".repeat(KEPT)),
        ] {
            assert_eq!(Envelope::of(none.as_bytes()).id(), Value::Null, "{none}");
        }
    }

    #[test]
    fn an_envelope_stays_small() {
        let mut envelope = Envelope::default();
        envelope.feed(br#"{"x":"#);
        for _ in 0..10_000 {
            envelope.feed(br#"["a",{"id":1},"#);
        }
        assert!(envelope.part.len() + envelope.key.len() <= 2 * KEPT);
    }

    #[test]
    fn a_request_is_answered_and_nothing_else() {
        let ping = answer(br#"{"jsonrpc":"2.0","id":"a","method":"ping","params":{"x":1e400}}"#);
        let ping = ping.unwrap();
        assert_eq!(ping["id"], "a");
        assert_eq!(ping["error"]["code"], -32600);
        let call =
            answer(b"{\"id\":3,\"method\":\"tools/call\",\"params\":{\"x\":\"\xff\"}}").unwrap();
        assert_eq!(call["id"], 3);
        assert_eq!(call["result"]["structuredContent"]["code"], "invalid");
        let batch = answer(b"[]").unwrap();
        assert_eq!(batch.get("id"), Some(&Value::Null));
        for nothing in [
            r#"{"method":"notifications/x","params":{"x":1e400}}"#,
            r#"{"id":4,"result":{"x":1e400}}"#,
            "{",
            "no",
        ] {
            assert_eq!(answer(nothing.as_bytes()), None, "{nothing}");
        }
    }
}
