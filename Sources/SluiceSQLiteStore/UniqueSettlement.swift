internal import SluiceModel
internal import SluiceSQLite
internal import SluiceStore

/// Writes what had to wait in a run, and settles who gets values that must be unique.
///
/// Values may pass from row to row, so those that wait first give up what they have and then take what they want, the
/// smallest key first. What fails keeps its old values and is left out, and all of it is tried again, since what it
/// keeps may be what another one wanted:
///
///     1: a → b, 2: b → c, 3: c stays      2 fails, so it keeps b;   1 fails, so it keeps a
///     1: a → b, 2: b → a, 3: new, wants a     3 fails;   1 and 2 swap
///
/// The outcome depends on the rows and on what waits, not on the order in which that came.
struct UniqueSettlement {
    struct Candidate {
        let original: RecordWrite
        /// What is written of it: the original without ``held``.
        var write: RecordWrite
        /// The row before; nil where there is none.
        let before: [FieldValue]?
        /// The row as it was wanted.
        let wanted: [FieldValue]
        /// The base that goes with the whole record.
        let base: BaseRow?
        /// What was there before any value is given up; nil where changes are not written down.
        let snapshot: RecordSnapshot?
        /// The fields that it does not get.
        var held: Set<Int> = []
        var isDropped = false
    }

    private enum Failure {
        /// The groups whose values are taken.
        case taken([Int])
        case forbidden(TableRefusal)
    }

    /// The values of a group.
    struct Value: Hashable {
        let group: Int
        let values: [FieldValue]
    }

    let table: SQLiteRecordTable
    private let run: Int64?
    private let keys: Set<RecordKey>
    var candidates: [Candidate]
    /// Who wants what; filled when it is needed first.
    var takers: [Value: [Int]] = [:]
    private(set) var refused: [RecordKey: TableRefusal] = [:]
    private(set) var contested: Set<UInt64> = []
    var constraints: TableConstraints { table.constraints }

    init(_ table: SQLiteRecordTable, _ writes: [RecordWrite], run: Int64?) throws {
        self.table = table
        self.run = run
        keys = Set(writes.map(\.key))
        candidates = try writes.sorted { $0.key < $1.key }.map { write in
            var before: [FieldValue]?
            switch write.row {
            case .insert, .restore: break
            case .none, .update, .set, .delete, .markDeleted: before = try table.localRow(write.key)
            }
            return Candidate(
                original: write, write: write, before: before, wanted: try table.wantedRow(write) ?? before ?? [],
                base: try write.base ?? table.baseRow(write.key),
                snapshot: try table.recorder.isRecording
                    ? table.translated { () throws(SQLiteError) in try table.snapshot(write) } : nil)
        }
    }

    /// Writes what can be written.
    mutating func perform(holding reduce: (RecordWrite, [Int]) throws -> RecordWrite?) throws {
        while true {
            try execute("SAVEPOINT sluice_unique")
            let failures = try tryAll()
            if failures.isEmpty { break }
            try execute("ROLLBACK TO sluice_unique; RELEASE sluice_unique")
            let tried = candidates.map(\.held)
            for (index, failure) in failures {
                // Another failure may have taken fields from it meanwhile: what is left of it was not tried yet.
                if candidates[index].isDropped || candidates[index].held != tried[index] { continue }
                switch failure {
                case .forbidden(let refusal):
                    candidates[index].isDropped = true
                    candidates[index].held = []
                    refused[candidates[index].original.key] = refusal
                case .taken(let groups): try hold(index, groups, reduce)
                }
            }
        }
        try execute("RELEASE sluice_unique")
    }

    // MARK: Afterwards

    /// Who did not get what; who holds a value is certain only when all others are written.
    func collisions() throws -> [UniqueCollision] {
        try candidates.filter { !$0.held.isEmpty }.map { candidate in
            UniqueCollision(
                write: candidate.original, held: try describe(candidate), isWritten: !candidate.isDropped)
        }
    }

    /// Whether anything was written.
    var wroteSomething: Bool {
        candidates.contains { candidate in
            if candidate.isDropped { return false }
            if case .none = candidate.write.row { return candidate.write.base != nil }
            return true
        }
    }

    /// What remains to be written.
    var retries: [RecordWrite] {
        candidates.compactMap { candidate in
            if candidate.isDropped { return candidate.original }
            if candidate.held.isEmpty { return nil }
            let fields = candidate.held.sorted()
            var write = RecordWrite(
                key: candidate.original.key,
                row: .update(fields: fields, values: fields.map { candidate.wanted[$0] }), base: candidate.base)
            write.kind = candidate.original.kind
            return write
        }
    }

    private func execute(_ sql: String) throws {
        try table.translated { () throws(SQLiteError) in try table.connection.execute(sql) }
    }

    // MARK: Trying

    private mutating func tryAll() throws -> [(Int, Failure)] {
        for index in candidates.indices where !candidates[index].isDropped { try release(index) }
        var failures: [(Int, Failure)] = []
        for index in candidates.indices where !candidates[index].isDropped {
            do throws(SQLiteError) {
                try table.apply(candidates[index].write)
                if var before = candidates[index].snapshot {
                    if candidates[index].write.row.isNone { before.row = nil }
                    try table.note(candidates[index].write, before: before)
                }
            } catch {
                let refusal = try table.refusal(error, of: candidates[index].original.key)
                let groups = error.code == .uniqueConstraint ? try takenGroups(index) : []
                failures.append((index, groups.isEmpty ? .forbidden(refusal) : .taken(groups)))
            }
        }
        return failures
    }

    /// Gives up the unique values that a row is about to change.
    private func release(_ index: Int) throws {
        if candidates[index].before == nil { return }
        let released = table.writtenFields(candidates[index].write).map(\.field)
            .filter(constraints.uniqueFields.contains)
        if released.isEmpty { return }
        let key = candidates[index].original.key
        // A column of an adopted table may forbid null; a value that nobody else has does as well.
        let nulls = [FieldValue](repeating: .null, count: released.count)
        let others = released.map { constraints.requiredFields.contains($0) ? placeholder($0, index) : .null }
        for values in nulls == others ? [nulls] : [nulls, others] {
            do throws(SQLiteError) {
                try table.apply(
                    RecordWrite(key: key, row: .update(fields: released, values: values), base: nil))
                return
            } catch {
                // What cannot be given up stays until the row is written.
                try table.refusal(error, of: key)
            }
        }
    }

    /// A value that stands in a column between two statements.
    private func placeholder(_ field: Int, _ index: Int) -> FieldValue {
        switch table.schema.fields[field].type.sqliteType {
        case "INTEGER": .integer(Int64.min + Int64(index))
        case "REAL": .real(-Double.greatestFiniteMagnitude * (1 - Double(index) * 0x1p-50))
        case "BLOB": .blob(Array("\u{1}sluice \(index)".utf8))
        default: FieldValue("\u{1}sluice \(index)")
        }
    }

    /// The groups whose values another row has at this moment.
    private mutating func takenGroups(_ index: Int) throws -> [Int] {
        let candidate = candidates[index]
        var row = candidate.wanted
        for field in candidate.held { row[field] = candidate.before?[field] ?? .null }
        var groups: [Int] = []
        for group in constraints.groups.indices {
            guard let holder = try table.holder(of: group, row), holder != candidate.original.key else { continue }
            groups.append(group)
            if !keys.contains(holder), try tookItsValuesNow(holder), let other = try table.localRow(holder) {
                contested.formUnion([row, other].compactMap { constraints.mark($0, group: group) })
            }
        }
        return groups
    }

    /// Whether a row that does not wait may have taken its values in this run, so that another one had no chance.
    private func tookItsValuesNow(_ key: RecordKey) throws -> Bool {
        if table.rowsPutRight.contains(key) { return true }
        guard let base = try table.baseRow(key) else { return false }
        return base.lastRun == run
    }
}
