import SluiceModel
import SluiceStore

/// The fields of rows that decisions of one command have settled. Other sources may ask about the same field of the same row, and
/// what was decided first answers them all.
struct SettledFields {
    private struct Place: Hashable {
        let table: String
        let key: String
        let column: String

        init?(_ conflict: ConflictEntry, _ key: String, _ schema: RecordSchema) {
            guard !conflict.isOfList, let field = schema.fields.first(where: { $0.name == conflict.field }) else {
                return nil
            }
            (table, self.key, column) = (schema.table.lowercased(), key, field.column.lowercased())
        }
    }

    private var decided: [Place: (mapping: RecordMapping, conflict: Int64)] = [:]
    /// The conflicts that were decided with others of earlier runs of the command, and with which.
    var answered: [Int64: Int64] = [:]

    /// Adds a field that a conflict was about.
    mutating func add(_ conflict: ConflictEntry, _ key: String, _ schema: RecordSchema) {
        guard let place = Place(conflict, key, schema), let id = conflict.id, decided[place] == nil else { return }
        decided[place] = (conflict.mapping, id)
    }

    /// The conflict of another source with which one was decided; nil where there is none.
    func other(than conflict: ConflictEntry, _ key: String, _ schema: RecordSchema) -> Int64? {
        if let id = conflict.id, let other = answered[id] { return other }
        guard let place = Place(conflict, key, schema), let known = decided[place], known.mapping != conflict.mapping
        else { return nil }
        return known.conflict
    }
}
