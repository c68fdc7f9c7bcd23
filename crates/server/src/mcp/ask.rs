//! Asking the person through the client: `confirm` without a verdict, and
//! `resolve`.
//!
//! In the handshake era the server sends the client a question and waits. In
//! the era of 2026-07-28 it answers the call with the question, and the client
//! calls again with the person's answer and a sealed note of what was asked.

use super::{Door, Failure, arguments, canonical, modern, replied, tools::ToolName};
use crate::Result;
use crate::app::App;
use crate::keys;
use ozbrain_core::Refusal;
use ozbrain_core::shapes::{ConfirmInput, ConfirmOutcome, ConfirmReply, ResolveInput, Verdict};
use ozbrain_core::use_cases::{self, ConfirmQuestion};
use ozbrain_core::words::{EventId, Session};
use rmcp::RoleServer;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, ElicitRequest, ElicitRequestParams, ElicitResult,
    ElicitationAction, ElicitationSchema, ErrorData, InputRequest, InputRequests,
    InputRequiredResult, RequestStateCodec, SealOptions,
};
use rmcp::service::{RequestContext, ServiceError};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// How long a question stays open.
const OPEN_FOR: Duration = Duration::from_secs(10 * 60);

/// The name of the question within a call.
const QUESTION: &str = "person";

/// What the person did with a question.
enum Answer {
    /// They answered it.
    Given(Value),
    /// They closed it.
    Closed,
}

/// How asking went.
enum Asked {
    Answered(Answer),
    /// The client carries the question and calls again.
    Carried(InputRequiredResult),
    /// The client could not ask.
    Unable,
    /// The question was put, and nobody answered.
    Unanswered,
}

/// A question of a call.
struct Question {
    message: String,
    form: Value,
    /// What it is about, sealed for the client to carry.
    about: About,
}

/// What a question is about.
#[derive(Clone, Serialize, Deserialize)]
struct About {
    unit: String,
    revision: u32,
}

/// What a client carries of a question, sealed.
#[derive(Serialize, Deserialize)]
struct Sealed {
    about: About,
    /// The newest event about the unit: once more has happened, the question
    /// is another one.
    event: EventId,
    /// Random: by it an answer is told from the same answer sent again.
    number: String,
}

/// The questions that were answered of late. One answer is one decision: what
/// the person declined must not be accepted later with the same seal.
#[derive(Default)]
pub(crate) struct Answered(Mutex<HashMap<String, Instant>>);

impl Answered {
    /// Notes an answer. False if the question was answered before.
    fn first(&self, number: &str) -> bool {
        let mut answered = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        // Older seals do not open any more.
        answered.retain(|_, at| at.elapsed() <= OPEN_FOR);
        answered.insert(number.to_owned(), Instant::now()).is_none()
    }

    /// The answer could not be acted on: it may come again.
    fn forget(&self, number: &str) {
        let mut answered = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        answered.remove(number);
    }
}

impl Door {
    pub(super) async fn confirm(
        &self,
        session: &Arc<Session>,
        request: &mut CallToolRequestParams,
        context: &RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, Failure> {
        let carried = Carried::take(ToolName::Confirm, session, request);
        let input: ConfirmInput = arguments::read(ToolName::Confirm, request.arguments.take())?;
        if input.verdict.is_some() || !can_ask(context) {
            return Ok(self.write(session, input, use_cases::confirm).await?.into());
        }
        if let Some((sealed, answer)) = carried.open(&self.app, session).await? {
            let done = self.answered(session, sealed.about, answer).await;
            if done.is_err() {
                self.app.answered.forget(&sealed.number);
            }
            return done;
        }
        let id = input.id.clone();
        let ConfirmQuestion {
            id: unit,
            revision,
            question,
        } = self
            .app
            .read(session, move |call| use_cases::confirm_question(call, &id))
            .await?;
        let about = About {
            unit: unit.to_string(),
            revision,
        };
        let question = Question {
            message: question,
            form: confirm_form(),
            about: about.clone(),
        };
        match self.ask(question, &carried, session, context).await? {
            Asked::Answered(answer) => self.answered(session, about, answer).await,
            Asked::Carried(question) => Ok(question.into()),
            Asked::Unable | Asked::Unanswered => {
                Ok(self.write(session, input, use_cases::confirm).await?.into())
            }
        }
    }

    /// Does what the person answered to the question of a confirm.
    async fn answered(
        &self,
        session: &Arc<Session>,
        about: About,
        answer: Answer,
    ) -> Result<CallToolResponse, Failure> {
        let About { unit, revision } = about;
        let Answer::Given(given) = answer else {
            let declined = self
                .write(session, unit, |call, unit| {
                    use_cases::confirm_declined(call, &unit)
                })
                .await?;
            return Ok(declined.into());
        };
        let new_text = given["new_text"].as_str().map(str::trim).unwrap_or("");
        let verdict = serde_json::from_value::<Verdict>(given["verdict"].clone()).ok();
        let input = ConfirmInput {
            id: unit,
            revision: Some(revision),
            verdict,
            body: (verdict == Some(Verdict::Changed)).then(|| new_text.to_owned()),
        };
        let lacking = match verdict {
            None => Some("The person's answer could not be read."),
            Some(Verdict::Changed) if new_text.is_empty() => {
                Some("The person says that it changed.")
            }
            _ => None,
        };
        let Some(lacking) = lacking else {
            return Ok(self.write(session, input, use_cases::confirm).await?.into());
        };
        let asked = ConfirmInput {
            verdict: None,
            body: None,
            revision: None,
            ..input
        };
        let reply = self
            .app
            .write(session, move |call| {
                let mut reply = use_cases::confirm(call, asked)?;
                if let ConfirmReply {
                    outcome: ConfirmOutcome::AskPerson,
                    question: Some(question),
                    ..
                } = &mut reply
                {
                    *question = format!("{lacking} Ask them what is true now. {question}");
                }
                replied(&reply)
            })
            .await?;
        Ok(reply.into())
    }

    pub(super) async fn resolve(
        &self,
        session: &Arc<Session>,
        request: &mut CallToolRequestParams,
        context: &RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, Failure> {
        let carried = Carried::take(ToolName::Resolve, session, request);
        let input: ResolveInput = arguments::read(ToolName::Resolve, request.arguments.take())?;
        let mut number = None;
        if can_ask(context) {
            let answer = match carried.open(&self.app, session).await? {
                Some((sealed, answer)) => {
                    number = Some(sealed.number);
                    Asked::Answered(answer)
                }
                None => {
                    let asked = input.clone();
                    let question = self
                        .app
                        .read(session, move |call| {
                            use_cases::resolve_question(call, &asked)
                        })
                        .await?;
                    match question {
                        Some(message) => {
                            let question = Question {
                                message,
                                form: resolve_form(),
                                about: About {
                                    unit: input.id.clone(),
                                    revision: input.version,
                                },
                            };
                            self.ask(question, &carried, session, context).await?
                        }
                        // It has moved: the use case says how.
                        None => Asked::Unable,
                    }
                }
            };
            match answer {
                Asked::Answered(Answer::Given(given)) if given["agree"] == "yes" => {}
                Asked::Answered(_) | Asked::Unanswered => {
                    return Err(use_cases::resolve_declined().into());
                }
                Asked::Carried(question) => return Ok(question.into()),
                Asked::Unable => {}
            }
        }
        let done = self.write(session, input, use_cases::resolve).await;
        if let (Err(_), Some(number)) = (&done, number) {
            self.app.answered.forget(&number);
        }
        Ok(done?.into())
    }

    async fn ask(
        &self,
        question: Question,
        carried: &Carried,
        session: &Arc<Session>,
        context: &RequestContext<RoleServer>,
    ) -> Result<Asked, Failure> {
        let Ok(form) = serde_json::from_value::<ElicitationSchema>(question.form) else {
            return Ok(Asked::Unable);
        };
        let form = ElicitRequestParams::FormElicitationParams {
            meta: None,
            message: question.message,
            requested_schema: form,
        };
        if modern(context) {
            let sealed = carried.seal(&self.app, session, question.about).await?;
            let questions = InputRequests::from([(
                QUESTION.to_owned(),
                InputRequest::Elicitation(ElicitRequest::new(form)),
            )]);
            return Ok(Asked::Carried(InputRequiredResult::new(
                Some(questions),
                Some(sealed),
            )));
        }
        let answer = tokio::select! {
            answer = context.peer.create_elicitation_with_timeout(form, Some(OPEN_FOR)) => answer,
            // The client took its call back: nobody waits for a reply.
            () = context.ct.cancelled() => return Ok(Asked::Answered(Answer::Closed)),
        };
        Ok(match answer {
            Ok(answer) => Asked::Answered(answer.into()),
            // The client itself says that it cannot ask.
            Err(ServiceError::McpError(error)) => {
                tracing::debug!("the client could not ask: {error}");
                Asked::Unable
            }
            // Nobody answered: that is no yes.
            Err(error) => {
                tracing::debug!("the question was not answered: {error}");
                Asked::Unanswered
            }
        })
    }
}

impl From<ElicitResult> for Answer {
    fn from(result: ElicitResult) -> Self {
        match result.action {
            ElicitationAction::Accept => Self::Given(result.content.unwrap_or_default()),
            _ => Self::Closed,
        }
    }
}

/// What a client carried between two calls, and what it is bound to: the tool,
/// its arguments and the connection. A seal of another call does not open.
struct Carried {
    bound: String,
    state: Option<String>,
    answer: Option<Value>,
}

impl Carried {
    fn take(tool: ToolName, session: &Session, request: &mut CallToolRequestParams) -> Self {
        let arguments = canonical(request.arguments.as_ref());
        Self {
            bound: format!(
                "{}\n{}\n{arguments}",
                tool.as_str(),
                session.agent.connection
            ),
            state: request.request_state.take(),
            answer: request
                .input_responses
                .take()
                .and_then(|mut answers| answers.remove(QUESTION)),
        }
    }

    /// What was asked and answered, if this call brings an answer that counts:
    /// the first to its question, about a unit to which nothing happened since.
    async fn open(
        &self,
        app: &Arc<App>,
        session: &Arc<Session>,
    ) -> Result<Option<(Sealed, Answer)>, Failure> {
        let Some(state) = &self.state else {
            return Ok(None);
        };
        let sealed: Sealed = codec(app)
            .await?
            .open_json_with(state, self.bound.as_bytes())
            .map_err(|error| {
                ErrorData::invalid_params(
                    format!(
                        "requestState is not of this question ({error}). \
                         Call again without it, to ask anew."
                    ),
                    None,
                )
            })?;
        let Some(answer) = &self.answer else {
            return Ok(None);
        };
        let answer: ElicitResult = serde_json::from_value(answer.clone()).map_err(|_| {
            ErrorData::invalid_params(
                format!("inputResponses.{QUESTION} is no answer to an elicitation."),
                None,
            )
        })?;
        let event = newest(app, session, &sealed.about).await?;
        let counts = event == sealed.event && app.answered.first(&sealed.number);
        Ok(counts.then(|| (sealed, answer.into())))
    }

    async fn seal(
        &self,
        app: &Arc<App>,
        session: &Arc<Session>,
        about: About,
    ) -> Result<String, Failure> {
        let sealed = Sealed {
            event: newest(app, session, &about).await?,
            about,
            number: keys::hex(&keys::random::<8>()?),
        };
        let options = SealOptions::new()
            .associated_data(self.bound.as_bytes())
            .ttl(OPEN_FOR);
        let sealed = codec(app).await?.seal_json_with(&sealed, &options);
        Ok(sealed.map_err(|error| unsealable(&error))?)
    }
}

async fn newest(app: &Arc<App>, session: &Arc<Session>, about: &About) -> Result<EventId> {
    let unit = about.unit.clone();
    app.read(session, move |call| use_cases::newest_change(call, &unit))
        .await
}

async fn codec(app: &Arc<App>) -> Result<RequestStateCodec> {
    let identity = app
        .blocking(|store| store.read(|records| records.identity()))
        .await?;
    RequestStateCodec::try_new(identity.secret).map_err(|error| unsealable(&error))
}

fn unsealable(error: &dyn std::fmt::Display) -> Refusal {
    Refusal::unavailable(format!("The question cannot be sealed: {error}"))
}

/// Whether the client can show the person a form. One that names no mode
/// means forms.
fn can_ask(context: &RequestContext<RoleServer>) -> bool {
    context
        .client_capabilities()
        .and_then(|capabilities| capabilities.elicitation)
        .is_some_and(|modes| modes.form.is_some() || modes.url.is_none())
}

fn confirm_form() -> Value {
    json!({
        "type": "object",
        "properties": {
            "verdict": {
                "type": "string",
                "title": "Does it still hold?",
                "enum": ["still_true", "changed", "unknown"],
                "enumNames": ["Still true", "It changed", "I don't know"],
            },
            "new_text": {
                "type": "string",
                "title": "If it changed: what is true now?",
            },
        },
        "required": ["verdict"],
    })
}

fn resolve_form() -> Value {
    json!({
        "type": "object",
        "properties": {
            "agree": {
                "type": "string",
                "title": "Settle it this way?",
                "enum": ["yes", "no"],
                "enumNames": ["Yes", "No"],
            },
        },
        "required": ["agree"],
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_forms_are_forms_of_the_protocol() {
        for form in [confirm_form(), resolve_form()] {
            let read: ElicitationSchema = serde_json::from_value(form.clone()).unwrap();
            assert_eq!(serde_json::to_value(read).unwrap(), form);
        }
    }
}
