internal import SluiceMerge
internal import SluiceStore
internal import SluiceSystem

/// Takes back what a run did to records, conflicts and quarantine, the last change first.
///
/// Records come first, then what the run inserted, then conflicts: what becomes of a record decides about its conflicts.
final class RunUndo {
    static let chunk = 500
    private static let mostProblems = 50
    let target: RunEntry
    let run: Int64?
    let store: any RecordStore
    let observer: any RunObserver
    let cancellation: Cancellation
    let json = StoredJSON()

    /// One record of one stream.
    struct Name: Hashable {
        let mapping: RecordMapping
        let key: String
    }

    /// A table with what comparing its records takes.
    struct Table {
        let records: any RecordTable
        let canonical: CanonicalRecord
        var schema: RecordSchema { records.schema }

        /// The slot of a field.
        func slot(of field: Int) -> Int? { records.fieldOfSlot.firstIndex(of: field) }

        /// The entries of an image by field.
        func entries(of image: BaseImage) -> [BaseEntry] {
            var entries = [BaseEntry](repeating: .none, count: schema.fields.count)
            for (slot, field) in records.fieldOfSlot.enumerated() where field >= 0 {
                entries[field] = image.entry(slot)
            }
            return entries
        }
    }

    private var tables: [RecordMapping: Table?] = [:]
    private var reports: [RecordMapping: StreamReport] = [:]
    private var order: [RecordMapping] = []
    /// Records that were touched since, or cannot be written.
    private(set) var leftRecords: Set<Name> = []
    /// Fields that were touched since, of records that are otherwise as before.
    private(set) var leftFields: [Name: Set<String>] = [:]
    /// Records that had a row before they had a base.
    var adopted: Set<Name> = []
    /// What waits for unique values.
    private var waiting: [Name: (change: RecordChange?, left: Set<String>)] = [:]
    /// Whether anything was written.
    private(set) var hasWritten = false
    private(set) var problems: [RunProblem] = []
    var leftEntries = 0
    var withdrawnConflicts: [Int64] = []

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

    /// The counts of each stream, in the order in which they were met.
    var streams: [StreamReport] { order.compactMap { reports[$0] } }
    /// How much was left as it is.
    var left: Int { leftRecords.count + leftFields.count + leftEntries }

    /// Does all of it within the store's transaction.
    func perform() throws {
        try undoRecords()
        try undoInserts()
        try finish()
        try undoEntries()
    }

    // MARK: What writing needs

    func table(_ mapping: RecordMapping) throws -> Table? {
        if let known = tables[mapping] { return known }
        let records = try store.knownTable(
            pipeline: mapping.pipeline, stream: mapping.stream, entity: mapping.entity)
        let table = records.map { Table(records: $0, canonical: CanonicalRecord(schema: $0.schema)) }
        tables[mapping] = .some(table)
        if table == nil {
            note(
                "The store does not know the table of `\(mapping.entity)` any more, so its records were left as they are."
            )
        }
        return table
    }

    func note(_ message: String) {
        if problems.count < Self.mostProblems {
            problems.append(RunProblem(code: "left", severity: .warning, message: message))
        }
    }

    /// Writes a record and tells of it; what waits for unique values is told when it is written.
    ///
    /// - Parameters:
    ///   - write: What is written.
    ///   - change: What people are told, nil where the row stays.
    ///   - left: The fields that are left as they are.
    ///   - name: The record.
    ///   - table: Its table.
    func write(
        _ write: RecordWrite, _ change: RecordChange?, left: Set<String> = [], _ name: Name, _ table: Table
    ) throws {
        do {
            if try table.records.write(write) {
                hasWritten = true
                tell(change, left: left, name, table.schema)
            } else {
                waiting[name] = (change, left)
            }
        } catch let error as StoreError where error.code == .rejected {
            leave(name, change, table.schema)
            note("\(name.mapping.entity) \(name.key) was left as it is. \(error.message)")
        }
    }

    /// Whether a record waits for unique values: what it holds is not what it will hold.
    func isWaiting(_ name: Name) -> Bool { waiting[name] != nil }

    private func tell(_ change: RecordChange?, left: Set<String>, _ name: Name, _ schema: RecordSchema) {
        if !left.isEmpty { leftFields[name] = left }
        guard let change else { return }
        count(name.mapping) { summary in
            switch change.action {
            case .insert: summary.insert += 1
            case .delete: summary.delete += 1
            case .update: summary.update += 1
            // Some fields are as before, others are left.
            case .conflict where change.fields.contains { $0.result == $0.remote }: summary.update += 1
            case .conflict: break
            }
        }
        show(change, schema)
    }

    private func show(_ change: RecordChange, _ schema: RecordSchema) {
        if observer.wantsChanges { observer.changed(change, schema: schema) } else { observer.skippedChange() }
    }

    private func count(_ mapping: RecordMapping, _ body: (inout RunSummary) -> Void) {
        if reports[mapping] == nil { order.append(mapping) }
        body(&reports[mapping, default: StreamReport(stream: mapping.stream, entity: mapping.entity)].summary)
    }

    /// Leaves a record as it is, and says so.
    func leave(_ name: Name, _ change: RecordChange?, _ schema: RecordSchema) {
        guard leftRecords.insert(name).inserted else { return }
        leftFields[name] = nil
        guard var change else { return }
        change.action = .conflict
        show(change, schema)
    }

    /// Leaves a record of a table that is not known.
    func leave(_ name: Name) { leftRecords.insert(name) }

    /// Writes what waited; whose unique values are still taken is left.
    private func finish() throws {
        for (mapping, table) in tables {
            guard let table else { continue }
            for collision in try table.records.finish() {
                let name = Name(
                    mapping: mapping, key: FieldJSON.object(key: collision.write.key, schema: table.schema))
                let fields = collision.fields.map { "`\(table.schema.fields[$0].name)`" }.joined(separator: ", ")
                let holder =
                    collision.holder.map { " by \(FieldJSON.object(key: $0, schema: table.schema))" } ?? ""
                note(
                    "\(mapping.entity) \(name.key) was left as it is: its \(fields) must be unique and is taken\(holder)."
                )
                if let (change, _) = waiting.removeValue(forKey: name) { leave(name, change, table.schema) }
            }
        }
        for (name, (change, left)) in waiting.sorted(by: { $0.key.key < $1.key.key }) {
            guard let table = try table(name.mapping) else { continue }
            hasWritten = true
            tell(change, left: left, name, table.schema)
        }
        waiting.removeAll()
    }

    /// Says that something besides a record was written.
    func noteWritten() { hasWritten = true }
}
