package import SluiceMerge
package import SluiceModel
internal import SluicePlans
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

    /// Reports how far the work has come.
    func report(_ progress: RunProgress) { context.observer.progress(progress) }

    /// Whether somebody wants to know what happens to a record.
    package func wants(_ key: @autoclosure () -> RecordKey) -> Bool { context.observer.wants(key(), of: schema) }

    /// Tells of a record whose local value or state stands.
    mutating func notifyKept(_ change: RecordChange) { report(.kept(change)) }

    /// Reports a change; one that nobody wants to see is nil and counts all the same.
    package mutating func report(_ change: RecordChange?) { report(.change(change)) }

    /// Reports of a conflict.
    mutating func report(_ conflict: ConflictEntry) { report(.conflict(conflict)) }

    private mutating func report(_ notice: BatchNotices.Notice) {
        if notices != nil {
            notices?.add(notice)
            return
        }
        switch notice {
        case .change(let change?): notify(change.key, change)
        case .change(nil): context.observer.skippedChange(of: schema)
        case .kept(let change):
            context.observer.kept(hasRedactions ? canonical.shown(change) : change, schema: schema)
        case .conflict(let entry): context.observer.conflict(entry)
        }
    }

    /// Reports what was kept of a batch.
    mutating func reportNotices() {
        guard let kept = notices else { return }
        notices = nil
        for notice in kept.inOrder { report(notice) }
    }
}

/// What is to be told of a batch, in the order of the source whatever the order is in which its records are written.
struct BatchNotices {
    /// Something that is told of a record.
    enum Notice {
        /// What changes; nil where nobody wants to see it.
        case change(RecordChange?)
        /// A local value or state that stands.
        case kept(RecordChange)
        case conflict(ConflictEntry)
    }

    /// The position in the batch of the record that is at hand.
    var record = 0
    private var notices: [(record: Int, notice: Notice)] = []

    /// Keeps a notice of the record at hand.
    mutating func add(_ notice: Notice) { notices.append((record, notice)) }

    /// The notices by the records' positions; those of one record stay in their order.
    var inOrder: [Notice] {
        if zip(notices, notices.dropFirst()).allSatisfy({ $0.record <= $1.record }) { return notices.map(\.notice) }
        return notices.enumerated().sorted { ($0.element.record, $0.offset) < ($1.element.record, $1.offset) }
            .map(\.element.notice)
    }
}
