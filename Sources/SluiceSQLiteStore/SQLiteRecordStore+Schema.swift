package import SluiceModel
internal import SluiceSQLStore
internal import SluiceSQLite
package import SluiceStore

/// How the tables of a store follow the pipelines.
extension SQLiteRecordStore {
    /// Prepares a table for a stream's records.
    package func openTable(_ schema: RecordSchema) throws -> (table: any RecordTable, changes: [SchemaChange]) {
        do {
            let (layout, changes) = try layout(for: schema)
            return (try table(layout), changes)
        } catch let error as SQLiteError { throw StoreError(error, path: path) }
    }

    /// How a stream's records are stored; what was prepared once need not be looked at again until somebody changes the
    /// database's schema, or asks for the table in another way.
    private func layout(for schema: RecordSchema) throws -> (TableLayout, [SchemaChange]) {
        let mapping = EntityRegistry.name(schema.pipeline, schema.stream, schema.entity)
        let version = try connection.integer("PRAGMA schema_version")
        if let known = layouts[mapping], known.version == version, known.asked == schema {
            // People may have written since another run.
            if known.run == recorder.run { return (known.layout, []) }
            layouts[mapping]?.run = recorder.run
            return (known.layout, [try database.spellKeys(of: schema)].compactMap { $0 })
        }
        var planner = SchemaPlanner(database: database, schema: schema, recorder: recorder)
        let layout = try planner.prepare()
        if planner.asksAnew { pending.expectPassingRules() }
        layouts[mapping] = (try connection.integer("PRAGMA schema_version"), schema, recorder.run, layout)
        return (layout, planner.changes)
    }

    /// Has a table that others refer to and that no source fills go on under its new names.
    package func followNames(
        ofTarget target: RecordSchema, referredToBy referrers: [RecordSchema], apartFrom tables: Set<String>
    ) throws -> [SchemaChange] {
        try translated {
            var planner = SchemaPlanner(database: database, schema: target, recorder: recorder)
            try planner.followNames(referredToBy: referrers, apartFrom: tables)
            return planner.changes
        }
    }

    /// Has what the store keeps under earlier names go on under the new ones.
    package func followNames(of schema: RecordSchema) throws -> [SchemaChange] {
        try translated {
            var planner = SchemaPlanner(database: database, schema: schema, recorder: recorder)
            try planner.followNames()
            return planner.changes
        }
    }

    /// Makes or extends a table and its base.
    package func prepareTable(_ schema: RecordSchema) throws -> [SchemaChange] {
        do {
            var planner = SchemaPlanner(database: database, schema: schema, recorder: recorder)
            _ = try planner.prepare()
            if planner.asksAnew { pending.expectPassingRules() }
            return planner.changes
        } catch let error as SQLiteError { throw StoreError(error, path: path) }
    }

    /// What the store keeps for names that a pipeline no longer has.
    package func orphans(
        of pipeline: String, _ schemas: [RecordSchema],
        isSame: (FieldValue, BaseEntry, RecordSchema.Field) throws -> Bool
    ) throws -> [Orphan] {
        try translated {
            try OrphanFinder(database: database).orphans(of: pipeline, schemas, isSame: isSame)
        }
    }

    /// Tables and columns that are missing and that no stream fills, since records only refer to them.
    package func missing(
        of targets: [RecordSchema], among schemas: [RecordSchema],
        isSame: (FieldValue, BaseEntry, RecordSchema.Field) throws -> Bool
    ) throws -> [Orphan] {
        try translated {
            try OrphanFinder(database: database).missing(of: targets, among: schemas, isSame: isSame)
        }
    }

    /// Has other sources go on with the values of a field that its own no longer fills.
    package func passOn(
        _ orphan: Orphan, isBehind: (RecordMapping) -> Bool,
        isSame: (FieldValue, BaseEntry, RecordSchema.Field) throws -> Bool,
        entry: (FieldValue, RecordSchema.Field) -> BaseEntry
    ) throws {
        try translated { try OrphanFinder(database: database).passOn(orphan, isBehind: isBehind, isSame, entry) }
    }

    /// Gives up what a pipeline no longer has.
    package func giveUp(_ orphan: Orphan) throws -> [SchemaChange] {
        try translated { try OrphanFinder(database: database, recorder: recorder).giveUp(orphan) }
    }

    /// Replaces what is stored in clear of fields that are redacted from now on.
    package func redactStored(
        _ schemas: [RecordSchema], isSame: (FieldValue, BaseEntry, RecordSchema.Field) throws -> Bool,
        redactor: (_ record: [UInt8], _ entity: String, _ stream: String) -> RedactedQuarantine
    ) throws -> [SchemaChange] {
        try translated {
            try RedactionSweep(database: database, recorder: recorder)
                .perform(schemas, isSame: isSame, redactor: redactor)
        }
    }

    /// Gives columns the types that their fields have now.
    package func convertStored(_ schemas: [RecordSchema], by conversion: FieldConversion) throws -> [SchemaChange] {
        defer { held.forget() }
        return try translated {
            try TypeConversion(database: database, conversion: conversion, recorder: recorder).perform(schemas)
        }
    }

    /// Gives tables the identifiers that their entities have now.
    package func changeKeys(_ schemas: [RecordSchema], by conversion: FieldConversion) throws -> [SchemaChange] {
        defer { held.forget() }
        return try translated {
            var change = KeyChange(
                database: database, conversion: conversion, schemas: schemas, recorder: recorder)
            return try change.perform()
        }
    }

    /// Takes back how tables followed the pipeline in one run.
    package func revertSchema(of run: Int64, by conversion: FieldConversion) throws -> [SchemaChange] {
        defer { forgetTables() }
        return try translated {
            try SchemaUndo(database: database, conversion: conversion, recorder: recorder)
                .perform(run: run, changes.schema(run: run))
        }
    }

    /// Makes a table that others refer to where it is missing, and checks that it can be referred to.
    package func prepareTarget(_ schema: RecordSchema) throws -> [SchemaChange] {
        do {
            var planner = SchemaPlanner(database: database, schema: schema, recorder: recorder)
            try planner.prepareTarget()
            return planner.changes
        } catch let error as SQLiteError { throw StoreError(error, path: path) }
    }
}
