//! Erasing: what each table holds of a revision, a unit or a brain. What free
//! space and logs hold of it goes when the store is scrubbed.

use super::{
    addresses, brains, connections, events, folded, keywords, meta, proposals, revisions, settings,
    sides, undecided, units,
};
use crate::error::{Error, Result};
use ozbrain_core::text::fold;
use ozbrain_core::words::{BrainKey, UnitId};
use rusqlite::Connection;

/// Takes away what a revision said, and the address that it alone names.
pub(crate) fn revision(connection: &Connection, unit: &UnitId, number: u32) -> Result<()> {
    let key = units::key(connection, unit)?;
    let all = revisions::addresses(connection, key)?;
    let place = |topic: &str, title: Option<&str>| {
        let title = title.map(fold);
        (topic.to_owned(), folded(title.as_deref()).to_owned())
    };
    let here = all.iter().find(|(other, ..)| *other == number);
    let head = all.iter().max_by_key(|(other, ..)| *other);
    let (Some((_, topic, title)), Some((newest, now, _))) = (here, head) else {
        return Err(Error::contradiction("a revision that is not there"));
    };
    let is_head = *newest == number;
    if is_head && !units::forget_head(connection, key)? {
        return Err(Error::contradiction("a head that is erased"));
    }
    let now = if is_head { "erased" } else { now.as_str() };
    let address = place(topic, title.as_deref());
    let named = |(other, topic, title): &(u32, String, Option<String>)| {
        *other != number && place(topic, title.as_deref()) == address
    };
    if !all.iter().any(named) {
        addresses::drop(connection, key, &address.0, &address.1)?;
    }
    revisions::erase(connection, key, number, now)?;
    events::strip(connection, key, Some(number))?;
    let (_, brain) = units::id_and_brain(connection, key)?;
    keywords::forget(connection, brain)?;
    meta::set_scrub(connection, meta::Scrub::File)
}

/// Takes away a unit and those that were joined into it. Gives their ids.
pub(crate) fn unit(connection: &Connection, unit: &UnitId) -> Result<Vec<UnitId>> {
    let mut ids = Vec::new();
    for key in units::with_joined(connection, units::key(connection, unit)?)? {
        let (id, brain) = units::id_and_brain(connection, key)?;
        keywords::remove(connection, brain, key)?;
        keywords::forget(connection, brain)?;
        proposals::forget(connection, key)?;
        undecided::forget_unit(connection, key)?;
        sides::remove(connection, key)?;
        addresses::remove(connection, key)?;
        revisions::remove(connection, key)?;
        events::strip(connection, key, None)?;
        units::empty(connection, key)?;
        ids.push(id);
    }
    meta::set_scrub(connection, meta::Scrub::File)?;
    Ok(ids)
}

/// Takes away a brain with all that is in it. Gives the ids of its units.
pub(crate) fn brain(connection: &Connection, brain: BrainKey) -> Result<Vec<UnitId>> {
    let mut ids = Vec::new();
    for (key, id) in units::of_brain(connection, brain)? {
        sides::remove(connection, key)?;
        addresses::remove(connection, key)?;
        revisions::remove(connection, key)?;
        ids.push(id);
    }
    undecided::forget(connection, brain)?;
    settings::forget(connection, brain)?;
    events::forget(connection, brain)?;
    units::remove_all(connection, brain)?;
    connections::forget(connection, brain)?;
    keywords::destroy(connection, brain)?;
    brains::remove(connection, brain)?;
    meta::set_scrub(connection, meta::Scrub::File)?;
    Ok(ids)
}
