internal import SluiceFetch
internal import SluiceJSON
internal import SluiceMerge
internal import SluiceModel
internal import SluiceReport
internal import SluiceStore

/// Keeps all that is told of a plan, and passes on what somebody else wants to hear.
final class PlanKeeper: RunObserver {
    private let writer: PlanFileWriter
    private let inner: any RunObserver
    private var schemas: [RecordMapping: Int] = [:]
    /// The sources whose inserted records nobody else wants to hear of.
    private var unheard: Set<RecordMapping> = []

    init(_ writer: PlanFileWriter, _ inner: any RunObserver) { (self.writer, self.inner) = (writer, inner) }

    let wantsChanges = true

    func opened(_ schema: RecordSchema, isNew: Bool) {
        if schemas[schema.source] == nil { schemas[schema.source] = schemas.count }
        keep(.opened, SavedEvent.Schema(schema, isNew: isNew))
        inner.opened(schema, isNew: isNew)
    }

    func listens(to schema: RecordSchema) -> Bool {
        if !inner.listens(to: schema) { unheard.insert(schema.source) }
        return true
    }

    func changed(_ change: RecordChange, schema: RecordSchema) {
        keep(.changed, change, schema)
        inner.relay(change, schema, isUnheard: unheard.contains(schema.source))
    }

    func skippedChange(of schema: RecordSchema) {
        writer.keep(event: SavedEvent.line(.skipped, schema: schemas[schema.source] ?? 0))
        inner.skippedChange(of: schema)
    }

    func kept(_ change: @autoclosure () -> RecordChange, schema: RecordSchema) {
        let change = change()
        keep(.kept, change, schema)
        inner.kept(change, schema: schema)
    }

    func conflict(_ entry: ConflictEntry) {
        keep(.conflict, entry)
        inner.conflict(entry)
    }

    func quarantined(_ entry: QuarantineEntry) {
        var short = entry
        // No report shows the record itself.
        short.record = []
        keep(.quarantined, short)
        inner.quarantined(entry)
    }

    func restart() {
        schemas = [:]
        writer.restartEvents()
        inner.restart()
    }

    func progress(_ progress: RunProgress) { inner.progress(progress) }

    private func keep(_ letter: SavedEvent.Letter, _ change: RecordChange, _ schema: RecordSchema) {
        writer.keep(
            event: SavedEvent.line(letter, schema: schemas[schema.source] ?? 0, SavedChange.text(change)))
    }

    private func keep(_ letter: SavedEvent.Letter, _ value: some Encodable) {
        // These values are texts and numbers, of which none can fail to be written.
        guard let text = try? JSONValueEncoder.text(value) else { return }
        writer.keep(event: SavedEvent.line(letter, text))
    }
}

extension RunObserver {
    /// Tells of a change, as a run would tell it.
    ///
    /// - Parameters:
    ///   - change: The change.
    ///   - schema: What the record is.
    ///   - isUnheard: Whether nothing is made of records that are inserted.
    func relay(_ change: RecordChange, _ schema: RecordSchema, isUnheard: Bool) {
        if isUnheard && change.action == .insert { return }
        if wants(change.key, of: schema) { changed(change, schema: schema) } else { skippedChange(of: schema) }
    }
}

/// Tells an observer what a saved plan keeps.
struct PlanRetelling {
    private var schemas: [RecordSchema] = []
    private var unheard: Set<RecordMapping> = []

    /// Reports all of it.
    ///
    /// - Parameters:
    ///   - plan: The plan.
    ///   - observer: Is told.
    ///   - progress: Is told how many events were told.
    /// - Throws: `SyncError` where the plan is damaged, and what `progress` throws.
    mutating func report(
        _ plan: PlanFileReader, to observer: any RunObserver, progress: (Int) throws -> Void = { _ in }
    ) throws {
        var count = 0
        try plan.forEachEvent { line in
            count += 1
            try progress(count)
            guard let (letter, index, json) = SavedEvent.parts(line) else { throw Self.damaged }
            let root = json.isEmpty ? nil : try? JSONDocument(json).root
            do {
                try report(letter, index, root, to: observer)
            } catch is DecodingError { throw Self.damaged }
        }
    }

    private static let damaged = SyncError(
        .fileFailed,
        "The saved plan is damaged, or of another version of sluice. Make it again with `sluice plan --save`.")

    private mutating func report(
        _ letter: SavedEvent.Letter, _ index: Int, _ root: JSONValue?, to observer: any RunObserver
    ) throws {
        func value<Value: Decodable>(_ type: Value.Type) throws -> Value {
            guard let root else { throw Self.damaged }
            return try JSONValueDecoder.decode(type, from: root)
        }
        switch letter {
        case .opened:
            let saved = try value(SavedEvent.Schema.self)
            let schema = saved.schema
            if !schemas.contains(where: { $0.source == schema.source }) { schemas.append(schema) }
            observer.opened(schema, isNew: saved.isNew)
            if !observer.listens(to: schema) { unheard.insert(schema.source) }
        case .conflict: observer.conflict(try value(ConflictEntry.self))
        case .quarantined: observer.quarantined(try value(QuarantineEntry.self))
        case .changed, .kept, .skipped:
            guard schemas.indices.contains(index) else { throw Self.damaged }
            let schema = schemas[index]
            if letter == .skipped { return observer.skippedChange(of: schema) }
            guard let change = root.flatMap(SavedChange.change),
                change.fields.allSatisfy({ schema.fields.indices.contains($0.index) })
            else { throw Self.damaged }
            if letter == .kept {
                observer.kept(change, schema: schema)
            } else {
                observer.relay(change, schema, isUnheard: unheard.contains(schema.source))
            }
        }
    }
}
