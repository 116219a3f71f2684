package import SluiceModel
package import SluiceStore

/// A table of records, as far as unique values have to be settled in it.
package protocol UniquelyConstrained: AnyObject {
    var schema: RecordSchema { get }
    var constraints: TableConstraints { get }
    /// The rows whose unique values were written although their base stayed as it was.
    var rowsPutRight: Set<RecordKey> { get }
    /// The row as the table holds it.
    func storedRow(_ key: RecordKey) throws -> [FieldValue]?
    func baseRow(_ key: RecordKey) throws -> BaseRow?
    /// The key of the row that has the values of a unique group.
    func holder(of group: Int, _ row: [FieldValue]) throws -> RecordKey?
    /// What is there before a write; nil where changes are not written down.
    func snapshot(before write: RecordWrite) throws -> RecordSnapshot?
    /// Writes row and base, and writes down what that changed since a snapshot; where the table refuses it, nothing.
    ///
    /// - Returns: Why it was refused, and whether a value is there already that must be unique; nil where it was not.
    func attempt(_ write: RecordWrite, since before: RecordSnapshot?) throws -> (TableRefusal, isUnique: Bool)?
    /// A value that nobody else has, for a column that takes no null between two statements.
    func placeholder(_ field: Int, _ index: Int) -> FieldValue
    /// Begins a try that can be taken back.
    func beginTry() throws
    /// Ends the try: what was written stays.
    func endTry() throws
    /// Takes the try back.
    func revertTry() throws
}

extension UniquelyConstrained {
    /// The row as it would be after a write that touches unique fields; nil for another one.
    package func wantedRow(_ write: RecordWrite) throws -> [FieldValue]? {
        switch write.row {
        case .insert(let values): return values
        case .restore(let row): return schema.fields.map { row[$0.column] ?? .null }
        case .update, .set:
            let written = write.writtenFields(schema)
            if constraints.uniqueFields.isDisjoint(with: written.map(\.field)) { return nil }
            // A unique group may have fields that the write leaves as they are.
            guard var row = try storedRow(write.key) else { return nil }
            for (field, value) in written where row.indices.contains(field) { row[field] = value }
            return row
        case .none, .delete, .markDeleted: return nil
        }
    }

    /// Settles what waits, and says who did not get what; see `RecordTable.finish(run:holding:)`.
    package func settle(
        _ parked: [RecordWrite], run: Int64?, holding reduce: (RecordWrite, _ fields: [Int]) throws -> RecordWrite?
    ) throws -> FinishOutcome {
        var outcome = FinishOutcome()
        var collisions: [RecordKey: UniqueCollision] = [:]
        let originals = Dictionary(parked.map { ($0.key, $0) }) { $1 }
        var waiting = parked
        // What is written may make room for more, as a later run would find it; so that has nothing to do.
        while !waiting.isEmpty {
            var settlement = try UniqueSettlement(self, waiting, run: run)
            try settlement.perform(holding: reduce)
            for write in waiting {
                outcome.refused[write.key] = nil
                collisions[write.key] = nil
            }
            outcome.contested.formUnion(settlement.contested)
            outcome.refused.merge(settlement.refused) { $1 }
            for var collision in try settlement.collisions() {
                collision.write = originals[collision.write.key] ?? collision.write
                collisions[collision.write.key] = collision
            }
            waiting = settlement.wroteSomething ? settlement.retries : []
        }
        outcome.collisions = collisions.values.sorted { $0.write.key < $1.write.key }
        return outcome
    }
}

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

    let table: any UniquelyConstrained
    private let run: Int64?
    private let keys: Set<RecordKey>
    var candidates: [Candidate]
    /// Who wants what; filled when it is needed first.
    var takers: [Value: [Int]] = [:]
    private(set) var refused: [RecordKey: TableRefusal] = [:]
    private(set) var contested: Set<UInt64> = []
    var constraints: TableConstraints { table.constraints }

    init(_ table: any UniquelyConstrained, _ writes: [RecordWrite], run: Int64?) throws {
        self.table = table
        self.run = run
        keys = Set(writes.map(\.key))
        candidates = try writes.sorted { $0.key < $1.key }.map { write in
            var before: [FieldValue]?
            switch write.row {
            case .insert, .restore: break
            case .none, .update, .set, .delete, .markDeleted: before = try table.storedRow(write.key)
            }
            return Candidate(
                original: write, write: write, before: before, wanted: try table.wantedRow(write) ?? before ?? [],
                base: try write.base ?? table.baseRow(write.key),
                snapshot: try table.snapshot(before: write))
        }
    }

    /// Writes what can be written.
    mutating func perform(holding reduce: (RecordWrite, [Int]) throws -> RecordWrite?) throws {
        while true {
            try table.beginTry()
            let failures = try tryAll()
            if failures.isEmpty { break }
            try table.revertTry()
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
        try table.endTry()
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

    // MARK: Trying

    private mutating func tryAll() throws -> [(Int, Failure)] {
        for index in candidates.indices where !candidates[index].isDropped { try release(index) }
        var failures: [(Int, Failure)] = []
        for index in candidates.indices where !candidates[index].isDropped {
            var before = candidates[index].snapshot
            if candidates[index].write.row.isNone { before?.row = nil }
            guard let (refusal, isUnique) = try table.attempt(candidates[index].write, since: before) else { continue }
            let groups = isUnique ? try takenGroups(index) : []
            failures.append((index, groups.isEmpty ? .forbidden(refusal) : .taken(groups)))
        }
        return failures
    }

    /// Gives up the unique values that a row is about to change.
    private func release(_ index: Int) throws {
        if candidates[index].before == nil { return }
        let released = candidates[index].write.writtenFields(table.schema).map(\.field)
            .filter(constraints.uniqueFields.contains)
        if released.isEmpty { return }
        let key = candidates[index].original.key
        // A column of an adopted table may forbid null; a value that nobody else has does as well.
        let nulls = [FieldValue](repeating: .null, count: released.count)
        let others = released.enumerated().map { position, field in
            constraints.requiredFields.contains(field) ? table.placeholder(field, index) : nulls[position]
        }
        for values in nulls == others ? [nulls] : [nulls, others] {
            // What cannot be given up stays until the row is written.
            let write = RecordWrite(key: key, row: .update(fields: released, values: values), base: nil)
            if try table.attempt(write, since: nil) == nil { return }
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
            if !keys.contains(holder), try tookItsValuesNow(holder), let other = try table.storedRow(holder) {
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
