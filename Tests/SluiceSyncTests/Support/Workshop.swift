import FoundationEssentials
import SluiceJSON
import SluiceMerge
import SluiceModel
import SluicePipeline
import SluiceReconcile
import SluiceReport
import SluiceSQLite
import SluiceStore
import SluiceStores
import SluiceSync
import SluiceSystem
import TestSupport

/// A pipeline over a file of its own and the store that it fills.
final class Workshop {
    let directory: TemporaryDirectory
    /// The database that the store is in: a file of the workshop's own unless set.
    var database: any WorkshopDatabase
    var fields: [FieldDefinition]
    var key = ["id"]
    var unique: [[String]] = []
    var rule = DeleteRule()
    var entries: String?
    var records: JSONPath?
    var format = StreamDefinition.Format.json
    var path: String? = "remote.json"
    var name = "shop"
    var deletedWhen: String?
    var rules = ConflictRules()
    /// `--full`, `--from` and `--to`.
    var overrides = Overrides()

    struct Overrides {
        var isFull = false
        var from: String?
        var to: String?
    }

    /// Changes the pipeline beyond what stands here.
    var adjust: (inout PipelineDefinition) -> Void = { _ in }
    /// Changes what runs are asked for beyond what stands here.
    var adjustOptions: (inout SyncOptions) -> Void = { _ in }
    /// The folder that ``path`` starts at, the workshop's own unless set.
    var base: String?
    /// The only stream to run, nil for all.
    var stream: String?
    /// A pipeline that is run instead of the one over ``fields``.
    var definition: PipelineDefinition?
    /// Whether plans of first runs are compared with these on a server too. Making all tables takes longer there than the rest of
    /// most tests, and the plan of a first run does it as well; `PostgresPlanTests` compares some.
    var comparesFirstPlans = false
    /// How much of bases is kept: little, so that tests with values of ordinary length meet digests too.
    var keepsBase = BaseKeeping.digest

    /// Items with an integer `id` and two texts, unless other fields are given.
    init(fields: [FieldDefinition]? = nil, rule: DeleteRule = DeleteRule()) throws {
        directory = try TemporaryDirectory()
        database = WorkshopFile(directory.file("store.db"))
        self.fields = try fields ?? [field("id", .int), field("a"), field("b")]
        self.rule = rule
    }

    var store: String { directory.file("store.db") }

    var pipeline: PipelineDefinition {
        if var definition {
            definition.keepsBase = keepsBase
            return definition
        }
        var entity = EntityDefinition(name: "Item", table: "items", primaryKey: key, unique: unique, fields: fields)
        entity.conflictRules = rules
        var stream = StreamDefinition(
            name: "items", entity: "Item", path: path.map { ConfigurationText($0) }, format: format,
            records: records, entries: entries, deleteMissing: rule)
        stream.deletedWhen = deletedWhen
        var pipeline = PipelineDefinition(
            name: name, file: "test.yaml", source: SourceDefinition(base: .file(base ?? directory.path)),
            entities: [entity], streams: [stream])
        pipeline.keepsBase = keepsBase
        adjust(&pipeline)
        // As a file's would: what is said of the mapping, and nothing of the source.
        for index in pipeline.streams.indices {
            let stream = pipeline.streams[index]
            pipeline.streams[index].mappingFingerprint = String(
                decoding: SHA256.hexadecimal(
                    of: Array("\(pipeline.entities) \(stream.records as Any) \(stream.deletedWhen as Any)".utf8)),
                as: UTF8.self)
        }
        return pipeline
    }

    func put(_ json: String, as file: String = "remote.json") throws {
        try Data(json.utf8).write(to: URL(fileURLWithPath: directory.file(file)))
    }

    /// Runs or plans what the source says now.
    func sync(
        _ command: RunReport.Command = .run, allowing deletes: Int? = nil, wait: Double = 0,
        cancellation: Cancellation = Cancellation(), recorder: Recorder = Recorder()
    ) -> (report: RunReport, recorder: Recorder) {
        var options = SyncOptions(
            store: database.address, command: command, version: "test", cancellation: cancellation)
        options.allowedDeletes = deletes
        options.streams = stream.map { [$0] } ?? []
        options.store.waitSeconds = wait
        // What a plan finds by going through the store, its run finds by what was counted beside it, however small the store is.
        options.leastBytesBeside = command == .run ? 1 : .max
        (options.isFull, options.from, options.to) = (overrides.isFull, overrides.from, overrides.to)
        adjustOptions(&options)
        return (SyncEngine(pipeline: pipeline, options: options, observer: recorder).run(), recorder)
    }

    /// Puts a source, plans it, checks that the plan left no trace, runs it and checks that both said the same and that the
    /// counts are those of what was told.
    func syncPlanned(_ json: String? = nil, allowing deletes: Int? = nil) throws -> (RunReport, Recorder) {
        if let json { try put(json) }
        if database is WorkshopSchema && !comparesFirstPlans && !database.exists {
            return try counted(sync(allowing: deletes))
        }
        let before = try database.trace()
        let plan = sync(.plan, allowing: deletes)
        let untouched = try database.trace() == before
        let run = sync(allowing: deletes)
        guard untouched else { throw Disagreement(what: "the plan changed the store") }
        guard plan.report.summary == run.report.summary, plan.report.status == run.report.status else {
            throw Disagreement(what: "plan \(plan.report), run \(run.report)")
        }
        // Of the file that a run makes a plan can tell nothing.
        let problems = run.report.problems.filter { $0.code != "store_private" }
        guard plan.report.schemaChanges == run.report.schemaChanges, plan.report.problems == problems,
            plan.report.refusedDeletes == run.report.refusedDeletes, plan.report.hasChanges == run.report.hasChanges
        else { throw Disagreement(what: "plan \(plan.report), run \(run.report)") }
        guard plan.recorder.told == run.recorder.told else {
            throw Disagreement(what: "plan \(plan.recorder.told), run \(run.recorder.told)")
        }
        return try counted(run)
    }

    /// Checks that the counts of a run are those of what was told.
    private func counted(_ run: (report: RunReport, recorder: Recorder)) throws -> (RunReport, Recorder) {
        let told = [.insert, .update, .delete].map { run.recorder.counts[$0] ?? 0 }
        let total = run.report.total
        // What a run that failed had told is not kept, and not counted.
        guard run.report.status == .failed || told == [total.insert, total.update, total.delete] else {
            throw Disagreement(what: "told \(run.recorder.changes), counted \(total)")
        }
        return run
    }

    /// Runs the same source again and gives what it wrote besides its run row, which should be nothing.
    ///
    /// - Parameters:
    ///   - deletes: How many records may go.
    ///   - renewing: Whether texts are known anew since the mapping changed or a run was undone, which a run before sees to
    ///     that has nothing else to do.
    /// - Returns: The report, and what was written.
    /// - Throws: What the store throws, and ``Disagreement``.
    func quietRun(
        allowing deletes: Int? = nil, renewing: Bool = false
    ) throws -> (RunReport, written: [String]) {
        if renewing, sync(allowing: deletes).report.hasChanges { throw Disagreement(what: "the run was not quiet") }
        let before = try heldAndCounted()
        let report = sync(allowing: deletes).report
        let now = try heldAndCounted()
        var written = before.rows.keys.filter { now.rows[$0] == nil }
        // Rows become texts where they differ.
        for (table, rows) in now.rows where before.rows[table] != rows {
            let (old, new) = (before.rows[table].map(lines), lines(rows))
            if old != new { written.append("\(table): \(new)") }
        }
        if now.runs != before.runs + 1 { written.append("_sluice_runs: \(before.runs) \(now.runs)") }
        return (report, written.sorted())
    }

    struct Disagreement: Error { let what: String }

    /// The bytes of the store's files.
    func storeFiles() -> [String: Data] { (try? database.trace()) ?? [:] }

    /// The store, to look at or to decide in.
    func open(_ use: StoreUse) throws -> any RecordStore {
        try database.address.backend.open(use, StoreWaiting(busyMilliseconds: 1_000))
    }

    // MARK: SQL

    func sql(_ text: String) throws { try database.execute(text) }

    /// Rows as text, as in `1|'a'|NULL`.
    func rows(_ query: String) throws -> [String] {
        try database.rows(query).map { $0.map(Self.text).joined(separator: "|") }
    }

    /// Rows as the texts themselves; what is no text is left out.
    func values(_ query: String) throws -> [[String]] {
        try database.rows(query).map { row in
            row.compactMap { if case .text(let bytes) = $0 { String(decoding: bytes, as: UTF8.self) } else { nil } }
        }
    }

    /// All rows of all tables but the runs, as texts.
    func contents() throws -> [String: [String]] { try held().mapValues(lines) }

    /// All rows of all tables but the runs.
    private func held() throws -> [String: [[SQLiteValue]]] {
        try database.together {
            var held: [String: [[SQLiteValue]]] = [:]
            for table in try database.tables() where !table.hasPrefix("_sluice_run") {
                // What is kept of a run besides its row belongs to it.
                let others = table == "_sluice_state" ? " WHERE part NOT LIKE 'run %'" : ""
                held[table] = try database.rows("SELECT * FROM \(SQLName.quoted(table))" + others)
            }
            held["schema"] = try database.definitions()
            return held
        }
    }

    /// All rows of all tables but the runs, and how many runs there are.
    private func heldAndCounted() throws -> (rows: [String: [[SQLiteValue]]], runs: Int) {
        try database.together { (try held(), Int(try rows("SELECT count(*) FROM _sluice_runs")[0]) ?? 0) }
    }

    /// Rows as texts, in order.
    private func lines(_ rows: [[SQLiteValue]]) -> [String] {
        let lines = rows.map { $0.map(Self.text).joined(separator: "|") }
        return database.keepsOrder ? lines : lines.sorted()
    }

    var items: [String] { get throws { try rows("SELECT * FROM items ORDER BY 1") } }

    /// The base as in `1 live a=null b='x'`, with `open` behind the state where a conflict waits.
    var bases: [String] { get throws { try bases(of: "items") } }

    /// The base of one stream.
    func bases(of stream: String) throws -> [String] {
        let states = ["live", "remoteTombstone", "localTombstone", "stated", "overruled"]
        let mapping = "\(name)/\(stream)/Item"
        let table = "_sluice_base_\(name)_\(stream)_Item"
        let slots = try database.rows(
            "SELECT name, value FROM _sluice_schema WHERE kind = 'slot' AND name LIKE '\(mapping)/%'"
        ).sorted { Self.number($0[1]) < Self.number($1[1]) }
        let names = slots.map { Self.text($0[0]).split(separator: "/").last.map { String($0.dropLast()) } ?? "" }
        return try database.rows("SELECT \(key[0]), state, open, fields FROM \(SQLName.quoted(table)) ORDER BY 1")
            .map { row in
                guard case .integer(let state) = row[1], case .integer(let open) = row[2],
                    case .blob(let blob) = row[3]
                else { return "damaged" }
                let entries = BaseCoding.decode(blob, slotCount: names.count) ?? []
                let texts = zip(names, entries).filter { !key.contains($0.0) }.map { name, entry in
                    switch entry {
                    case .none: "\(name)=∅"
                    case .null: "\(name)=null"
                    case .value(let value): "\(name)=\(Self.text(value))"
                    case .digest: "\(name)=#"
                    }
                }
                return ([Self.text(row[0]), states[Int(state)] + (open == 0 ? "" : " open")] + texts).joined(
                    separator: " ")
            }
    }

    /// Conflicts as in `edit_edit a base='x' local='y' remote='z' open 1`.
    var conflicts: [String] {
        get throws {
            try rows(
                """
                SELECT kind || ' ' || coalesce(field, '*') || ' ' || coalesce(base, '-') || ' ' || coalesce(local, '-') || ' '
                || coalesce(remote, '-') || ' ' || status || ' ' || seen FROM _sluice_conflicts ORDER BY id
                """
            ).map { String($0.dropFirst().dropLast()) }
        }
    }

    /// The number that a text begins with.
    private static func number(_ value: SQLiteValue) -> Int {
        guard case .text(let bytes) = value else { return 0 }
        return Int(String(decoding: bytes.prefix { (0x30...0x39).contains($0) }, as: UTF8.self)) ?? 0
    }

    static func text(_ value: SQLiteValue) -> String {
        switch value {
        case .null: "NULL"
        case .integer(let value): String(value)
        case .real(let value): String(value)
        case .text(let bytes): "'" + String(decoding: bytes, as: UTF8.self) + "'"
        case .blob(let bytes): "x" + bytes.map { String($0, radix: 16) }.joined(separator: ",")
        }
    }

    private static func text(_ value: FieldValue) -> String {
        switch value {
        case .null: "NULL"
        case .integer(let value): String(value)
        case .real(let value): String(value)
        case .text(let bytes): "'" + String(decoding: bytes, as: UTF8.self) + "'"
        case .blob(let bytes): "x" + bytes.map { String($0, radix: 16) }.joined(separator: ",")
        }
    }
}

extension RunSummary {
    /// The counts that are not zero, as in `update 1, unchanged 2`.
    var text: String {
        [
            ("insert", insert), ("update", update), ("delete", delete), ("unchanged", unchanged),
            ("kept_local", keptLocal), ("conflict", conflict), ("quarantined", quarantined),
        ].filter { $0.1 != 0 }.map { "\($0.0) \($0.1)" }.joined(separator: ", ")
    }
}
