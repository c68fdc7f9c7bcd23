//! Topics as resources: `ozbrain://brain/topic`.

use super::{Door, protocol_error};
use crate::Result;
use ozbrain_core::Code;
use ozbrain_core::shapes::{BriefInput, BriefReply, TopicRow};
use ozbrain_core::use_cases;
use ozbrain_core::words::Topic;
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};
use rmcp::RoleServer;
use rmcp::model::{
    ErrorData, ListResourcesResult, ReadResourceResult, Resource, ResourceContents,
    ResourceTemplate,
};
use rmcp::service::RequestContext;
use std::fmt::Write;

const SCHEME: &str = "ozbrain://";
const MARKDOWN: &str = "text/markdown";

/// What a topic read as a resource may cost, in tokens: below what clients
/// cut off.
const BUDGET: u32 = 20_000;

/// How many topics one page of the list holds.
const PAGE: usize = 200;

/// What a path segment keeps unescaped.
const SEGMENT: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'-')
    .remove(b'_')
    .remove(b'.')
    .remove(b'~');

/// A topic in a brain.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Address {
    pub(super) brain: String,
    pub(super) topic: Topic,
}

impl Address {
    /// Its URI.
    pub(super) fn uri(&self) -> String {
        let mut uri = format!("{SCHEME}{}", self.brain);
        for segment in self.topic.segments() {
            // Writing to a String cannot fail.
            let _ = write!(uri, "/{}", utf8_percent_encode(segment, SEGMENT));
        }
        uri
    }
}

/// Reads a URI.
///
/// # Errors
/// Resource not found, for what is no topic's URI.
pub(super) fn parse(uri: &str) -> Result<Address, ErrorData> {
    let address = || {
        let (brain, path) = uri.strip_prefix(SCHEME)?.split_once('/')?;
        let path = percent_decode_str(path).decode_utf8().ok()?;
        Some(Address {
            brain: brain.to_owned(),
            topic: Topic::parse(&path).ok()?,
        })
    };
    address().ok_or_else(|| not_found(uri))
}

fn not_found(uri: &str) -> ErrorData {
    ErrorData::resource_not_found(
        "There is no such resource. A topic's URI is ozbrain://brain/topic.",
        Some(serde_json::json!({ "uri": uri })),
    )
}

/// The templates of all resources.
pub(super) fn templates() -> Vec<ResourceTemplate> {
    vec![
        ResourceTemplate::new("ozbrain://{brain}/{+topic}", "topic")
            .with_title("A topic")
            .with_description("The units of a topic, and of those below it")
            .with_mime_type(MARKDOWN),
    ]
}

impl Door {
    /// One page of the topics. A cursor is the URI that the last page ended with.
    pub(super) async fn resources(
        &self,
        cursor: Option<&str>,
        context: &RequestContext<RoleServer>,
    ) -> Result<ListResourcesResult, ErrorData> {
        let unknown = |_| {
            ErrorData::invalid_params(
                "The cursor is none of this list. List again without it, from the start.",
                None,
            )
        };
        let after = cursor.map(parse).transpose().map_err(unknown)?;
        let refused = |refusal| protocol_error(&refusal);
        let session = self.session_of(context).await.map_err(refused)?;
        let (rows, more) = self
            .app
            .read(&session, move |call| {
                let after = after.as_ref();
                let after = after.map(|after| (after.brain.as_str(), &after.topic));
                use_cases::topics_after(call, after, PAGE)
            })
            .await
            .map_err(refused)?;
        let resources: Vec<Resource> = rows.iter().map(resource).collect();
        let next = resources.last().filter(|_| more);
        let next = next.map(|resource| resource.uri.clone());
        let mut list = ListResourcesResult::with_all_items(resources);
        list.next_cursor = next;
        Ok(list)
    }

    pub(super) async fn resource(
        &self,
        uri: &str,
        context: &RequestContext<RoleServer>,
    ) -> Result<ReadResourceResult, ErrorData> {
        let address = parse(uri)?;
        let input = BriefInput {
            query: None,
            topic: Some(address.topic.as_str().to_owned()),
            brain: Some(address.brain.clone()),
            budget: Some(BUDGET),
        };
        let session = self
            .session_of(context)
            .await
            .map_err(|refusal| protocol_error(&refusal))?;
        let reply = self
            .app
            .read(&session, move |call| use_cases::brief(call, input))
            .await
            .map_err(|refusal| match refusal.code {
                Code::UnknownBrain => not_found(uri),
                _ => protocol_error(&refusal),
            })?;
        if reply.units.is_empty() && reply.pointers.is_empty() {
            return Err(not_found(uri));
        }
        let text = markdown(&address.topic, &reply);
        let contents = ResourceContents::text(text, uri).with_mime_type(MARKDOWN);
        Ok(ReadResourceResult::new(vec![contents]))
    }
}

fn resource(row: &TopicRow) -> Resource {
    let address = Address {
        brain: row.brain.as_str().to_owned(),
        topic: row.topic.clone(),
    };
    let mut about = match row.units {
        1 => "1 unit".to_owned(),
        units => format!("{units} units"),
    };
    for (count, what) in [
        (row.aging, "aging"),
        (row.stale, "stale"),
        (row.conflicted, "in conflict"),
    ] {
        if count > 0 {
            let _ = write!(about, ", {count} {what}");
        }
    }
    Resource::new(address.uri(), format!("{}/{}", row.brain, row.topic))
        .with_title(row.topic.as_str())
        .with_description(about)
        .with_mime_type(MARKDOWN)
}

/// Units as a Markdown text, with what was left out.
pub(super) fn markdown(topic: &Topic, reply: &BriefReply) -> String {
    let mut text = format!("# {topic}\n");
    for unit in &reply.units {
        let conflict = if unit.conflicted { ", in conflict" } else { "" };
        let _ = write!(
            text,
            "\n## {}\n\n{}\n\n_{} · {} · {} · revision {}, {}{conflict}_\n",
            unit.title,
            unit.text,
            unit.id,
            unit.brain,
            unit.topic,
            unit.revision,
            unit.freshness.as_str(),
        );
    }
    if !reply.pointers.is_empty() {
        text.push_str("\n## Not here in full (fetch by id)\n\n");
        for pointer in &reply.pointers {
            let _ = writeln!(
                text,
                "- {} ({}, {} tokens)",
                pointer.title, pointer.id, pointer.tokens
            );
        }
    }
    if reply.left_out.count > 0 {
        let _ = write!(
            text,
            "\n{} more were left out ({} tokens): search for them.\n",
            reply.left_out.count, reply.left_out.tokens
        );
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_reads_back() {
        for topic in ["clients/meridian", "café noir/50% & more?", "a/b:c/日本"] {
            let address = Address {
                brain: "team".into(),
                topic: Topic::parse(topic).unwrap(),
            };
            let uri = address.uri();
            assert!(uri.is_ascii(), "{uri}");
            assert_eq!(parse(&uri).unwrap(), address, "{uri}");
        }
        assert_eq!(
            parse("ozbrain://team/Clients/Caf%C3%A9%20Noir")
                .unwrap()
                .uri(),
            "ozbrain://team/clients/caf%C3%A9-noir"
        );
    }

    #[test]
    fn what_is_no_topic_is_not_found() {
        for uri in [
            "",
            "ozbrain://team",
            "ozbrain://team/",
            "http://team/a",
            "ozbrain://team/%FF",
            "ozbrain://team/%00",
        ] {
            assert!(parse(uri).is_err(), "{uri}");
        }
    }

    #[test]
    fn the_templates() {
        insta::assert_json_snapshot!(templates());
    }
}
