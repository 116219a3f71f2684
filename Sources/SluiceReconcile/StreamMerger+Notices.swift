package import SluiceMerge
package import SluiceModel
internal import SluiceReport
internal import SluiceStore

/// What the observer is told.
extension StreamMerger {
    /// Tells a change of a record, where somebody wants to know.
    func notify(_ key: @autoclosure () -> RecordKey, _ change: @autoclosure () -> RecordChange) {
        if wants(key()) {
            context.observer.changed(hasRedactions ? canonical.shown(change()) : change(), schema: schema)
        } else {
            context.observer.skippedChange(of: schema)
        }
    }

    /// Tells of a record that is inserted.
    func notifyInsert(_ record: Int, of batch: borrowing RecordBatch) {
        notify(batch.key(of: record, schema: schema), planner.insertChange(record, of: batch, kind: .insert))
    }

    /// Tells how far the work has come.
    func tell(_ progress: RunProgress) { context.observer.progress(progress) }

    /// Whether somebody wants to know what happens to a record.
    package func wants(_ key: @autoclosure () -> RecordKey) -> Bool { context.observer.wants(key(), of: schema) }

    /// Tells of a record whose local value or state stands.
    func notifyKept(_ change: RecordChange) {
        context.observer.kept(hasRedactions ? canonical.shown(change) : change, schema: schema)
    }

    /// Tells a change; one that nobody wants to see is nil and counts all the same.
    package func tell(_ change: RecordChange?) {
        if let change { notify(change.key, change) } else { context.observer.skippedChange(of: schema) }
    }
}
