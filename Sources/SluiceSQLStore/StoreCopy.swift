internal import SluiceModel
package import SluiceStore

/// Copies a store to another database, in one transaction there and as of one moment here.
///
/// Rows go one by one, so that memory does not depend on how many there are. What the target cannot hold ends the copy with
/// the names of the first values; nothing of it remains then.
package struct StoreCopy {
    /// How many values that the target cannot hold are named.
    private static let listed = 10
    /// After so many rows it is told how far the copy has come.
    private static let pace = 1_000

    let source: any TransferDatabase
    let target: any TransferDatabase
    private let runs: (source: any RunLedger, target: any RunLedger)
    private let verifies: Bool
    private let progress: (StoreCopyProgress) throws -> Void

    /// Prepares a copy.
    ///
    /// - Parameters:
    ///   - source: The store.
    ///   - target: Where there is none yet.
    ///   - verifies: Whether to read the target again and compare it row by row.
    ///   - progress: Is told how far it has come; what it throws ends the copy.
    package init(
        from source: any TransferableStore, to target: any TransferableStore, verifies: Bool,
        progress: @escaping (StoreCopyProgress) throws -> Void
    ) {
        (self.source, self.target) = (source.transferDatabase, target.transferDatabase)
        runs = (source.runs, target.runs)
        (self.verifies, self.progress) = (verifies, progress)
    }

    /// Does it.
    ///
    /// - Returns: What was copied.
    /// - Throws: `StoreError`; the target is as it was then.
    package func perform() throws -> StoreCopyReport {
        try source.atOneMoment {
            try target.beginFilling()
            do {
                let report = try fill()
                try target.endFilling()
                return report
            } catch {
                target.giveUpFilling()
                throw error
            }
        }
    }

    private func fill() throws -> StoreCopyReport {
        var report = StoreCopyReport()
        var plan = try CopyPlan(source, target)
        try make(&plan)
        var checks: [Check] = []
        for table in plan.tables { checks.append(try copy(table)) }
        let (bases, mappings) = try copyBases()
        checks += bases
        for ledger in CopiedLedger.all {
            if let check = try copy(ledger, plan) { checks.append(check) }
        }
        try copyRuns()
        let names = try finish(&plan, mappings)
        report.left = plan.left
        try copyNotes(names, mappings)
        for table in plan.tables { try makeView(of: table) }
        report.tables = checks.map {
            StoreCopyReport.Table(name: $0.name, role: $0.role, rows: $0.digest.rows, digest: $0.digest.sum)
        }
        for check in checks { try compare(check) }
        try compareRuns()
        report.isVerified = verifies
        return report
    }

    // MARK: Rows

    /// A table that was copied, to be compared.
    private struct Check {
        let name: String
        let role: StoreCopyReport.Role
        let columns: [(name: String, type: FieldType?)]
        let digest: RowDigest
        var unpacks: Set<String> = []
    }

    /// Copies the rows of a query, which reads columns in their order. `values` makes what is written of a row that was read,
    /// and gives what is compared where that is something else; `record` names a row.
    private func copy(
        _ query: String, _ name: String, _ role: StoreCopyReport.Role, _ columns: [(name: String, type: FieldType?)],
        _ values: (inout [FieldValue]) -> [FieldValue]?, _ record: ([FieldValue]) -> String
    ) throws -> Check {
        var digest = RowDigest(columns)
        var unheld: [String] = []
        try target.load(name, columns.map(\.name)) { add in
            try source.each(query, []) { row in
                var written = row
                let compared = values(&written)
                if let column = try add(written) {
                    unheld.append("`\(columns[column].name)` of \(record(row)) in `\(name)`")
                    return unheld.count < Self.listed
                }
                digest.add(compared ?? written)
                if digest.rows % Self.pace == 0 {
                    try progress(StoreCopyProgress(table: name, rows: digest.rows, isVerifying: false))
                }
                return true
            }
        }
        if !unheld.isEmpty {
            let more = unheld.count == Self.listed ? "; there may be more" : ""
            throw StoreError(
                .rejected,
                "`\(target.place)` cannot hold some values of `\(source.place)`: \(unheld.joined(separator: ", "))\(more). Nothing was copied. Correct them there: \(target.limits)"
            )
        }
        return Check(name: name, role: role, columns: columns, digest: digest)
    }

    private func copy(_ table: CopiedTable) throws -> Check {
        let columns = table.columns.map { (name: $0.name, type: FieldType?.some($0.type)) }
        let reads = table.columns.map(\.read).joined(separator: ", ")
        return try copy(
            "SELECT \(reads) FROM \(source.table(table.name))", table.name, .table, columns,
            { row in
                for index in row.indices { row[index] = table.columns[index].value(row[index]) }
                return nil
            }, table.name(of:))
    }

    // MARK: Tables

    /// Whether constraints are added once the rows are there: what others refer to must be there first, but where tables are
    /// made with all that they have.
    private var addsConstraints: Bool { target.addedForeignKey("t", "") != nil }

    private func make(_ plan: inout CopyPlan) throws {
        for table in plan.tables {
            let constraints = addsConstraints ? [] : table.foreignKeys.map { plan.constraint($0) }
            let checks = addsConstraints ? [] : table.checks.map { plan.constraint($0) }
            func make(_ constraints: [String]) throws {
                try target.execute(table.statement(in: target, constraints: constraints))
            }
            if checks.isEmpty {
                try make(constraints)
            } else if try target.failure({ try make(checks + constraints) }) != nil {
                // A rule may call a function of people, or name a column that is computed.
                try make(constraints)
                plan.recordOmitted(table.checks, of: table.name)
            }
            if table.isOurs { try target.recordMade(table.name) }
        }
    }

    /// Makes indexes and foreign keys, and has columns that give numbers go on.
    ///
    /// - Returns: The names of the indexes, by table and name in the source.
    private func finish(
        _ plan: inout CopyPlan, _ mappings: [String: String]
    ) throws -> [String: String] {
        var names: [String: String] = [:]
        for table in plan.tables {
            for index in table.indexes {
                let columns = index.columns.map { folded in
                    table.columns.first { $0.name.lowercased() == folded }?.name ?? folded
                }
                // Databases call what constraints make as they like.
                let wanted =
                    index.isOfConstraint ? ([table.name] + columns + ["key"]).joined(separator: "_") : index.name
                let name = try freeName(wanted)
                names["\(table.name)/\(index.name)"] = "\(table.name)/\(name)"
                let rows = index.isWhole ? "" : " WHERE \(DeletionMark.isNotSet)"
                try target.execute(
                    "CREATE \(index.isUnique ? "UNIQUE " : "")INDEX \(SQLText.quoted(name)) ON \(target.table(table.name)) (\(SQLText.list(columns)))\(rows)"
                )
            }
            for column in table.columns where column.isNumbered {
                try target.continueNumbers(of: column.name, in: table.name, after: column.lastNumber)
            }
            if !addsConstraints { continue }
            for check in table.checks {
                guard let sql = target.addedForeignKey(table.name, plan.constraint(check)) else { continue }
                if try target.failure({ try target.execute(sql) }) != nil {
                    plan.recordOmitted([check], of: table.name)
                }
            }
        }
        for table in plan.tables {
            for key in table.foreignKeys {
                guard let sql = target.addedForeignKey(table.name, plan.constraint(key)) else { continue }
                if let reason = try target.failure({ try target.execute(sql) }) {
                    throw StoreError(
                        .rejected,
                        "The foreign key of `\(table.name)` (\(key.columns.joined(separator: ", "))) to `\(key.target)` cannot be made: \(reason). Nothing was copied. `sluice store check` lists the rows that it is about, and says what to do."
                    )
                }
            }
        }
        return names
    }

    private func freeName(_ wanted: String) throws -> String {
        var (name, suffix) = (target.derivedName(wanted), 1)
        while try target.object(name) != nil {
            suffix += 1
            name = target.derivedName("\(wanted)_\(suffix)")
        }
        return name
    }

    private func makeView(of table: CopiedTable) throws {
        guard try EntityRegistry(database: target).knows(table: table.name) else { return }
        _ = try ConflictView(database: target, table: table.name).refresh()
    }

    // MARK: Bases

    /// Copies what the sources said last.
    ///
    /// - Returns: The bases, and the name of each in the target by its mapping.
    private func copyBases() throws -> ([Check], [String: String]) {
        let registry = EntityRegistry(database: source)
        var checks: [Check] = []
        var names: [String: String] = [:]
        for mapping in try registry.mappings() {
            let name = EntityRegistry.name(mapping)
            guard let tables = try registry.tables(of: name) else { continue }
            let keys = try registry.keySlots(of: name)
            let schema = RecordSchema(
                pipeline: mapping.pipeline, stream: mapping.stream, entity: mapping.entity, table: tables.table,
                fields: keys.map(\.schemaField), keyFields: Array(keys.indices))
            let base = try SchemaPlanner(database: target, schema: schema).createBaseTable()
            names[name] = "\(base)\t\(tables.table)"
            let known = try source.columnNames(of: tables.base)
            let types = Dictionary(
                keys.map { (TableLayout.baseColumn(for: $0.column).lowercased(), $0.type) },
                uniquingKeysWith: { first, _ in first })
            let columns = (keys.map { TableLayout.baseColumn(for: $0.column) } + TableLayout.baseColumns)
                .filter { known.contains($0.lowercased()) }
                .map { (name: $0, type: types[$0.lowercased()] == .decimal ? FieldType.decimal : nil) }
            checks.append(
                try copy(
                    "SELECT \(SQLText.list(columns.map(\.name))) FROM \(source.table(tables.base))", base, .base,
                    columns, { _ in nil }
                ) { RefusedRows.key(keys.map { (name: $0.field, type: $0.type) }, $0) })
        }
        return (checks, names)
    }

    // MARK: Ledgers

    private func copy(_ ledger: CopiedLedger, _ plan: CopyPlan) throws -> Check? {
        let table = "_sluice_" + ledger.name
        guard try source.object(table) == .table else { return nil }
        let known = try source.columnNames(of: table)
        let columns = ledger.columns.filter { known.contains($0) }.map { (name: $0, type: FieldType?.none) }
        let packed = columns.indices.filter { ledger.packed.contains(columns[$0].name) }
        let kind = columns.firstIndex { $0.name == "kind" }
        let condition = ledger.name == "state" ? " WHERE NOT (\(source.stateOfRuns))" : ""
        var check = try copy(
            "SELECT \(SQLText.list(columns.map(\.name))) FROM \(source.ledger(ledger.name))\(condition)", table,
            .ledger,
            columns,
            { row in
                if packed.isEmpty { return nil }
                let isSchema = kind.map { row[$0].string == RecordedEntry.Subject.schema.rawValue } ?? false
                var compared = row
                for index in packed {
                    var value = source.unpacked(row[index])
                    if isSchema { value = renamed(value, plan) }
                    compared[index] = value
                    row[index] = target.packed(value)
                }
                return compared
            }
        ) { row in RefusedRows.key(zip(columns, row).prefix(4).map { ($0.0.name, .string) }, Array(row.prefix(4))) }
        check.unpacks = ledger.packed
        return check
    }

    /// A statement that the history keeps, with the tables as the target names them.
    private func renamed(_ value: FieldValue, _ plan: CopyPlan) -> FieldValue {
        guard var text = value.string else { return value }
        for table in plan.tables {
            text = text.replacing(" ON \(source.table(table.name)) (", with: " ON \(target.table(table.name)) (")
        }
        return FieldValue(text)
    }

    private func eachRun(_ body: (RunEntry) throws -> Void) throws {
        for row in try source.rows("SELECT id FROM \(source.ledger("runs")) ORDER BY id") {
            if let id = row[0].number, let run = try runs.source.entry(id: id) { try body(run) }
        }
    }

    private func copyRuns() throws { try eachRun { try runs.target.record($0) } }

    private func compareRuns() throws {
        let counts = try [source, target].map { try $0.count(of: "_sluice_runs") }
        if counts[0] != counts[1] { throw differs("_sluice_runs", "\(counts[0]) rows became \(counts[1])") }
        guard verifies else { return }
        try eachRun { run in
            if try runs.target.entry(id: run.id) != run {
                throw differs("_sluice_runs", "run \(run.id) is another one")
            }
        }
    }

    // MARK: Notes

    /// Copies what the store notes of pipelines, with the names that bases and indexes have in the target.
    private func copyNotes(_ indexes: [String: String], _ mappings: [String: String]) throws {
        let registry = EntityRegistry(database: target)
        let isSameKind = source.kind == target.kind
        for row in try source.rows("SELECT kind, name, value FROM \(source.ledger("schema")) ORDER BY kind, name") {
            let (kind, name, value) = (row[0].string ?? "", row[1].string ?? "", row[2].string ?? "")
            switch kind {
            // What is true of the database that it was noted in.
            case "format", "lock", "redaction", "view", "made", PartWords.kind: continue
            case "form": if isSameKind { try registry.put(kind, name, value) }
            case "mapping": try registry.put(kind, name, mappings[name] ?? value)
            case "index", ReferredIndexes.kind: if let kept = indexes[name] { try registry.put(kind, kept, value) }
            default: try registry.put(kind, name, value)
            }
        }
    }

    // MARK: Comparing

    private func compare(_ check: Check) throws {
        let count = try target.count(of: check.name)
        let extra = check.name == "_sluice_state" ? try target.integer(stateOfRunsCount) ?? 0 : 0
        if count - Int(clamping: extra) != check.digest.rows {
            throw differs(check.name, "\(check.digest.rows) rows became \(count)")
        }
        guard verifies else { return }
        var digest = RowDigest(check.columns)
        let columns = try target.columns(of: check.name)
        let reads = try check.columns.map { wanted in
            try columns.first { ColumnName.areSame($0.name, wanted.name) }.map {
                try target.reading($0, of: check.name)
            } ?? SQLText.quoted(wanted.name)
        }
        let condition = check.name == "_sluice_state" ? " WHERE NOT (\(target.stateOfRuns))" : ""
        let packed = check.columns.indices.filter { check.unpacks.contains(check.columns[$0].name) }
        try target.each("SELECT \(reads.joined(separator: ", ")) FROM \(target.table(check.name))\(condition)", []) {
            var row = $0
            for index in packed { row[index] = target.unpacked(row[index]) }
            digest.add(row)
            if digest.rows % Self.pace == 0 {
                try progress(StoreCopyProgress(table: check.name, rows: digest.rows, isVerifying: true))
            }
            return true
        }
        if digest.sum != check.digest.sum { throw differs(check.name, "their digests differ") }
    }

    private var stateOfRunsCount: String {
        "SELECT count(*) FROM \(target.ledger("state")) WHERE \(target.stateOfRuns)"
    }

    private func differs(_ table: String, _ what: String) -> StoreError {
        StoreError(
            .failed,
            "The table `\(table)` of `\(target.place)` is not as that of `\(source.place)`: \(what). Nothing was copied. Look for triggers that change rows; without one this is a bug in sluice."
        )
    }
}
