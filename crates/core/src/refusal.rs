//! Refusals: what every use case answers when it cannot do what was asked.

use crate::shapes::Pointer;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::fmt;

/// The result of a use case.
pub type Result<T> = std::result::Result<T, Refusal>;

/// The stable code that clients match.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Code {
    /// No brain of this name exists for the caller.
    UnknownBrain,
    /// No unit of this id or address exists for the caller.
    UnknownUnit,
    /// The caller's grant, or the person, does not allow it.
    NotAllowed,
    /// The address names several units, or one that is taken.
    Ambiguous,
    /// An argument is missing or wrong.
    Invalid,
    /// A limit of the contract is passed.
    TooLarge,
    /// The unit is in conflict: resolve it first.
    Conflicted,
    /// Other writers hold the store; trying again helps.
    Busy,
    /// The store cannot serve: the message says why and what to do.
    Unavailable,
}

impl Code {
    /// The code as clients read it, such as `unknown_brain`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::UnknownBrain => "unknown_brain",
            Self::UnknownUnit => "unknown_unit",
            Self::NotAllowed => "not_allowed",
            Self::Ambiguous => "ambiguous",
            Self::Invalid => "invalid",
            Self::TooLarge => "too_large",
            Self::Conflicted => "conflicted",
            Self::Busy => "busy",
            Self::Unavailable => "unavailable",
        }
    }
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// A refusal: a code, what happened and what to do, and for `ambiguous` the
/// units that were meant.
#[derive(Debug, Clone, PartialEq, thiserror::Error, Serialize, JsonSchema)]
#[error("{message}")]
pub struct Refusal {
    /// The code that clients match.
    pub code: Code,
    /// What happened and what to do, for a person or an agent to read.
    pub message: String,
    /// With `ambiguous`: the units that the address may mean.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub pointers: Vec<Pointer>,
}

impl Refusal {
    /// A refusal without pointers.
    pub fn new(code: Code, message: impl Into<String>) -> Self {
        Self {
            code,
            message: message.into(),
            pointers: Vec::new(),
        }
    }

    /// An argument is missing or wrong.
    pub fn invalid(message: impl Into<String>) -> Self {
        Self::new(Code::Invalid, message)
    }

    /// A limit of the contract is passed.
    pub fn too_large(message: impl Into<String>) -> Self {
        Self::new(Code::TooLarge, message)
    }

    /// The store cannot serve.
    pub fn unavailable(message: impl Into<String>) -> Self {
        Self::new(Code::Unavailable, message)
    }

    /// No such brain for this caller.
    pub fn unknown_brain(name: &str) -> Self {
        Self::new(
            Code::UnknownBrain,
            format!(
                "There is no brain `{}`. Call `brains` to see which there are.",
                brief(name)
            ),
        )
    }

    /// No such unit for this caller.
    pub fn unknown_unit(address: &str) -> Self {
        Self::new(
            Code::UnknownUnit,
            format!(
                "There is no unit `{}`. Call `search` to find it.",
                brief(address)
            ),
        )
    }

    /// The address means several units.
    pub fn ambiguous(message: impl Into<String>, pointers: Vec<Pointer>) -> Self {
        Self {
            code: Code::Ambiguous,
            message: message.into(),
            pointers,
        }
    }
}

/// What a caller passed, short enough to repeat in a message.
fn brief(text: &str) -> String {
    let mut short: String = text
        .chars()
        .map(|c| if c.is_control() { ' ' } else { c })
        .take(80)
        .collect();
    if text.chars().nth(80).is_some() {
        short.push('…');
    }
    short
}
