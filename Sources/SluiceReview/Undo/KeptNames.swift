internal import SluiceModel
internal import SluiceStore

/// The names that a run gave and that taking it back leaves, and what the pipeline's file of before must say of them.
struct KeptNames {
    /// What each of them is called now and was called before, with the key that says so.
    private(set) var keys: [String] = []
    /// What entities were called before, by what fills their tables now.
    private var entities: [RecordMapping: String] = [:]

    /// Takes a change of names, in the order in which the run made them.
    ///
    /// - Parameters:
    ///   - entry: The change; one of another kind is passed over.
    ///   - schema: What the store knows of the table now.
    mutating func add(_ entry: RecordedEntry, _ schema: RecordSchema?) {
        let now = entry.mapping
        let old = entry.old?.split(separator: "\t", omittingEmptySubsequences: false).map(String.init) ?? []
        switch SchemaChange.Kind(rawValue: entry.kind) {
        case .renameSource where old.count == 3:
            if old[0] != now.pipeline { record("renamed_from", now.pipeline, "top of the file") }
            if old[1] != now.stream { record("renamed_from", now.stream, "stream `\(old[1])`") }
            if old[2] != now.entity {
                entities[now] = old[2]
                record("renamed_from", now.entity, "entity `\(old[2])`")
            }
        case .renameTable where old.count == 1:
            // The table of an entity with another name follows it.
            guard let table = schema?.table, table.lowercased() != old[0].lowercased(), entities[now] == nil else {
                return
            }
            record("table_renamed_from", table, "entity `\(now.entity)`")
        case .renameColumn where old.count == 2:
            guard let schema, let field = entry.field, field != old[0],
                let place = schema.fields.firstIndex(where: { $0.name == field })
            else { return }
            // The file has no field for the key of the record around one, which follows that record by itself.
            let isOwner = schema.references.contains { $0.onDangling == .owner && $0.fields.contains(place) }
            if isOwner { return }
            self.record("renamed_from", field, "field `\(old[0])` of `\(entities[now] ?? now.entity)`")
        default: return
        }
    }

    private mutating func record(_ key: String, _ name: String, _ place: String) {
        let words = "`\(key): \(name)` at the \(place)"
        if !keys.contains(words) { keys.append(words) }
    }

    /// What the file of before has to say; nil where no name stays.
    var words: String? {
        guard let last = keys.last else { return nil }
        return keys.count == 1 ? last : keys.dropLast().joined(separator: ", ") + " and " + last
    }
}
