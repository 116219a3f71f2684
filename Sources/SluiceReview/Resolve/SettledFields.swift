internal import SluiceMerge
import SluiceModel
import SluiceStore

/// The fields of rows that decisions of one command have settled, and the rows that they brought back. Other sources may ask about
/// the same, and what was decided first answers them all.
struct SettledFields {
    private struct Place: Hashable {
        let table: String
        let key: String
        /// The column; nil for the row as a whole.
        let column: String?

        init?(_ conflict: ConflictEntry, _ key: String, _ schema: RecordSchema) {
            if conflict.isOfList { return nil }
            (table, self.key) = (schema.table.lowercased(), key)
            guard let name = conflict.field else {
                column = nil
                return
            }
            guard let field = schema.fields.first(where: { $0.name == name }) else { return nil }
            column = field.column.lowercased()
        }
    }

    private struct Decided {
        let mapping: RecordMapping
        let conflict: Int64
        /// Whether it leaves a row deleted.
        var leavesDeleted = false
        /// The run that decided it, where that was one before.
        var run: Int64?
    }

    private var decided: [Place: Decided] = [:]
    /// The conflicts that earlier runs of the command decided.
    var done: Set<Int64> = []
    /// The conflicts that were decided with others of earlier runs of the command, and with which.
    var answered: [Int64: Int64] = [:]

    /// Adds what a conflict was about. Of those over records as a whole it is whether the row comes back.
    mutating func add(
        _ conflict: ConflictEntry, _ resolution: Resolution, _ key: String, _ schema: RecordSchema
    ) {
        guard let place = Place(conflict, key, schema), let id = conflict.id, decided[place] == nil else { return }
        if place.column == nil && conflict.kind != RowKind.deleteEdit.rawValue { return }
        decided[place] = Decided(
            mapping: conflict.mapping, conflict: id, leavesDeleted: place.column == nil && resolution == .local)
    }

    /// Adds a conflict that was decided before.
    mutating func add(standing conflict: ConflictEntry, _ key: String, _ schema: RecordSchema) {
        guard let place = Place(conflict, key, schema), let id = conflict.id, decided[place] == nil else { return }
        let isLocal = conflict.resolution == Resolution.local.name
        decided[place] = Decided(
            mapping: conflict.mapping, conflict: id, leavesDeleted: place.column == nil && isLocal,
            run: conflict.lastRun)
    }

    /// The conflict of another source with which one was decided; nil where there is none.
    func other(than conflict: ConflictEntry, _ key: String, _ schema: RecordSchema) -> Int64? {
        if let id = conflict.id, let other = answered[id] { return other }
        guard let known = decided(beside: conflict, key, schema), known.run == nil, !known.leavesDeleted else {
            return nil
        }
        return known.conflict
    }

    /// Whether a decision about another source's conflict leaves the row deleted of which a conflict asks whether it comes back.
    func staysDeleted(_ conflict: ConflictEntry, _ key: String, _ schema: RecordSchema) -> Bool {
        guard conflict.kind == RowKind.deleteEdit.rawValue else { return false }
        return decided(beside: conflict, key, schema)?.leavesDeleted ?? false
    }

    /// Whether a conflict was decided in one run before with another one that is decided so.
    func wasAnswered(_ conflict: ConflictEntry, _ key: String, _ schema: RecordSchema) -> Bool {
        guard let known = decided(beside: conflict, key, schema), let run = known.run else { return false }
        // Each pipeline has a run of its own.
        return conflict.lastRun == run || known.leavesDeleted && conflict.resolution == Resolution.local.name
    }

    private func decided(beside conflict: ConflictEntry, _ key: String, _ schema: RecordSchema) -> Decided? {
        guard let place = Place(conflict, key, schema), let known = decided[place], known.mapping != conflict.mapping
        else { return nil }
        return known
    }
}
