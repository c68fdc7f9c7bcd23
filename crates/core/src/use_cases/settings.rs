//! Settings: what the person chose about notifications.

use super::{Call, bare_event, persons_alone};
use crate::ports::{Change, Records};
use crate::refusal::{Refusal, Result};
use crate::rules::notices::{HOUR, is_paused, until_tomorrow};
use crate::shapes::Moment;
use crate::views::settings::{Pause, SettingsInput, SettingsPart, SettingsView};
use crate::words::{Brain, Event, EventKind, Minute, QuietHours, Session, Settings, Timestamp};
use jiff::tz::TimeZone;
use std::sync::Arc;

/// What the person chose.
///
/// # Errors
/// `not_allowed` for anyone but the person.
pub fn settings(call: Call<'_>) -> Result<SettingsView> {
    call.store
        .read(|records| shown(records, call.session, call.now))
}

/// Changes what the person chose; what is left out stays. `zone` is where their
/// clock is.
///
/// # Errors
/// `not_allowed` for anyone but the person; `unknown_brain`; `invalid` for a
/// minute that no day has, for one end of the quiet hours without the other, for
/// two that are the same, and for what is set and taken away at once.
pub fn change_settings(
    call: Call<'_>,
    input: SettingsInput,
    zone: &TimeZone,
) -> Result<SettingsView> {
    let wanted = Wanted::of(input, call.now, zone)?;
    let session = Arc::clone(call.session);
    let now = call.now;
    call.store.write(move |records| {
        persons_alone(&session, "change the settings")?;
        let old = records.settings()?;
        let mut new = old.clone();
        let brains = records.brains()?;
        wanted.apply(&mut new, &brains)?;
        let changed = changed(&old, &new);
        let event = Event {
            detail: Some(changed.join(", ")),
            ..bare_event(&session.agent, EventKind::SettingsChanged, now)
        };
        let changes = if changed.is_empty() {
            Vec::new()
        } else {
            vec![Change::PutSettings(Box::new(new)), Change::Event(event)]
        };
        Ok((changes, ()))
    })?;
    settings(call)
}

fn shown(records: &dyn Records, session: &Session, now: Timestamp) -> Result<SettingsView> {
    persons_alone(session, "see the settings")?;
    let settings = records.settings()?;
    let brains = records.brains()?;
    let muted = brains
        .iter()
        .filter(|brain| settings.muted.contains(&brain.key));
    Ok(SettingsView {
        notifications: settings.notifications,
        paused_until: settings
            .paused_until
            .filter(|until| is_paused(Some(*until), now))
            .map(Moment),
        quiet_from: settings.quiet.map(|it| it.from.number()),
        quiet_until: settings.quiet.map(|it| it.until.number()),
        digest_at: settings.digest_at.map(Minute::number),
        muted: muted.map(|brain| brain.name.clone()).collect(),
    })
}

/// The names of what differs, as `/api` calls it.
fn changed(old: &Settings, new: &Settings) -> Vec<&'static str> {
    [
        ("notifications", old.notifications != new.notifications),
        ("pause", old.paused_until != new.paused_until),
        ("quiet", old.quiet != new.quiet),
        ("digest", old.digest_at != new.digest_at),
        ("muted", old.muted != new.muted),
    ]
    .into_iter()
    .filter_map(|(name, differs)| differs.then_some(name))
    .collect()
}

/// What is to change: an outer `None` stays.
struct Wanted {
    notifications: Option<bool>,
    paused_until: Option<Option<Timestamp>>,
    quiet: Option<Option<QuietHours>>,
    digest_at: Option<Option<Minute>>,
    mute: Option<String>,
    unmute: Option<String>,
}

impl Wanted {
    fn of(input: SettingsInput, now: Timestamp, zone: &TimeZone) -> Result<Self> {
        let clear = input.clear.unwrap_or_default();
        let pause = input.pause.map(|pause| match pause {
            Pause::Hour => now.plus_millis(HOUR),
            Pause::Tomorrow => until_tomorrow(now, zone),
        });
        let quiet = match (input.quiet_from, input.quiet_until) {
            (None, None) => None,
            (Some(from), Some(until)) => Some(QuietHours {
                from: minute("quiet_from", from)?,
                until: minute("quiet_until", until)?,
            }),
            _ => {
                return Err(Refusal::invalid(
                    "Quiet hours have a beginning and an end: give both quiet_from and \
                     quiet_until.",
                ));
            }
        };
        if quiet.is_some_and(|it| it.from == it.until) {
            return Err(Refusal::invalid(
                "Quiet hours end at another time than they begin. To be told nothing all day, \
                 turn notifications off.",
            ));
        }
        let digest = input
            .digest_at
            .map(|at| minute("digest_at", at))
            .transpose()?;
        let part = |part, name, given: bool| match (clear.contains(&part), given) {
            (true, true) => Err(Refusal::invalid(format!(
                "{name} is set and cleared at once. Do one of the two."
            ))),
            (cleared, _) => Ok(cleared),
        };
        Ok(Self {
            notifications: input.notifications,
            paused_until: set(part(SettingsPart::Pause, "pause", pause.is_some())?, pause),
            quiet: set(part(SettingsPart::Quiet, "quiet", quiet.is_some())?, quiet),
            digest_at: set(
                part(SettingsPart::Digest, "digest", digest.is_some())?,
                digest,
            ),
            mute: input.mute,
            unmute: input.unmute,
        })
    }

    fn apply(&self, settings: &mut Settings, brains: &[Brain]) -> Result<()> {
        let key = |name: &str| {
            let named = |brain: &&Brain| brain.name.as_str() == name;
            let brain = brains.iter().find(named);
            brain
                .map(|brain| brain.key)
                .ok_or_else(|| Refusal::unknown_brain(name))
        };
        if let Some(on) = self.notifications {
            settings.notifications = on;
        }
        if let Some(until) = self.paused_until {
            settings.paused_until = until;
        }
        if let Some(quiet) = self.quiet {
            settings.quiet = quiet;
        }
        if let Some(digest) = self.digest_at {
            settings.digest_at = digest;
        }
        if let Some(name) = &self.mute {
            settings.muted.insert(key(name)?);
        }
        if let Some(name) = &self.unmute {
            settings.muted.remove(&key(name)?);
        }
        Ok(())
    }
}

/// What a part becomes: nothing, another value, or what it was.
fn set<T>(cleared: bool, given: Option<T>) -> Option<Option<T>> {
    if cleared { Some(None) } else { given.map(Some) }
}

fn minute(name: &str, given: u32) -> Result<Minute> {
    let minute = u16::try_from(given).ok().and_then(Minute::new);
    minute.ok_or_else(|| {
        Refusal::invalid(format!(
            "{name} is a minute of the day: 0 is midnight, 1439 the last."
        ))
    })
}
