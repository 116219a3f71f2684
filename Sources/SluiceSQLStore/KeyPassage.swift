internal import SluiceModel

/// Leads from the identifiers that records of a table had to those that they have now.
///
/// Both stand in the table's rows until the change is done. Of records without a row it knows what their bases say.
struct KeyPassage {
    let database: any SQLDatabase
    let table: String
    let old: [EntityRegistry.Slot]
    let new: [RecordSchema.Field]
    /// Makes the new identifier of the old one, where it follows from that alone; nil where rows tell it.
    private let conversion: (([FieldValue]) -> [FieldValue]?)?
    private let select: String
    /// Whether new identifiers follow from the old ones alone.
    var isConversion: Bool { conversion != nil }
    /// The new identifiers of records that have no row.
    private var gone: [RecordKey: [FieldValue]] = [:]

    init(
        database: any SQLDatabase, table: String, old: [EntityRegistry.Slot], new: [RecordSchema.Field],
        conversion: (([FieldValue]) -> [FieldValue]?)? = nil
    ) {
        (self.database, self.table, self.old, self.new) = (database, table, old, new)
        self.conversion = conversion
        select =
            "SELECT \(SQLText.list(new.map(\.column))) FROM \(database.table(table)) WHERE \(SQLText.match(old.map(\.column)))"
    }

    /// Records the identifier of a record that has no row.
    mutating func record(_ values: [FieldValue], of key: RecordKey) { gone[key] = values }

    /// Records the identifier of a record that has no row, where no base tells it.
    mutating func record(_ values: [FieldValue], ofDeleted key: RecordKey) {
        if gone[key] == nil { gone[key] = values }
    }

    /// The new identifier of a record; nil where nobody knows it.
    func values(of old: [FieldValue]) throws -> [FieldValue]? {
        if old.contains(.null) { return nil }
        if let conversion { return conversion(old) }
        guard let found = try database.rows(select, old).first ?? gone[RecordKey(old)], !found.contains(.null) else {
            return nil
        }
        return found
    }

    /// The values of a record's old identifier in a JSON object that names it; nil where it names none.
    func oldValues(_ json: String, _ parsed: (String, FieldType) -> FieldValue?) -> [FieldValue]? {
        guard let members = ObjectText(json)?.members else { return nil }
        let values = old.compactMap { slot in
            members.first { $0.name == slot.field }.flatMap { parsed($0.json, slot.type) }
        }
        return values.count == old.count ? values : nil
    }

    /// The JSON object that names a record now.
    func name(_ values: [FieldValue]) -> String { RefusedRows.key(new.map { ($0.name, $0.type) }, values) }
}
