//! `ozbrain:` links: each names a place in the window, and does nothing else.

use ozbrain_core::words::{BrainName, Topic, UnitId};
use serde_json::Value;
use tauri::Url;

/// The links' scheme; the page's own is another.
const SCHEME: &str = "ozbrain:";

/// The longest link that is read.
const LONGEST: usize = 2_048;

/// Whether a text says that it is one of these links.
pub(crate) fn is_link(text: &str) -> bool {
    text.get(..SCHEME.len())
        .is_some_and(|scheme| scheme.eq_ignore_ascii_case(SCHEME))
}

/// Where a link leads.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Link {
    /// The place in the window.
    pub(crate) place: String,
    /// The brain that it names: without it, the link leads nowhere.
    pub(crate) brain: Option<BrainName>,
}

/// The place that a link names: `ozbrain:ID`, `ozbrain:brain:topic` or
/// `ozbrain:brain:topic#title`, as units are addressed everywhere, or a
/// resource's address, `ozbrain://brain/topic`. `None` for anything else.
pub(crate) fn parse(link: &str) -> Option<Link> {
    if !is_link(link) || link.len() > LONGEST {
        return None;
    }
    let link = decoded(link.get(SCHEME.len()..)?)?;
    let (address, resource) = match link.strip_prefix("//") {
        Some(address) => (address.trim_end_matches('/'), true),
        None => (link.as_str(), false),
    };
    if let Some(id) = UnitId::parse(address) {
        return Some(Link {
            place: unit(&id),
            brain: None,
        });
    }
    let (brain, rest) = address.split_once(if resource { '/' } else { ':' })?;
    let brain = BrainName::parse(brain).ok()?;
    let (name, word) = match rest.split_once('#') {
        Some((topic, title)) => {
            let topic = Topic::parse(topic).ok()?;
            let title = title.trim();
            if title.is_empty() {
                return None;
            }
            ("unit", format!("{brain}:{topic}#{title}"))
        }
        None => ("topic", Topic::parse(rest).ok()?.to_string()),
    };
    Some(Link {
        place: address_of("/brains", &[("brain", brain.as_str()), (name, &word)]),
        brain: Some(brain),
    })
}

/// Where a conflict is settled.
pub(crate) fn conflict(id: &UnitId) -> String {
    format!("/conflict/{}", id.as_str())
}

/// Where a unit is read.
pub(crate) fn unit(id: &UnitId) -> String {
    address_of("/brains", &[("unit", id.as_str())])
}

/// A path with a query as the screens read it: words that read as JSON are
/// quoted.
fn address_of(path: &str, query: &[(&str, &str)]) -> String {
    let Ok(mut url) = Url::parse("oz://localhost") else {
        return path.to_owned();
    };
    url.set_path(path);
    for (name, word) in query {
        let text = if serde_json::from_str::<Value>(word).is_ok() {
            Value::from(*word).to_string()
        } else {
            (*word).to_owned()
        };
        url.query_pairs_mut().append_pair(name, &text);
    }
    format!("{}?{}", url.path(), url.query().unwrap_or_default())
}

/// Percent-decoding, once. `None` where that is no text, or hides a control
/// character or one that turns the direction of writing.
fn decoded(text: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        if byte == b'%' {
            let mut digit = || char::from(rest.next()?).to_digit(16);
            let (high, low) = (digit()?, digit()?);
            bytes.push(u8::try_from(high * 16 + low).ok()?);
        } else {
            bytes.push(byte);
        }
    }
    let text = String::from_utf8(bytes).ok()?;
    text.chars().all(crate::words::is_plain).then_some(text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn place(link: &str) -> Option<String> {
        parse(link).map(|link| link.place)
    }

    #[test]
    fn a_link_names_a_unit_a_topic_or_a_title() {
        let id = UnitId::from_bits(77);
        for (link, expected) in [
            (format!("ozbrain:{id}"), format!("/brains?unit={id}")),
            (
                format!("OZBRAIN:{}", id.as_str().to_lowercase()),
                format!("/brains?unit={id}"),
            ),
            (
                "ozbrain:team:projects/q3-launch".into(),
                "/brains?brain=team&topic=projects%2Fq3-launch".into(),
            ),
            (
                "ozbrain://team/projects/q3-launch".into(),
                "/brains?brain=team&topic=projects%2Fq3-launch".into(),
            ),
            (
                "ozbrain://team/projects/q3%2Dlaunch/".into(),
                "/brains?brain=team&topic=projects%2Fq3-launch".into(),
            ),
            (
                "ozbrain:team:offices#Opening%20hours".into(),
                "/brains?brain=team&unit=team%3Aoffices%23Opening+hours".into(),
            ),
            (
                "ozbrain:team:2026".into(),
                "/brains?brain=team&topic=%222026%22".into(),
            ),
        ] {
            assert_eq!(place(&link), Some(expected), "{link}");
        }
    }

    #[test]
    fn a_hostile_link_leads_nowhere() {
        for link in [
            "",
            "ozbrain:",
            "ozbrain://",
            "ozbrain:///",
            "ozbrain:team",
            "ozbrain:team:",
            "ozbrain:team:#x",
            "ozbrain:team:a#",
            "ozbrain:../../etc/passwd",
            "ozbrain:TEAM BRAIN:x",
            "ozbrain:team:a%00b",
            "ozbrain:team:a%0Ab",
            "ozbrain:team:a%E2%80%AEb",
            "ozbrain:team:a%zz",
            "ozbrain:team:a%C3%28",
            "ozbrain:javascript:alert(1)//\u{7}",
            "http://localhost/brains",
            "javascript:alert(1)",
            "file:///etc/passwd",
            "--hidden",
        ] {
            assert_eq!(place(link), None, "{link}");
        }
        assert_eq!(place(&format!("ozbrain:team:{}", "a".repeat(3_000))), None);
    }

    proptest! {
        #[test]
        fn whatever_a_link_says_it_only_names_a_place_of_the_brains_screen(rest in ".{0,80}") {
            if let Some(place) = place(&format!("ozbrain:{rest}")) {
                let url = Url::parse(&format!("oz://localhost{place}")).unwrap();
                prop_assert_eq!(url.host_str(), Some("localhost"));
                prop_assert_eq!(url.path(), "/brains");
                prop_assert_eq!(url.fragment(), None);
                for (name, _) in url.query_pairs() {
                    prop_assert!(["brain", "topic", "unit"].contains(&&*name));
                }
            }
        }

        #[test]
        fn every_topic_can_be_linked_to(topic in "[a-z0-9 /._ü-]{1,40}") {
            prop_assume!(Topic::parse(&topic).is_ok());
            let encoded: String = topic.bytes().map(|byte| format!("%{byte:02x}")).collect();
            let place = place(&format!("ozbrain:team:{encoded}")).unwrap();
            let url = Url::parse(&format!("oz://localhost{place}")).unwrap();
            let told = url.query_pairs().find(|(name, _)| name == "topic").unwrap().1.into_owned();
            let told = serde_json::from_str::<String>(&told).unwrap_or(told);
            prop_assert_eq!(told, Topic::parse(&topic).unwrap().to_string());
        }
    }
}
