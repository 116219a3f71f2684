internal import SluiceModel
package import SluiceStore
import Synchronization

/// Stands between what is planned for records and its being carried out, where a plan is saved or a saved plan is applied.
///
/// While a plan is saved it lets everything pass and keeps the mark of each change. While one is applied it lets pass what
/// has such a mark: exactly what the plan shows, of records that are as they were.
package final class PlanGate: Sendable {
    /// What it lets pass.
    package enum Rule: Sendable {
        /// Everything.
        case all
        /// What was planned.
        case planned
        /// Everything; what was not planned is told.
        case anew
    }

    /// The records of an entity, or its lists that are one value, that are not as they were when the plan was made.
    package struct MovedRecords: Sendable, Hashable {
        package let entity: String
        /// Whether they are lists, each with the key that its elements share.
        package let areLists: Bool
        /// How many there are.
        package fileprivate(set) var count = 0
        /// The keys of the first of them, as JSON objects.
        package fileprivate(set) var keys: [String] = []

        fileprivate init(entity: String, areLists: Bool) { (self.entity, self.areLists) = (entity, areLists) }
    }

    private struct State {
        var marks: [UInt64] = []
        var schema: [String] = []
        var taken: [Bool] = []
        var moved: [MovedRecords] = []
        /// The hashes of the records that moved.
        var met = HashSet64()
        /// The marks of records that do not get all that they were to hold, each with words for them.
        var lacking: [String: String] = [:]
    }

    /// How many moved records of an entity are named.
    package static let mostNamed = 10

    package let rule: Rule
    /// What tells the plan that is applied from others; nil where none is, or nobody said.
    package let name: String?
    /// The marks of the plan, sorted; none while it is made.
    private let planned: [UInt64]
    /// The changes of tables that it shows; none while it is made.
    private let plannedSchema: [String]
    /// The records that do not get all in the plan either; none while it is made.
    private let plannedLacking: Set<String>
    private let state: Mutex<State>
    /// Whether everything passes for now, unseen.
    private let isOpen = Atomic(false)

    /// Keeps the marks of a plan that is made.
    package init() {
        (rule, name, planned, plannedSchema, plannedLacking) = (.all, nil, [], [], [])
        state = Mutex(State())
    }

    /// Compares a run with a plan.
    ///
    /// - Parameters:
    ///   - marks: The marks of the plan's changes.
    ///   - schema: The changes of tables that it shows.
    ///   - takesMoved: Whether records that are not as they were are merged anew, and not left as they are.
    ///   - name: What tells the plan from others.
    ///   - lacking: The marks of records that do not get all that they were to hold.
    package init(
        marks: [UInt64], schema: [String], takesMoved: Bool, name: String? = nil, lacking: [String] = []
    ) {
        self.name = name
        rule = takesMoved ? .anew : .planned
        (planned, plannedSchema, plannedLacking) = (marks.sorted(), schema.sorted(), Set(lacking))
        state = Mutex(State(taken: Array(repeating: false, count: marks.count)))
    }

    // MARK: Passing

    /// Whether a change may be made.
    ///
    /// - Parameters:
    ///   - mark: Its mark.
    ///   - key: The record, or the list that is one value by the key that its elements share.
    ///   - schema: What the record is.
    /// - Returns: False where it was not planned so.
    func admits(_ mark: UInt64, of key: RecordKey, _ schema: RecordSchema) -> Bool {
        if isOpen.load(ordering: .relaxed) { return true }
        return state.withLock { state in
            if rule == .all {
                state.marks.append(mark)
                return true
            }
            if let place = place(of: mark) {
                state.taken[place] = true
                return true
            }
            if state.met.insert(KeyHash.combine(Self.digest(of: schema), KeyHash.hash(key))) {
                Self.record(key, schema, in: &state.moved)
            }
            return rule == .anew
        }
    }

    /// Counts a moved record with those of its entity, and names the first ones.
    private static func record(_ key: RecordKey, _ schema: RecordSchema, in moved: inout [MovedRecords]) {
        let isList = key.values.count < schema.keyFields.count
        let place = moved.firstIndex { $0.entity == schema.entity && $0.areLists == isList } ?? moved.endIndex
        if place == moved.endIndex { moved.append(MovedRecords(entity: schema.entity, areLists: isList)) }
        moved[place].count += 1
        if moved[place].keys.count < mostNamed {
            moved[place].keys.append(FieldJSON.object(key: key, schema: schema))
        }
    }

    /// The digest of what fills a table.
    static func digest(of schema: RecordSchema) -> UInt64 {
        FieldDigest.text(Array("\(schema.source.path)/\(schema.entity)".utf8))
    }

    private func place(of mark: UInt64) -> Int? {
        var (low, high) = (0, planned.count)
        while low < high {
            let middle = (low + high) / 2
            if planned[middle] < mark { low = middle + 1 } else { high = middle }
        }
        return low < planned.count && planned[low] == mark ? low : nil
    }

    /// Whether changes of tables may be made.
    ///
    /// - Parameter marks: Their marks, see `SchemaChange`.
    /// - Returns: False where others were planned.
    package func admits(schema marks: [String]) -> Bool {
        if isOpen.load(ordering: .relaxed) { return true }
        return state.withLock { state in
            state.schema = marks
            return rule != .planned || marks.sorted() == plannedSchema
        }
    }

    /// Whether the plan shows the statements of changes of tables, whatever values they put into the quarantine.
    ///
    /// - Parameter changes: The changes.
    /// - Returns: False where others were planned.
    package func showsStatements(of changes: [SchemaChange]) -> Bool {
        changes.count == plannedSchema.count
            && changes.allSatisfy { change in
                change.values == nil
                    ? plannedSchema.contains(change.mark) : plannedSchema.contains { $0.hasPrefix(change.sql + " ") }
            }
    }

    /// Records that a record does not get all that it was to hold, since the table does not take it.
    ///
    /// - Parameters:
    ///   - fields: The fields that it does not get; none where it is not written at all.
    ///   - key: The record.
    ///   - schema: What the record is.
    func record(lacking fields: [String], of key: RecordKey, _ schema: RecordSchema) {
        if isOpen.load(ordering: .relaxed) { return }
        let words =
            "\(schema.entity) \(FieldJSON.object(key: key, schema: schema))"
            + (fields.isEmpty ? "" : " (\(fields.joined(separator: ", ")))")
        let mark = KeyHash.combine(Self.digest(of: schema), FieldDigest.text(Array(words.utf8)))
        state.withLock { $0.lacking[String(mark, radix: 16)] = words }
    }

    /// The marks of these records.
    package var lacking: [String] { state.withLock { $0.lacking.keys.sorted() } }

    /// Those of them that the plan which is applied does not show so, in words.
    package var unforeseen: [String] {
        if rule != .planned { return [] }
        return state.withLock { $0.lacking.filter { !plannedLacking.contains($0.key) }.values.sorted() }
    }

    /// Lets everything pass until it is told otherwise, and keeps nothing of it.
    package func standOpen(_ value: Bool) { isOpen.store(value, ordering: .relaxed) }

    /// What was met so far is void and comes again.
    package func restart() {
        state.withLock { state in
            state = State(taken: Array(repeating: false, count: planned.count))
        }
    }

    // MARK: What it came to

    /// The marks of all changes, sorted and each once.
    package var marks: [UInt64] {
        state.withLock { state in
            state.marks.sort()
            var last: UInt64?
            return state.marks.filter { mark in
                defer { last = mark }
                return mark != last
            }
        }
    }

    /// The changes of tables.
    package var schema: [String] { state.withLock { $0.schema } }

    /// How many changes the plan has.
    package var plannedCount: Int { planned.count }

    /// How many of them were made as planned.
    package var takenCount: Int { state.withLock { state in state.taken.count { $0 } } }

    /// How many records are not as they were, or are to become something else.
    package var movedCount: Int { state.withLock { $0.moved.reduce(0) { $0 + $1.count } } }

    /// These records, by entity, in the order in which entities were met.
    package var moved: [MovedRecords] { state.withLock { $0.moved } }
}
