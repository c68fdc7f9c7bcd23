//! Readers: who read a unit.

use super::unit::find_to_read;
use super::{Call, access};
use crate::refusal::Result;
use crate::shapes::Moment;
use crate::views::units::{ReaderRow, ReadersView};
use crate::words::ConnectionName;
use std::collections::BTreeMap;

/// Who read a unit, by the read log: latest first.
///
/// # Errors
/// `unknown_unit`.
pub fn readers(call: Call<'_>, id: &str) -> Result<ReadersView> {
    call.store.read(|records| {
        let access = access(records, call.session)?;
        let unit = find_to_read(records, &access, id, call.now)?;
        let mut rows: BTreeMap<ConnectionName, ReaderRow> = BTreeMap::new();
        for reads in records.reads_of(&unit.id)? {
            let row = rows
                .entry(reads.connection.clone())
                .or_insert_with(|| ReaderRow {
                    you: reads.connection == ConnectionName::you(),
                    name: reads.connection.to_string(),
                    revision: 0,
                    times: 0,
                    last_at: Moment(reads.last_at),
                });
            row.revision = row.revision.max(reads.revision);
            row.times = row.times.saturating_add(reads.times);
            row.last_at = Moment(row.last_at.0.max(reads.last_at));
        }
        let mut readers: Vec<ReaderRow> = rows.into_values().collect();
        readers.sort_by(|a, b| b.last_at.0.cmp(&a.last_at.0).then(a.name.cmp(&b.name)));
        Ok(ReadersView { readers })
    })
}
