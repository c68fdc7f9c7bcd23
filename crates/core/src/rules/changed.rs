//! Changed: which fields say something else.

use crate::words::{Content, Field};

/// The fields that differ, to the letter; of a first text (`before` is `None`)
/// those that say something.
pub fn changed(before: Option<&Content>, after: &Content) -> Vec<Field> {
    let differs = |field: &Field| match (field, before) {
        (Field::Topic, Some(before)) => before.topic != after.topic,
        (Field::Title, Some(before)) => before.title != after.title,
        (Field::Body, Some(before)) => before.body != after.body,
        (Field::Tags, Some(before)) => before.tags != after.tags,
        (Field::Source, Some(before)) => before.source != after.source,
        (Field::FreshForDays, Some(before)) => before.fresh_for_days != after.fresh_for_days,
        (Field::Topic | Field::Body, None) => true,
        (Field::Title, None) => after.title.is_some(),
        (Field::Tags, None) => !after.tags.is_empty(),
        (Field::Source, None) => after.source.is_some(),
        (Field::FreshForDays, None) => after.fresh_for_days.is_some(),
    };
    Field::ALL.into_iter().filter(differs).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::resolve::take;
    use crate::words::Topic;
    use proptest::prelude::*;

    fn content() -> impl Strategy<Value = Content> {
        let some = |name: &'static str| {
            proptest::option::of((0..2u8).prop_map(move |it| format!("{name} {it}")))
        };
        (
            0..2u8,
            some("title"),
            0..2u8,
            0..2usize,
            some("source"),
            proptest::option::of(1..3u32),
        )
            .prop_map(
                |(topic, title, body, tags, source, fresh_for_days)| Content {
                    topic: Topic::from_stored(format!("topic-{topic}")),
                    title,
                    body: format!("Body {body}"),
                    tags: vec!["tag".into(); tags],
                    source,
                    fresh_for_days,
                },
            )
    }

    proptest! {
        #[test]
        fn what_changed_is_all_that_tells_the_new_from_the_old(old in content(), new in content()) {
            let mut built = old.clone();
            for field in changed(Some(&old), &new) {
                let before = built.clone();
                take(field, &new, &mut built);
                prop_assert_ne!(&before, &built);
            }
            prop_assert_eq!(built, new);
        }
    }
}
