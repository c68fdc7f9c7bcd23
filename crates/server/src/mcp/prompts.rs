//! Prompts: a person picks one, and the agent gets the material with it.

use super::{Door, protocol_error, resources};
use ozbrain_core::shapes::{BriefInput, Need, Pointer, SearchInput, SearchReply};
use ozbrain_core::use_cases;
use ozbrain_core::words::Topic;
use rmcp::RoleServer;
use rmcp::model::{
    ErrorData, GetPromptRequestParams, GetPromptResult, Prompt, PromptArgument, PromptMessage, Role,
};
use rmcp::service::RequestContext;
use std::fmt::Write;

const BRIEF_ME: &str = "brief_me";
const WHAT_NEEDS_ME: &str = "what_needs_me";

/// What a prompt's material may cost, in tokens.
const BUDGET: u32 = 6_000;

/// The prompts.
pub(super) fn prompts() -> Vec<Prompt> {
    let topic = PromptArgument::new("topic")
        .with_title("Topic")
        .with_description("A topic path such as clients/meridian")
        .with_required(true);
    vec![
        Prompt::new(
            BRIEF_ME,
            Some("What the memory holds on a topic, and how far it can be trusted"),
            Some(vec![topic]),
        )
        .with_title("Brief me on a topic"),
        Prompt::new(
            WHAT_NEEDS_ME,
            Some("Conflicts to settle and aging facts to confirm, one by one"),
            None,
        )
        .with_title("Walk me through what needs me"),
    ]
}

impl Door {
    pub(super) async fn prompt(
        &self,
        request: GetPromptRequestParams,
        context: &RequestContext<RoleServer>,
    ) -> Result<GetPromptResult, ErrorData> {
        match request.name.as_str() {
            BRIEF_ME => {
                let topic = request
                    .arguments
                    .as_ref()
                    .and_then(|arguments| arguments.get("topic"))
                    .and_then(|topic| topic.as_str())
                    .ok_or_else(|| {
                        ErrorData::invalid_params("brief_me needs the argument `topic`.", None)
                    })?;
                self.brief_me(topic, context).await
            }
            WHAT_NEEDS_ME => self.what_needs_me(context).await,
            name => Err(ErrorData::invalid_params(
                format!("There is no prompt `{name}`."),
                None,
            )),
        }
    }

    async fn brief_me(
        &self,
        topic: &str,
        context: &RequestContext<RoleServer>,
    ) -> Result<GetPromptResult, ErrorData> {
        let topic = Topic::parse(topic).map_err(|refusal| protocol_error(&refusal))?;
        let session = self
            .session_of(context)
            .await
            .map_err(|refusal| protocol_error(&refusal))?;
        let brief = BriefInput {
            topic: Some(topic.as_str().to_owned()),
            budget: Some(BUDGET),
            ..BriefInput::default()
        };
        let search = SearchInput {
            topic: Some(topic.as_str().to_owned()),
            ..SearchInput::default()
        };
        let (brief, search) = self
            .app
            .read(&session, move |call| {
                Ok((
                    use_cases::brief(call, brief)?,
                    use_cases::search(call, search)?,
                ))
            })
            .await
            .map_err(|refusal| protocol_error(&refusal))?;
        let text = if brief.units.is_empty() && brief.pointers.is_empty() {
            nothing(&topic, &search)
        } else {
            format!(
                "Brief me on {topic}, from what our shared memory holds below. Begin with what \
                 matters most. Say which facts are aging, stale or in conflict, and ask me about \
                 those. Do not add what is not there.\n\n{}",
                resources::markdown(&topic, &brief)
            )
        };
        Ok(said(format!("Brief on {topic}"), text))
    }

    async fn what_needs_me(
        &self,
        context: &RequestContext<RoleServer>,
    ) -> Result<GetPromptResult, ErrorData> {
        let session = self
            .session_of(context)
            .await
            .map_err(|refusal| protocol_error(&refusal))?;
        let found = self
            .app
            .read(&session, |call| {
                [Need::Conflicted, Need::Stale, Need::Aging]
                    .map(|need| {
                        let input = SearchInput {
                            needs: Some(need),
                            limit: Some(20),
                            budget: Some(BUDGET / 3),
                            ..SearchInput::default()
                        };
                        use_cases::search(call, input)
                    })
                    .into_iter()
                    .collect::<ozbrain_core::Result<Vec<_>>>()
            })
            .await
            .map_err(|refusal| protocol_error(&refusal))?;
        Ok(said("What needs you".into(), needs(&found)))
    }
}

fn said(description: String, text: String) -> GetPromptResult {
    GetPromptResult::new(vec![PromptMessage::new_text(Role::User, text)])
        .with_description(description)
}

fn nothing(topic: &Topic, search: &SearchReply) -> String {
    let mut text = format!(
        "I asked for a brief on {topic}, but our shared memory holds nothing under that topic."
    );
    let nearest = search.nearest_topics.as_deref().unwrap_or_default();
    if !nearest.is_empty() {
        text.push_str(" Ask me whether I meant one of these:\n");
        for address in nearest {
            let _ = write!(text, "\n- {} (in {})", address.topic, address.brain);
        }
    }
    text
}

fn needs(found: &[SearchReply]) -> String {
    if found.iter().all(|reply| reply.results.is_empty()) {
        return "I asked what in our shared memory needs me. Nothing does: no conflict is open, \
                and no fact is aging or stale. Tell me so."
            .into();
    }
    let mut text = String::from(
        "Walk me through what in our shared memory needs me, one at a time. For a conflict, fetch \
         the unit, show me the sides and who wrote them, and resolve it as I decide, with my \
         words quoted. For an aging or stale fact, fetch it, ask me whether it still holds, and \
         confirm it with my verdict. Never decide for me.\n",
    );
    let headings = ["Conflicts", "Stale facts", "Aging facts"];
    for (heading, reply) in headings.iter().zip(found) {
        if reply.results.is_empty() {
            continue;
        }
        let _ = write!(text, "\n## {heading}\n\n");
        for pointer in &reply.results {
            line(&mut text, pointer);
        }
        if reply.left_out.count > 0 {
            let _ = writeln!(text, "- and {} more", reply.left_out.count);
        }
    }
    text
}

fn line(text: &mut String, pointer: &Pointer) {
    let snippet = pointer.snippet.as_deref().unwrap_or_default();
    let _ = writeln!(
        text,
        "- {} ({}, {} · {}, revision {}): {}",
        pointer.title,
        pointer.id,
        pointer.brain,
        pointer.topic,
        pointer.revision,
        snippet.replace('\n', " "),
    );
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_of_prompts() {
        insta::assert_json_snapshot!(prompts());
    }
}
