//! The shapes that the screens read, as `/api` gives them.
//!
//! An absent optional field is left out. Tools have shapes of their own in
//! [`crate::shapes`]: what a person looks at has no token budget.

pub mod activity;
pub mod acts;
pub mod brains;
pub mod clients;
pub mod history;
pub mod inbox;
pub mod proposals;
pub mod settings;
pub mod units;

use crate::shapes::Moment;
use crate::words;
use schemars::JsonSchema;
use serde::Serialize;

/// Who acted.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Who {
    /// The connection; `you` for the person in the app.
    pub name: String,
    /// Whether it was the person in the app.
    pub you: bool,
    /// The client program with its version, such as `cursor-vscode 3.1`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub client: Option<String>,
}

impl From<&words::Agent> for Who {
    fn from(agent: &words::Agent) -> Self {
        Self {
            name: agent.connection.to_string(),
            you: agent.is_person(),
            client: agent.client.as_ref().map(|client| {
                let mut text = client.name.clone();
                if !client.version.is_empty() {
                    text.push(' ');
                    text.push_str(&client.version);
                }
                text
            }),
        }
    }
}

impl From<&words::ConnectionName> for Who {
    fn from(name: &words::ConnectionName) -> Self {
        Self {
            name: name.to_string(),
            you: *name == words::ConnectionName::you(),
            client: None,
        }
    }
}

/// What a revision says.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(rename = "Content")]
pub struct ContentView {
    /// The path it stands at.
    pub topic: words::Topic,
    /// Its title.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// Markdown.
    pub body: String,
    /// Labels, and words someone may ask with.
    pub tags: Vec<String>,
    /// Where to ask again.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
    /// Its own aging threshold, in days.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fresh_for_days: Option<u32>,
}

impl From<&words::Content> for ContentView {
    fn from(content: &words::Content) -> Self {
        Self {
            topic: content.topic.clone(),
            title: content.title.clone(),
            body: content.body.clone(),
            tags: content.tags.clone(),
            source: content.source.clone(),
            fresh_for_days: content.fresh_for_days,
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

impl From<words::Base> for BaseView {
    fn from(base: words::Base) -> Self {
        Self {
            revision: base.revision,
            at: Moment(base.delivered_at),
        }
    }
}

/// A moment, unless it never comes.
pub fn unless_never(moment: words::Timestamp) -> Option<Moment> {
    (moment != words::Timestamp::NEVER).then_some(Moment(moment))
}
