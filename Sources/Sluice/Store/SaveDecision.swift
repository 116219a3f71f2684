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
    ///   - known: What the value knows of its record.
    ///   - isOverwriting: Whether what others changed meanwhile is written over.
    ///   - insertsMissing: Whether a record that is no longer there is inserted.
    ///   - reader: Reads the row as it is now.
    /// - Throws: ``SluiceError`` where nothing may be written.
    init?<M: PersistentModel>(
        _ value: M, _ record: BoxedRecord, _ known: KnownRecord<M>, overwriting isOverwriting: Bool,
        insertingMissing insertsMissing: Bool, in reader: Reader
    ) throws {
        let description = M.model.description
        if description.hasNoIdentifier { throw SluiceError(unidentified: description) }
        guard let identifier = known.held(value.savedIdentifier) else {
            self.init(isInsert: true, fields: [])
            return
        }
        let before = try known.boxed()
        var isUntouched = false
        if let before {
            if before.key != record.key {
                throw Self.error(
                    .identifierChanged,
                    "was read under another identifier; delete the old record and insert this one, or put the identifier back",
                    description, record)
            }
            // What was not touched is not written, whatever the row holds by now.
            isUntouched = before.values == record.values && !record.changesLinks && !known.isDoubtful
            if isUntouched && !insertsMissing { return nil }
        }
        guard let row = try reader.first(M.self, identifier) else {
            // What is marked is no more missing than it is there.
            if before != nil, try !insertsMissing || reader.isMarked(description, record.key) {
                if isUntouched { return nil }
                throw try reader.missing(description, record.key)
            }
            self.init(isInsert: true, fields: [])
            return
        }
        let now = try row.boxed()
        let isCertain = !known.isDoubtful
        if let before, !isCertain, !isOverwriting { try Self.refuseDoubts(before, now) }
        let read = isCertain ? before ?? now : now
        var changed = description.fields.indices.filter { record.values[$0] != read.values[$0] }
        for whole in description.wholes where whole.parts.contains(where: changed.contains) {
            func isThere(_ record: BoxedRecord) -> Bool { whole.parts.contains { !record.values[$0].isNull } }
            // Of what one side has and the other has not all parts are one change.
            if isThere(record) != isThere(now) { changed += whole.parts.filter { !changed.contains($0) } }
        }
        changed.sort()
        for field in changed {
            try description.checkIsWritable(field, of: record.key.map(\.text).joined(separator: ", "))
        }
        if let before, isCertain, !isOverwriting,
            // Two who made the same of it may both have counted one more: what the second one saw was no longer so.
            let stale = changed.first(where: { now.values[$0] != before.values[$0] })
        {
            var error = Self.error(
                .stale,
                "was changed by others after it was read; read it again, or save with `overwriting: true`",
                description, record, description.fields[stale].property)
            error.values = [("yours", record.values[stale]), ("theirs", now.values[stale])]
            throw error
        }
        self.init(isInsert: false, fields: changed.filter { now.values[$0] != record.values[$0] })
    }

    private init(isInsert: Bool, fields: [Int]) {
        self.isInsert = isInsert
        self.fields = fields
    }

    /// Refuses a value that was read in what was taken back, unless the row is as it was read.
    private static func refuseDoubts(_ read: BoxedRecord, _ now: BoxedRecord) throws {
        let description = read.description
        let list = description.relationships.indices.first {
            description.relationships[$0].isByValue && read.orders[$0] != now.orders[$0]
        }
        let field = description.fields.indices.first { read.values[$0] != now.values[$0] }
        guard
            let property = field.map({ description.fields[$0].property })
                ?? list.map({ description.relationships[$0].property })
        else { return }
        throw error(
            .stale,
            "was read in what was taken back, and is not as it was read; read it again, or save with `overwriting: true`",
            description, read, property)
    }

    private static func error(
        _ code: SluiceError.Code, _ words: String, _ description: ModelDescription, _ record: BoxedRecord,
        _ property: String? = nil
    ) -> SluiceError {
        let identifier = record.key.map(\.text).joined(separator: ", ")
        let place = property.map { ", property `\($0)`" } ?? ""
        return SluiceError(
            code, "\(description.entity) \(identifier)\(place) \(words).", entity: description.entity,
            identifier: identifier, field: property)
    }
}

extension ModelDescription {
    /// Refuses to let the program change a field of records that are there: one that tells them apart, or that their source owns.
    ///
    /// - Parameters:
    ///   - field: The position of the field.
    ///   - identifier: The record's identifier, for people; nil where several are meant.
    /// - Throws: ``SluiceError`` with ``SluiceError/Code/identifierChanged`` or ``SluiceError/Code/ownedBySource``.
    func checkIsWritable(_ field: Int, of identifier: String?) throws(SluiceError) {
        let (code, words): (SluiceError.Code, String)
        if fields[field].isIdentifier {
            (code, words) = (.identifierChanged, "tells records apart; delete the old record and insert a new one")
        } else if fields[field].isOwnedBySource {
            (code, words) = (.ownedBySource, "is changed by its source alone; the next run would overwrite it")
        } else {
            return
        }
        let property = fields[field].property
        let record = [entity, identifier].compactMap { $0 }.joined(separator: " ")
        throw SluiceError(
            code, "\(record), property `\(property)` \(words).", entity: entity, identifier: identifier, field: property
        )
    }
}
