//! The words and rules of OzBrain, its ports and its use cases.
//!
//! Nothing here does IO: time is passed in, storage is the [`ports::Store`]
//! port, and no engine, protocol or window is known. A use case is one
//! function in [`use_cases`]; every tool, route, command and screen calls it.

pub mod ports;
pub mod refusal;
pub mod rules;
pub mod shapes;
pub mod text;
pub mod use_cases;
pub mod views;
pub mod words;

pub use refusal::{Code, Refusal, Result};
