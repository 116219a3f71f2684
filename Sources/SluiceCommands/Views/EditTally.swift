internal import SluiceModel
internal import SluiceReport
internal import SluiceReview

/// How much people changed, by entity and table, in the order in which it was met.
struct EditTally {
    /// The counts of one entity in one table.
    struct Part {
        let entity: String
        let table: String
        var counts = EditCounts()
    }

    private(set) var parts: [Part] = []
    /// How many records people changed.
    private(set) var records = 0

    /// Counts what was done to a record.
    mutating func add(_ edit: RecordEdit) {
        records += 1
        // Records come table by table.
        let known = parts.lastIndex { $0.table == edit.table && $0.entity == edit.mapping.entity }
        if known == nil { parts.append(Part(entity: edit.mapping.entity, table: edit.table)) }
        parts[known ?? parts.count - 1].counts.add(edit)
    }
}
