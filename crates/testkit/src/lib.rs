//! Builders and fixtures for tests.

mod world;

use ozbrain_core::shapes::WriteInput;

pub use world::{Actor, World};

/// A write of a text at a topic and title; the brain is left to say.
pub fn titled(topic: &str, title: &str, body: &str) -> WriteInput {
    WriteInput {
        topic: Some(topic.into()),
        title: Some(title.into()),
        body: Some(body.into()),
        ..WriteInput::default()
    }
}
