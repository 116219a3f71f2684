internal import SluiceDecode
internal import SluiceMerge
internal import SluiceModel
internal import SluiceReconcile
internal import SluiceReport
internal import SluiceStore
internal import SluiceSystem

/// Takes back what a run did to records, conflicts and quarantine, the last change first.
///
/// Records come first, then what the run inserted, then conflicts: what becomes of a record decides about its conflicts.
final class RunUndo {
    static let chunk = 500
    let target: RunEntry
    let run: Int64?
    let store: any RecordStore
    let observer: any RunObserver
    let cancellation: Cancellation
    let json = StoredJSON()

    /// One record of one stream.
    struct Name: Hashable, Comparable {
        let mapping: RecordMapping
        private let name: ExactText
        var key: String { name.text }

        static func < (left: Name, right: Name) -> Bool {
            (left.name, left.mapping.path) < (right.name, right.mapping.path)
        }

        init(mapping: RecordMapping, key: String) { (self.mapping, name) = (mapping, ExactText(key)) }
    }

    var tables: [RecordMapping: ReviewTable?] = [:]
    var reports: [RecordMapping: StreamReport] = [:]
    var order: [RecordMapping] = []
    /// Records that were touched since, or cannot be written.
    var leftRecords: Set<Name> = []
    /// Fields that were touched since, of records that are otherwise as before.
    var leftFields: [Name: Set<String>] = [:]
    /// Records that had a row before they had a base.
    var adopted: Set<Name> = []
    /// Rows that were there before the run, and of which nobody knows any more what their sources say, by their mappings: how many, of
    /// how many of them in part, and the first of them.
    var unadopted: [RecordMapping: (count: Int, inPart: Int, first: [String])] = [:]
    /// Records whose rows already are as before the run.
    var asBefore: Set<Name> = []
    /// The redacted fields of which values come back, by their mappings.
    var redacted: [RecordMapping: Set<String>] = [:]
    /// Records that the run inserted and whose rows were deleted since, which nothing remembers then.
    var forgotten: Set<Name> = []
    /// Records that the run itself inserted and deleted.
    var passing: Set<Name> = []
    /// What waits for unique values.
    var waiting: [Name: UndoPlan] = [:]
    /// Deletions of what belonged to records that are not there, which may come back after them, and what the run did to the
    /// same rows before, the last change first.
    var ownerless: [RecordedChange] = []
    /// What the sources of these rows call them.
    var awaitingOwners: Set<Name> = []
    /// Whether records may still come back that others belong to.
    var mayFindOwners = true
    /// Rows that others still belong to, which go last.
    var removals: [Removal] = []
    /// For each mapping whose records stand in lists with an order the mapping of the outermost list's elements.
    var listRoots: [RecordMapping: RecordMapping] = [:]
    /// Such lists that were touched since: all of each stays.
    var leftLists: Set<Name> = []
    /// The tables of what belongs to the records of a mapping.
    var childTables: [RecordMapping: [any RecordTable]] = [:]
    /// How many steps down from a mapping's records there are others that belong to them.
    var heights: [RecordMapping: Int] = [:]
    /// Rows that the run made for records that others refer to, as far as something of them stays.
    var stubs: [Name: Stub] = [:]
    /// The tables in which a row comes back, with its key alone, where something still refers to it.
    var stubTables: Set<String> = []
    /// Rows of these tables that were deleted; what becomes of them is known once references are settled.
    var removed: [(change: RecordChange, name: Name, table: ReviewTable)] = []
    /// Rows whose references wait once more, or lead elsewhere since; those that stay are told at the end.
    var unlinked: [(change: RecordChange, name: Name, table: ReviewTable)] = []
    /// The records of which an update was told.
    var updated: Set<Name> = []
    /// Whether the run took references away, which come again as references are settled.
    var mayLinkAgain = false
    /// Changes of records whose names are identifiers that the run brought, from which its tables are away: they are
    /// taken back once these identifiers are there again.
    var postponed: [RecordedChange] = []
    /// Whether identifiers of before the run may come again.
    var mayFindMoreNames = false
    /// The streams whose records, conflicts or quarantine the run changed. Of others there is nothing to be read again.
    var changedStreams: Set<String> = []
    /// What was done to tables.
    private(set) var schemaChanges: [SchemaChange] = []
    /// The fields of tables of which the history may have values of an earlier type.
    var retyped: [RecordMapping: Set<String>] = [:]
    /// The values that came back and that their fields could not hold.
    var waitingValues: [(name: Name, field: String, value: FieldValue)] = []
    /// Whether anything was written.
    var hasWritten = false
    var problems: [RunProblem] = []
    var leftEntries = 0
    /// The conflicts that are left, since they are not as the run left them.
    var leftConflicts: [Int64] = []
    var withdrawnConflicts: [Int64] = []
    /// How many records were looked at.
    private var looked = 0

    init(
        of target: RunEntry, by run: Int64?, store: any RecordStore, observer: any RunObserver,
        cancellation: Cancellation
    ) {
        self.target = target
        self.run = run
        self.store = store
        self.observer = observer
        self.cancellation = cancellation
    }

    /// The counts of each stream, in the order in which they were met; those of records within others by their entity.
    func streams() throws -> [StreamReport] {
        let tables = try StreamTables(of: target.pipeline, in: store)
        var streams: [StreamReport] = []
        for mapping in order {
            guard let report = reports[mapping] else { continue }
            let place = streams.firstIndex { $0.stream == mapping.stream }
            guard let own = tables.own(around: mapping), own != mapping else {
                if let place { streams[place].summary.add(report.summary) } else { streams.append(report) }
                continue
            }
            if place == nil { streams.append(StreamReport(stream: own.stream, entity: own.entity)) }
            streams[place ?? streams.count - 1].parts.append(
                StreamReport.Part(entity: mapping.entity, summary: report.summary, newConflicts: 0))
        }
        return streams
    }

    /// How many records were left as they are.
    var left: Int { leftRecords.count + leftFields.count }

    /// Does all of it within the store's transaction.
    func perform() throws {
        stubTables = try tablesOfStubs()
        mayFindMoreNames = try !store.changes.schema(run: target.id).isEmpty
        try leaveTouchedLists()
        try undoRecords()
        try undoOwnerless()
        try undoInserts()
        try undoRemovals()
        try finish()
        // What belongs to a record that waited for a value of another row comes back after it, level by level.
        while !ownerless.isEmpty {
            let count = ownerless.count
            try undoOwnerless()
            try finish()
            if ownerless.count < count { continue }
            try undoOwnerless(isLast: true)
            try finish()
        }
        mayFindOwners = false
        try reportUnlinked()
        if try store.revertStubs(of: target.id) > 0 { recordWritten() }
        try undoSchema()
        try undoPostponed()
        try reportWaitingValues()
        reportAsBefore()
        reportForgotten()
        reportRedacted()
        reportUnadopted()
        try undoEntries()
    }

    private func undoPostponed() throws {
        mayFindMoreNames = false
        if postponed.isEmpty { return }
        try undo(postponed)
        try undoRemovals()
        try finish()
    }

    /// Takes back how tables followed the pipeline. Records are as they were before, so what was lost can come back.
    private func undoSchema() throws {
        schemaChanges = try store.revertSchema(of: target.id, by: .lossless())
        let names = try keptNames()
        if !schemaChanges.isEmpty {
            recordWritten()
            (tables, childTables) = ([:], [:])
            let what = names == nil ? "Tables" : "Types, identifiers and indexes of tables"
            problems.append(
                RunProblem(
                    code: "schema_undone", severity: .warning,
                    message:
                        "\(what) \(run == nil ? "would be" : "are") as before run \(target.id), and the pipeline's file may still say what it brought. If it does, put the file back as well, or the next run changes them again."
                ))
        }
        let columns = try addedColumns()
        if !columns.isEmpty {
            let verb = run == nil ? "would stay" : "stay"
            problems.append(
                RunProblem(
                    code: "columns_kept", severity: .note,
                    message:
                        "Columns that run \(target.id) added \(verb): \(columns.joined(separator: ", ")). Drop them by hand where nothing fills them any more."
                ))
        }
        try reportStillRedacted()
        guard let names else { return }
        problems.append(
            RunProblem(
                code: "names_kept", severity: .warning,
                message:
                    "Names that run \(target.id) gave \(run == nil ? "would stay" : "stay"). Where you put the pipeline's file back, write \(names), or the next run does not know what they were."
            ))
    }

    /// The columns that the run added to tables that were there: others may have written to them since.
    private func addedColumns() throws -> [String] {
        var columns: [String] = []
        for entry in try store.changes.schema(run: target.id).reversed()
        where entry.kind == SchemaChange.Kind.addColumn.rawValue {
            guard let column = entry.key, let table = entry.old else { continue }
            let name = "`\(column)` of `\(table)`"
            if !columns.contains(name) { columns.append(name) }
        }
        return columns
    }

    /// What the pipeline's file of before must say of names that stay; nil where none does.
    private func keptNames() throws -> String? {
        var names = KeptNames()
        for entry in try store.changes.schema(run: target.id).reversed() {
            let mapping = entry.mapping
            names.add(
                entry,
                try store.knownTable(pipeline: mapping.pipeline, stream: mapping.stream, entity: mapping.entity)?
                    .schema)
        }
        return names.words
    }

    /// Reports how far it has come.
    func report(more count: Int, of mapping: RecordMapping) {
        looked += count
        observer.progress(RunProgress(stage: .undoing, stream: mapping.stream, records: looked))
    }

    // MARK: What writing needs

    func table(_ mapping: RecordMapping) throws -> ReviewTable? {
        if let known = tables[mapping] { return known }
        let records = try store.knownTable(
            pipeline: mapping.pipeline, stream: mapping.stream, entity: mapping.entity)
        // What is taken back of the rest could not be taken back again.
        if try records == nil && store.mappings(pipeline: mapping.pipeline, entity: mapping.entity).contains(mapping) {
            throw StoreError(
                .mismatch,
                "The table of `\(mapping.entity)` is missing, so nothing was taken back. If it was renamed, give the entity `table:` with the name of now and `table_renamed_from:`, and run it first."
            )
        }
        let table = try records.map { try ReviewTable($0, in: store, run: run) }
        tables[mapping] = .some(table)
        if table == nil {
            record(
                "The store does not know the table of `\(mapping.entity)` any more, so its records \(run == nil ? "would be" : "were") left as they are."
            )
        }
        return table
    }
}
