internal import SluiceModel
internal import SluicePipeline

extension EntityDraft {
    /// Whether a hash of all its values identifies a record.
    var isIdentifiedByContent: Bool {
        guard primaryKey.count == 1, let key = keyFields.first else { return false }
        return isContentKey(key)
    }

    /// Whether a field holds the hash of all others. A table of a store does not say what fills a column; the name is taken.
    func isContentKey(_ field: FieldDefinition) -> Bool {
        field.isContentKey
            || sources.isEmpty && primaryKey == [field.name] && field.type == .string
                && ColumnName.areSame(field.column, EntityDefinition.contentKeyName)
    }

    /// Whether a field is one of those that identify a record.
    func identifies(_ field: FieldDefinition) -> Bool { primaryKey.contains(field.name) || isIdentifiedByContent }

    /// Why a struct cannot make the hash that the pipeline makes, as half a sentence; nil where it can.
    var contentObstacle: String? {
        if let parent { return "it stands within a record of `\(parent)`" }
        if let list = references.first(where: { $0.count == .many }) {
            return "the records that `\(list.name)` leads to are among these"
        }
        for field in fields.map(\.definition) {
            if field.comparison != .exact { return "`\(field.name)` is not compared exactly (`compare`)" }
            if field.redaction != nil, field.type != .string { return "`\(field.name)` is kept redacted" }
        }
        return nil
    }
}
