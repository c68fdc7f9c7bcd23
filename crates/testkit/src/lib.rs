//! Builders and fixtures for tests.

mod world;

pub use world::{Actor, World};
