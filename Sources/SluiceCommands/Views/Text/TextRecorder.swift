package import SluiceMerge
package import SluiceModel
package import SluiceReport
package import SluiceStore

/// Keeps a run's changes as text and writes the report for people.
package final class TextRecorder: ReportRecorder {
    private let style: TextStyle
    private let families: EntityFamilies
    private let view: RecordTreeText
    private let commands: CommandLines
    private let entries: GroupedEntries
    private let progressLine: ProgressLine
    /// Conflicts of one record whose change may come next.
    private var waiting: [ConflictEntry] = []
    private var told = ToldConflicts()
    private var quarantineID: Int64?
    private let listsNewTables: Bool
    /// The tables of which a report says no more than how many records they got, in the order in which they came.
    private var newTables: [String] = []

    /// - Parameters:
    ///   - style: How text looks.
    ///   - limit: The most changes, conflicts and invalid records to list, nil for all.
    ///   - listsNewTables: Whether records of tables are listed that had none before.
    ///   - families: Which records belong to which.
    ///   - commands: The command lines that the report names.
    ///   - progressLine: Shows how far the run has come.
    package init(
        style: TextStyle, limit: Int?, listsNewTables: Bool, families: EntityFamilies, commands: CommandLines,
        progressLine: ProgressLine
    ) {
        self.style = style
        self.listsNewTables = listsNewTables
        self.families = families
        self.commands = commands
        self.progressLine = progressLine
        view = RecordTreeText(families: families, style: style)
        entries = GroupedEntries(limit: limit, view: view)
    }

    package func opened(_ schema: RecordSchema, isNew: Bool) {
        if isNew && !listsNewTables && !newTables.contains(schema.table) { newTables.append(schema.table) }
    }

    package func listens(to schema: RecordSchema) -> Bool { !newTables.contains(schema.table) }

    package var wantsChanges: Bool { !entries.isFull(.change) }

    package func wants(_ key: @autoclosure () -> RecordKey, of schema: RecordSchema) -> Bool {
        if newTables.contains(schema.table) { return false }
        if wantsChanges { return true }
        guard families.hasRelatives(schema.entity), let first = schema.keyFields.first else { return false }
        // What belongs to a record that is listed is listed with it. There may be millions of others, so that not the
        // whole way to each is made.
        let key = key()
        guard let value = key.values.first,
            entries.mayWant(FieldJSON.text(value, type: schema.fields[first].type))
        else { return false }
        return entries.wants(.change, families.path(to: key, of: schema))
    }

    package func changed(_ change: RecordChange, schema: RecordSchema) {
        let kind: ReportGroup.Kind =
            switch change.action {
            case .insert: ReportGroup.Kind(.insert, isAgain: change.isAgain)
            case .update: ReportGroup.Kind(updating: change.kind, isAgain: change.isAgain)
            case .delete: ReportGroup.Kind(change.deletion)
            case .conflict: .conflict
            case .keptLocal: .kept
            }
        list(change, schema, kind, .change)
    }

    package func kept(_ change: @autoclosure () -> RecordChange, schema: RecordSchema) {
        if entries.isFull(.kept) && !families.hasRelatives(schema.entity) { return entries.skip(.kept) }
        list(change(), schema, .kept, .kept)
    }

    private func list(
        _ change: RecordChange, _ schema: RecordSchema, _ kind: ReportGroup.Kind, _ sort: GroupedEntries.Sort
    ) {
        let conflicts = conflicts(of: change, schema)
        let path = families.path(to: change.key, of: schema)
        entries.record(Array(conflicts.values), in: table(of: path, else: schema.table))
        let text = ChangeText(style: view.style(depth: (path?.count ?? 1) - 1))
        entries.append(
            kind, table: schema.table, sort, path: path,
            text.text(
                change, schema: schema, conflicts: conflicts, name: path?.last.map { families.label(of: $0) }))
    }

    package func skippedChange(of schema: RecordSchema) {
        if !newTables.contains(schema.table) { entries.skip(.change) }
    }

    /// The conflicts that were told before the change of their record.
    private func conflicts(of change: RecordChange, _ schema: RecordSchema) -> [String: ConflictEntry] {
        var found: [String: ConflictEntry] = [:]
        if let first = waiting.first, first.stream == schema.stream, first.entity == schema.entity,
            ExactText(first.key) == ExactText(FieldJSON.object(key: change.key, schema: schema))
        {
            for entry in waiting { found[entry.field ?? ""] = entry }
            waiting.removeAll()
        }
        settle()
        return found
    }

    package func conflict(_ entry: ConflictEntry) {
        if waiting.first.map({
            ExactText($0.key) != ExactText(entry.key) || $0.stream != entry.stream || $0.entity != entry.entity
        }) ?? false {
            settle()
        }
        if entry.status == .open, let id = entry.id { told.add(entry, number: id) }
        switch entry.status {
        case .open, .auto: waiting.append(entry)
        case .resolved, .obsolete, .converged: close(entry)
        case .within: break
        }
        if entries.isFull(.change) { settle() }
    }

    /// Lists the conflicts of a record of which nothing else changes.
    private func settle() {
        if waiting.isEmpty { return }
        let open = waiting.filter { $0.status == .open }
        if let first = open.first {
            let path = families.path(to: first.entity, keyText: first.key)
            entries.record(open, in: table(of: path, else: families.table(of: first.entity)))
            let text = ConflictText(style: view.style(depth: (path?.count ?? 1) - 1))
            entries.append(
                .conflict, table: families.table(of: first.entity), .conflict, path: path,
                text.block(open, name: path?.last.map { families.label(of: $0) }))
        }
        for entry in waiting where entry.status != .open { close(entry) }
        waiting.removeAll()
    }

    /// The table under which a record is listed: that of the record that it belongs to, where there is one.
    private func table(of path: [RecordName]?, else own: String) -> String {
        path?.first.map { families.table(of: $0.entity) } ?? own
    }

    private func close(_ entry: ConflictEntry) {
        entries.append(
            ConflictText.firstSource(entry) == nil ? .over : .settled, table: families.table(of: entry.entity),
            .conflict, ConflictText(style: style).closedLine(entry))
    }

    package func quarantined(_ entry: QuarantineEntry) {
        quarantineID = quarantineID ?? entry.id
        entries.append(
            .invalid, table: families.table(of: entry.entity), .invalid, QuarantineText(style: style).reported(entry))
    }

    package func restart() {
        entries.clear()
        waiting.removeAll()
        told = ToldConflicts()
        quarantineID = nil
    }

    package func progress(_ progress: RunProgress) { progressLine.show(progress) }

    package func write(_ report: RunReport, seconds: Double, to output: ResultOutput) throws {
        var report = report
        if report.isKept { settle() } else { restart() }
        entries.settle()
        report.note(entries.allSpools)
        let text = TextReport(style: style, families: families, commands: commands)
        try text.write(
            report, entries, newTables: report.isKept ? newTables : [], seconds: seconds, conflicts: told,
            quarantined: quarantineID, to: output)
    }
}
