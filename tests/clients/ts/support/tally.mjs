// A reporter for Node's test runner that writes the counts alone, as JSON.
export default async function* tally(events) {
  for await (const { type, data } of events) {
    // The summary over everything is the one that names no file.
    if (type !== "test:summary" || data.file !== undefined) continue;
    const { passed, failed, cancelled, skipped } = data.counts;
    yield JSON.stringify({ passed, failed: failed + cancelled, skipped });
  }
}
