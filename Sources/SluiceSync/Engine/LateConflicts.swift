internal import SluiceMerge
internal import SluiceModel
internal import SluiceReport
internal import SluiceStore

/// Holds back what is told of records, from the first one in conflict on, until all streams are merged: where a stream that is
/// merged once more ends a conflict that the run opened, its record was in none.
final class LateConflicts: RunObserver {
    private enum Notice {
        case changed(RecordChange, RecordSchema)
        case skipped(RecordSchema)
        case kept(RecordChange, RecordSchema)
        case conflict(ConflictEntry)
        /// Nothing any more.
        case over
    }

    /// A record of a stream.
    private struct Record: Hashable {
        let stream: String
        let entity: String
        let key: ExactText
    }

    /// What is held back of a record in conflict, by its places among the notices.
    private struct Dispute {
        /// An open conflict over a field, or over the whole record.
        struct Conflict {
            var places: [Int] = []
            /// Whether the run opened it.
            var isNew = false
        }

        /// The open conflicts, by field; the whole record has no name.
        var conflicts: [String?: Conflict] = [:]
        /// What becomes of the record.
        var change: Int?
        /// Whether one of the conflicts ended.
        var hasEnded = false
    }

    /// How much is held at most; with more, what is held is told as it is.
    private static let most = 10_000

    private let observer: any RunObserver
    private var notices: [Notice] = []
    private var disputes: [Record: Dispute] = [:]

    init(_ observer: any RunObserver) { self.observer = observer }

    func opened(_ schema: RecordSchema, isNew: Bool) { observer.opened(schema, isNew: isNew) }

    func listens(to schema: RecordSchema) -> Bool { observer.listens(to: schema) }

    var wantsChanges: Bool { observer.wantsChanges }

    func wants(_ key: @autoclosure () -> RecordKey, of schema: RecordSchema) -> Bool {
        observer.wants(key(), of: schema)
    }

    func changed(_ change: RecordChange, schema: RecordSchema) {
        if notices.isEmpty { return observer.changed(change, schema: schema) }
        var change = change
        let key = ExactText(FieldJSON.object(key: change.key, schema: schema))
        let record = Record(stream: schema.stream, entity: schema.entity, key: key)
        if var dispute = disputes[record] {
            if dispute.hasEnded, let place = dispute.change {
                if case .changed(let before, _) = notices[place] { change = change.following(before) }
                notices[place] = .over
                dispute.change = nil
            }
            if change.action == .conflict && dispute.change == nil { dispute.change = notices.count }
            disputes[record] = dispute
        }
        add(.changed(change, schema))
    }

    func skippedChange(of schema: RecordSchema) {
        guard let last = notices.last else { return observer.skippedChange(of: schema) }
        if case .conflict(let entry) = last, (entry.stream, entry.entity) == (schema.stream, schema.entity) {
            disputes[Self.record(of: entry)]?.change = notices.count
        }
        add(.skipped(schema))
    }

    func kept(_ change: @autoclosure () -> RecordChange, schema: RecordSchema) {
        if notices.isEmpty { return observer.kept(change(), schema: schema) }
        add(.kept(change(), schema))
    }

    func conflict(_ entry: ConflictEntry) {
        if entry.status == .open {
            var dispute = disputes[Self.record(of: entry)] ?? Dispute()
            var conflict = dispute.conflicts[entry.field] ?? Dispute.Conflict()
            conflict.places.append(notices.count)
            conflict.isNew = conflict.isNew || entry.seen == 1
            dispute.conflicts.updateValue(conflict, forKey: entry.field)
            disputes[Self.record(of: entry)] = dispute
            return add(.conflict(entry))
        }
        if entry.status != .auto && end(entry) { return }
        if notices.isEmpty { observer.conflict(entry) } else { add(.conflict(entry)) }
    }

    func quarantined(_ entry: QuarantineEntry) { observer.quarantined(entry) }

    func restart() {
        (notices, disputes) = ([], [:])
        observer.restart()
    }

    func progress(_ progress: RunProgress) { observer.progress(progress) }

    private static func record(of entry: ConflictEntry) -> Record {
        Record(stream: entry.stream, entity: entry.entity, key: ExactText(entry.key))
    }

    private func add(_ notice: Notice) {
        notices.append(notice)
        if notices.count >= Self.most { flush() }
    }

    /// Takes back that a conflict is open, which ended.
    ///
    /// - Parameter entry: The conflict.
    /// - Returns: Whether the run opened it, so that nothing is told of it.
    private func end(_ entry: ConflictEntry) -> Bool {
        let record = Self.record(of: entry)
        guard var dispute = disputes[record], let ended = dispute.conflicts.removeValue(forKey: entry.field) else {
            return false
        }
        for place in ended.places { notices[place] = .over }
        dispute.hasEnded = true
        disputes[record] = dispute
        guard let place = dispute.change else { return ended.isNew }
        let isLast = dispute.conflicts.isEmpty
        switch notices[place] {
        case .changed(var change, let schema):
            change.fields.removeAll { field in
                !field.isWritten && (entry.field == nil || schema.fields[field.index].name == entry.field)
            }
            let isOver = isLast && !change.fields.contains(where: \.isWritten)
            notices[place] = isOver ? .over : .changed(change, schema)
        case .skipped where isLast: notices[place] = .over
        case .skipped, .kept, .conflict, .over: break
        }
        return ended.isNew
    }

    /// Tells what is held.
    func flush() {
        for notice in notices {
            switch notice {
            case .changed(let change, let schema):
                if observer.wants(change.key, of: schema) {
                    observer.changed(change, schema: schema)
                } else {
                    observer.skippedChange(of: schema)
                }
            case .skipped(let schema): observer.skippedChange(of: schema)
            case .kept(let change, let schema): observer.kept(change, schema: schema)
            case .conflict(let entry): observer.conflict(entry)
            case .over: break
            }
        }
        (notices, disputes) = ([], [:])
    }
}

extension RecordChange {
    /// The change together with what was written of its record before.
    fileprivate func following(_ before: RecordChange) -> RecordChange {
        let later = Set(fields.map(\.index))
        let written = before.fields.filter { $0.isWritten && !later.contains($0.index) }
        var change = self
        change.fields = (written + fields).sorted { $0.index < $1.index }
        change.isAgain = before.isAgain
        return change
    }
}

extension RecordChange.Field {
    /// Whether the row gets another value.
    fileprivate var isWritten: Bool { result != local }
}
