internal import SluiceModel
internal import SluiceStore

/// The base of a mapping, and the slots of its fields.
extension SchemaPlanner {
    func makeBaseTable() throws -> String {
        // A base without its table would make every row look deleted by hand, whichever source it is of.
        if madeTable { try forgetTable() }
        if let known = try EntityRegistry(database: database).tables(of: mappingName) {
            try checkKey(of: known.base)
            if known.table != schema.table { try forget(schema.source, base: known.base) }
            return known.base
        }
        let name = try createBaseTable()
        try EntityRegistry(database: database).record(base: name, table: schema.table, of: mappingName)
        return name
    }

    /// Makes a base table that the registry does not know yet.
    ///
    /// - Returns: Its name.
    func createBaseTable() throws -> String {
        let name = try freeName("_sluice_base_\(schema.pipeline)_\(schema.stream)_\(schema.entity)")
        let keys = schema.keyFields.map { schema.fields[$0] }
        let definitions = keys.map { field in
            "\(SQLText.quoted(TableLayout.baseColumn(for: field.column))) \(database.keyType(field.type))"
                + (hasIntegerKey ? " PRIMARY KEY" : " NOT NULL")
        }
        let names = keys.map { TableLayout.baseColumn(for: $0.column) }
        let key = hasIntegerKey ? "" : ", PRIMARY KEY (\(SQLText.list(names)))"
        let (number, bytes) = (database.columnType(.int), database.columnType(.bytes))
        try database.execute(
            """
            CREATE TABLE \(database.table(name)) (\(definitions.joined(separator: ", ")), row_hash \(number) NOT NULL, \
            fields \(bytes) NOT NULL, state \(number) NOT NULL, open \(number) NOT NULL, first_run \(number), \
            last_run \(number), text_hash \(number), text_within \(bytes)\(key))\
            \(hasIntegerKey ? database.tableSuffix : database.keyedTableSuffix)
            """)
        return name
    }

    /// A name that no table or index has yet.
    func freeName(_ wanted: String) throws -> String {
        var name = database.derivedName(wanted)
        var suffix = 1
        while try database.object(name) != nil {
            suffix += 1
            name = database.derivedName("\(wanted)_\(suffix)")
        }
        return name
    }

    private func forgetTable() throws {
        let registry = EntityRegistry(database: database)
        for source in try registry.sources(of: schema.table) {
            guard let known = try registry.tables(of: EntityRegistry.name(source)) else { continue }
            try forget(source, base: known.base)
        }
    }

    /// Has a source start anew with the table: nothing of it was synced yet, and nothing is in conflict.
    private func forget(_ source: RecordMapping, base: String) throws {
        try database.execute("DELETE FROM \(database.table(base))")
        try database.run(
            """
            UPDATE \(database.ledger("conflicts")) SET status = 'obsolete', resolution = ?4
            WHERE pipeline = ?1 AND stream = ?2 AND entity = ?3 AND status = 'open'
            """,
            [
                FieldValue(source.pipeline), FieldValue(source.stream), FieldValue(source.entity),
                FieldValue(ConflictEnd.unmanaged.rawValue),
            ])
        let mapping = EntityRegistry.name(source)
        try EntityRegistry(database: database).record(base: base, table: schema.table, of: mapping)
        try forgetTexts(source)
    }

    /// Has all records of a stream read again, within which those of a table stood that is another one now.
    func forgetTexts(_ source: RecordMapping) throws {
        try EntityRegistry(database: database).forgetTexts(ofStreamOf: source)
    }

    private func checkKey(of baseTable: String) throws {
        let columns = try database.columns(of: baseTable).filter { $0.keyPosition > 0 }
            .sorted { $0.keyPosition < $1.keyPosition }.map(\.name)
        guard columns == keyColumns.map({ TableLayout.baseColumn(for: $0) }) else {
            throw StoreError(
                .mismatch,
                "The identifier of `\(schema.entity)` was \(columns.joined(separator: ", ")) and is now \(keyColumns.joined(separator: ", ")), and what its source said is kept by the identifier. \(keyRemedy)",
                about: PipelineKey(.identifier, of: schema.entity)
            )
        }
    }

    /// Gives each field a slot that it keeps however the pipeline is reordered, and notes what the field is.
    mutating func assignSlots(_ baseTable: String) throws -> [Int] {
        let registry = EntityRegistry(database: database)
        var fieldOfSlot: [Int] = []
        var hasRetired = false
        var isBack = false
        for slot in try registry.slots(of: mappingName) {
            // The base of a field whose column is new was another column's.
            if newColumns.contains(slot.field) {
                try registry.retire(slot, of: mappingName)
                fieldOfSlot.append(-1)
                hasRetired = true
            } else {
                let field = schema.fields.firstIndex { $0.name == slot.field }
                fieldOfSlot.append(field ?? -1)
                guard let field else {
                    // What another field has the column of now is not to be found under it any more.
                    if !slot.isRetired && slot.isGivenUp && !isLeft(slot) { try registry.retire(slot, of: mappingName) }
                    if isLeft(slot) { try noteRun(of: slot) }
                    continue
                }
                // Others may have filled its column meanwhile.
                if slot.isGivenUp { isBack = true }
                schema.fields[field].wasIdentifier = slot.wasKey
                if schema.fields[field].baseKeeping == .digest { continue }
                schema.fields[field].hadDigests = slot.hadDigests || slot.baseKeeping == .digest
            }
        }
        if hasRetired || isBack { try revisit(baseTable, schema.source) }
        try retireElsewhere()
        for index in schema.fields.indices where !fieldOfSlot.contains(index) { fieldOfSlot.append(index) }
        for (slot, index) in fieldOfSlot.enumerated() where index >= 0 {
            try registry.record(EntityRegistry.Slot(number: slot, schema: schema, index: index), of: mappingName)
        }
        return fieldOfSlot
    }

    /// The slots of fields that the pipeline no longer has, where it fills their columns with no other one: what the source said
    /// last tells what people changed of rows that no other source fills, and is the base of a field that comes back.
    func keptSlots() throws -> Set<Int> {
        Set(try EntityRegistry(database: database).slots(of: mappingName).filter(isLeft).map(\.number))
    }

    /// Notes since which run the pipeline no longer has a field, once there is one.
    private func noteRun(of slot: EntityRegistry.Slot) throws {
        guard slot.givenUpIn == 0, let run = recorder?.run else { return }
        var slot = slot
        slot.givenUpIn = run
        try EntityRegistry(database: database).record(slot, of: mappingName)
    }

    /// Whether a slot is one of those.
    private func isLeft(_ slot: EntityRegistry.Slot) -> Bool {
        !slot.isRetired
            && !schema.fields.contains { $0.name == slot.field || ColumnName.areSame($0.column, slot.column) }
    }

    /// What other sources said of a column that is new was another column's, too.
    private func retireElsewhere() throws {
        if newColumns.isEmpty { return }
        let registry = EntityRegistry(database: database)
        let columns = Set(schema.fields.filter { newColumns.contains($0.name) }.map { $0.column.lowercased() })
        for source in try registry.sources(of: schema.table) where source != schema.source {
            let mapping = EntityRegistry.name(source)
            let stale = try registry.slots(of: mapping).filter { columns.contains($0.column.lowercased()) }
            guard !stale.isEmpty, let known = try registry.tables(of: mapping) else { continue }
            for slot in stale { try registry.retire(slot, of: mapping) }
            try revisit(known.base, source)
        }
    }

    /// Has every record of a base looked at again: none is as the base says.
    func revisit(_ baseTable: String, _ source: RecordMapping) throws {
        try database.execute("UPDATE \(database.table(baseTable)) SET row_hash = \(BaseImage.voidHash)")
        try forgetTexts(source)
    }
}
