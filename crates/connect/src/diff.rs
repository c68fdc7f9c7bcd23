//! A change as lines.

use ozbrain_core::views::clients::{DiffKind, DiffLine};
use similar::{ChangeTag, TextDiff};

/// How many lines around a change are shown.
const AROUND: usize = 3;

/// The lines that change, with a few around them, and how many further lines
/// stay as they are.
pub(crate) fn lines(before: Option<&[u8]>, after: Option<&[u8]>) -> (Vec<DiffLine>, u32) {
    let text =
        |bytes: Option<&[u8]>| String::from_utf8_lossy(bytes.unwrap_or_default()).into_owned();
    let (before, after) = (text(before), text(after));
    let diff = TextDiff::from_lines(before.as_str(), after.as_str());
    let groups = diff.grouped_ops(AROUND);
    let changes = groups.iter().flatten().flat_map(|op| diff.iter_changes(op));
    let lines: Vec<DiffLine> = changes
        .map(|change| {
            let (kind, index) = match change.tag() {
                ChangeTag::Equal => (DiffKind::Same, change.new_index()),
                ChangeTag::Insert => (DiffKind::Added, change.new_index()),
                ChangeTag::Delete => (DiffKind::Removed, change.old_index()),
            };
            DiffLine {
                kind,
                text: change.value().trim_end_matches(['\r', '\n']).to_owned(),
                line: u32::try_from(index.unwrap_or(0))
                    .unwrap_or(u32::MAX)
                    .saturating_add(1),
            }
        })
        .collect();
    let all = diff.new_slices().len();
    let shown = lines.iter().filter(|it| it.kind != DiffKind::Removed);
    let stay = all.saturating_sub(shown.count());
    (lines, u32::try_from(stay).unwrap_or(u32::MAX))
}
