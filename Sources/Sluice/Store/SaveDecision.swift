/// What saving a value writes.
struct SaveDecision {
    let isInsert: Bool
    /// The positions of the fields that are written.
    let fields: [Int]

    /// Decides what is written; nil where nothing is.
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - record: The value as it would be stored.
    ///   - isOverwriting: Whether what others changed meanwhile is written over.
    ///   - reader: Reads the row as it is now.
    /// - Throws: ``SluiceError`` where nothing may be written.
    init?<M: PersistentModel>(
        _ value: M, _ record: BoxedRecord, overwriting isOverwriting: Bool, in reader: Reader
    ) throws {
        let description = M.model.description
        guard let identifier = value.savedIdentifier else {
            self.init(isInsert: true, fields: [])
            return
        }
        let before = try value.storedOrigin?.value(as: M.self)?.boxed()
        if let before {
            if before.key != record.key {
                throw Self.error(
                    .identifierChanged,
                    "was read under another identifier; delete the old record and insert this one, or put the identifier back",
                    description, record)
            }
            // What was not touched is not written, whatever the row holds by now.
            if before.values == record.values && !record.changesLinks { return nil }
        }
        guard let row = try reader.first(M.self, identifier) else {
            if before != nil { throw Reader.notFound(description, record.key) }
            self.init(isInsert: true, fields: [])
            return
        }
        let now = try row.boxed()
        let changed = description.fields.indices.filter { record.values[$0] != (before ?? now).values[$0] }
        if let owned = changed.first(where: { description.fields[$0].isOwnedBySource }) {
            throw Self.error(
                .ownedBySource, "has a property that the source alone changes; the next run would overwrite it",
                description, record, field: owned)
        }
        if let before, !isOverwriting,
            let stale = changed.first(where: {
                now.values[$0] != before.values[$0] && now.values[$0] != record.values[$0]
            })
        {
            throw Self.error(
                .stale,
                "was changed by others after it was read; read it again, or save with `overwriting: true`",
                description, record, field: stale)
        }
        self.init(isInsert: false, fields: changed.filter { now.values[$0] != record.values[$0] })
    }

    private init(isInsert: Bool, fields: [Int]) {
        self.isInsert = isInsert
        self.fields = fields
    }

    private static func error(
        _ code: SluiceError.Code, _ words: String, _ description: ModelDescription, _ record: BoxedRecord,
        field: Int? = nil
    ) -> SluiceError {
        let identifier = record.key.map(\.text).joined(separator: ", ")
        let property = field.map { description.fields[$0].property }
        let place = property.map { ", property `\($0)`" } ?? ""
        return SluiceError(
            code, "\(description.entity) \(identifier)\(place) \(words).", entity: description.entity,
            identifier: identifier, field: property)
    }
}
