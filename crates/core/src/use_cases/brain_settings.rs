//! Brain settings: name, write policy, freshness policies.

use super::{Call, access, bare_event, keepers_alone, persons_alone};
use crate::ports::{Change, Counts, Records};
use crate::refusal::{Refusal, Result};
use crate::rules::access::policy_for;
use crate::rules::policies;
use crate::rules::wanted::{self, given};
use crate::views::brains::{BrainView, BrainsView, FreshnessRuleView, UpdateBrainInput};
use crate::words::{Brain, Event, EventKind, FreshnessRule, Grant, Thresholds, Timestamp};
use std::sync::Arc;

/// Lists the brains that the caller may read, with their settings.
///
/// # Errors
/// Those of every use case.
pub fn brain_views(call: Call<'_>) -> Result<BrainsView> {
    call.store.read(|records| {
        let access = access(records, call.session)?;
        let brains = access
            .brains()
            .iter()
            .map(|(brain, grant)| view(records, brain, *grant, call.now));
        Ok(BrainsView {
            brains: brains.collect::<Result<_>>()?,
        })
    })
}

/// Changes a brain's settings. New freshness policies count for every unit at
/// once; no anchor moves. For the person and the command line; only the person
/// says that something never ages.
///
/// # Errors
/// `not_allowed` for an agent; `unknown_brain`; `invalid` for a bad name or
/// policy, and for one that a personal brain cannot have.
pub fn update_brain(call: Call<'_>, brain: &str, input: UpdateBrainInput) -> Result<BrainView> {
    let title = match &input.name {
        Some(name) => {
            let name = given(Some(name))
                .ok_or_else(|| Refusal::invalid("name is empty. Leave it out to keep the name."))?;
            Some(wanted::title(name)?)
        }
        None => None,
    };
    let rules = input
        .freshness
        .as_deref()
        .map(policies::freshness_rules)
        .transpose()?;
    let name = brain.to_owned();
    let session = Arc::clone(call.session);
    let now = call.now;
    call.store.write(move |records| {
        let access = access(records, &session)?;
        let old = access.readable(&name)?;
        keepers_alone(&session, "change a brain's settings")?;
        let mut new = old.clone();
        let mut changed = Vec::new();
        if let Some(title) = title.as_ref().filter(|title| **title != old.title) {
            new.title.clone_from(title);
            changed.push("name");
        }
        if let Some(policy) = input.write_policy.filter(|it| *it != old.write_policy) {
            policy_for(old.kind, policy)?;
            new.write_policy = policy;
            changed.push("write_policy");
        }
        if let Some(rules) = rules.as_ref().filter(|it| **it != old.freshness_rules) {
            if policies::says_never(&old.freshness_rules, rules) {
                persons_alone(&session, "say that what stands never ages")?;
            }
            new.freshness_rules.clone_from(rules);
            changed.push("freshness");
        }
        let event = Event {
            brain: Some(old.key),
            detail: Some(changed.join(", ")),
            ..bare_event(&session.agent, EventKind::BrainChanged, now)
        };
        let changes = if changed.is_empty() {
            Vec::new()
        } else {
            vec![Change::PutBrain(Box::new(new)), Change::Event(event)]
        };
        Ok((changes, ()))
    })?;
    call.store.read(|records| {
        let access = access(records, call.session)?;
        let brain = access.readable(brain)?;
        let grant = access
            .brains()
            .iter()
            .find(|(it, _)| it.key == brain.key)
            .map_or(Grant::Read, |(_, grant)| *grant);
        view(records, brain, grant, call.now)
    })
}

fn view(records: &dyn Records, brain: &Brain, grant: Grant, now: Timestamp) -> Result<BrainView> {
    let Counts {
        units,
        aging,
        stale,
        conflicted,
        ..
    } = records.counts(brain.key, now)?;
    let everywhere = brain.freshness_rules.iter().find(|it| it.topic.is_none());
    let thresholds = everywhere.map_or(Thresholds::DEFAULT, |it| it.thresholds);
    Ok(BrainView {
        brain: brain.name.clone(),
        name: brain.title.clone(),
        kind: brain.kind,
        grant,
        write_policy: brain.write_policy,
        units,
        aging,
        stale,
        conflicted,
        retired: records.retired(brain.key)?,
        proposals: records.open_proposal_count(&[brain.key])?,
        freshness: brain
            .freshness_rules
            .iter()
            .map(FreshnessRuleView::from)
            .collect(),
        ages: FreshnessRuleView::from(&FreshnessRule {
            topic: None,
            thresholds,
        }),
    })
}
