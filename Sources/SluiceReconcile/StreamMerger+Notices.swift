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
    package mutating func tell(_ change: RecordChange?) {
        if notices != nil {
            notices?.add(change)
        } else if let change {
            notify(change.key, change)
        } else {
            context.observer.skippedChange(of: schema)
        }
    }

    /// Tells what was kept of a batch.
    mutating func tellNotices() {
        guard let kept = notices else { return }
        notices = nil
        for change in kept.inOrder { tell(change) }
    }
}

/// The changes of a batch, which are told in the order of the source whatever the order is in which they are written.
struct BatchNotices {
    /// The position in the batch of the record that is at hand.
    var record = 0
    private var changes: [(record: Int, change: RecordChange?)] = []

    /// Keeps a change of the record at hand; nil where nobody wants to see it.
    mutating func add(_ change: RecordChange?) { changes.append((record, change)) }

    /// The changes by the records' positions; those of one record stay in their order.
    var inOrder: [RecordChange?] {
        changes.enumerated().sorted { ($0.element.record, $0.offset) < ($1.element.record, $1.offset) }
            .map(\.element.change)
    }
}
