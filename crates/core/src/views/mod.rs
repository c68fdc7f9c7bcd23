//! The shapes of the screens: what the routes under `/api` take and give
//! beyond the tools' own shapes. Times are RFC 3339, UTC; what is absent is
//! left out.

pub mod proposals;

use crate::shapes::Moment;
use crate::words::{Agent, Base, Content};
use schemars::JsonSchema;
use serde::Serialize;

/// Who acted.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Who {
    /// The connection; `you` for the person in the app.
    pub name: String,
    /// Whether it was the person.
    pub you: bool,
    /// The client program and its version, where it said.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub client: Option<String>,
}

impl From<&Agent> for Who {
    fn from(agent: &Agent) -> Self {
        Self {
            name: agent.connection.to_string(),
            you: agent.is_person(),
            client: agent.client.as_ref().map(|client| {
                format!("{} {}", client.name, client.version)
                    .trim_end()
                    .to_owned()
            }),
        }
    }
}

/// What a unit says.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(rename = "Content")]
pub struct ContentView {
    /// Its topic.
    pub topic: String,
    /// Its title.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// Its text, Markdown.
    pub body: String,
    /// Its tags.
    pub tags: Vec<String>,
    /// Where to ask again.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
    /// Its own aging threshold, in days.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fresh_for_days: Option<u32>,
}

impl From<&Content> for ContentView {
    fn from(content: &Content) -> Self {
        let Content {
            topic,
            title,
            body,
            tags,
            source,
            fresh_for_days,
        } = content.clone();
        Self {
            topic: topic.to_string(),
            title,
            body,
            tags,
            source,
            fresh_for_days,
        }
    }
}

/// What a writer had seen when it wrote.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(rename = "Base")]
pub struct BaseView {
    /// The revision.
    pub revision: u32,
    /// When it was delivered to the writer.
    pub at: Moment,
}

impl From<Base> for BaseView {
    fn from(base: Base) -> Self {
        Self {
            revision: base.revision,
            at: Moment(base.delivered_at),
        }
    }
}
