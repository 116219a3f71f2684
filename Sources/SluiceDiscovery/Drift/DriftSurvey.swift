internal import SluiceDecode
internal import SluiceDiagnostics
internal import SluiceJSON
internal import SluiceModel
internal import SluicePages
package import SluicePipeline
internal import SluiceReconcile
package import SluiceReport
internal import SluiceStore
internal import SluiceStores
package import SluiceSync
internal import SluiceSystem

/// Finds out where a pipeline, its source and its store are no longer as one.
package struct DriftSurvey {
    private let engine: SyncEngine
    private let asksSource: Bool

    /// - Parameters:
    ///   - pipeline: The pipeline.
    ///   - options: The store and the streams; nothing is written.
    ///   - asksSource: Whether a page of each stream is read; else what runs remember tells what a source sends.
    ///   - observer: Is told how far it has come.
    package init(
        of pipeline: PipelineDefinition, options: SyncOptions, asksSource: Bool, observer: any RunObserver
    ) {
        var (pipeline, options) = (pipeline, options)
        options.command = .plan
        // A page shows what the source sends, whatever was read before.
        options.isFull = true
        for index in pipeline.streams.indices {
            pipeline.streams[index].pageLimits.maximumPages = 1
            let contract = pipeline.streams[index].schemaContract.fields
            if contract == .freeze { pipeline.streams[index].schemaContract.fields = .report }
        }
        engine = SyncEngine(pipeline: pipeline, options: options, observer: observer)
        self.asksSource = asksSource
    }

    /// Finds it out.
    ///
    /// - Throws: `StoreError` where the store cannot be read, `CancelledError`.
    package func perform() throws -> PipelineDrift {
        var drift = PipelineDrift(pipeline: engine.pipeline.name)
        let store = try engine.options.store.backend.openToRead(
            busyMilliseconds: engine.options.store.busyMilliseconds)
        drift.hasStore = store != nil
        if let store { try readStore(store, into: &drift) }
        let sampler = PageSampler(engine, store: store)
        defer { sampler.finish(&drift.problems) }
        for stream in engine.streams {
            try engine.options.cancellation.check()
            try survey(stream, store, sampler, into: &drift)
        }
        return drift
    }

    // MARK: What a source sends

    private func survey(
        _ stream: StreamDefinition, _ store: (any RecordStore)?, _ sampler: PageSampler,
        into drift: inout PipelineDrift
    ) throws {
        var found = PipelineDrift.Stream(name: stream.name, entity: stream.entity, reading: .memory)
        found.ignoresKeys = stream.schemaContract.fields == .ignore
        let survey = try sampler.survey(of: stream)
        if asksSource {
            found.reading = sampler.read(stream, into: survey)
            if case .failure(let failure) = found.reading, failure.status == .interrupted {
                try engine.options.cancellation.check()
            }
        }
        let page = survey.page
        if !found.ignoresKeys {
            let remembered = try engine.keptState(.unmappedKeys, of: stream, in: store) ?? KnownPaths([])
            found.keys = keys(page?.keys, remembered, takenBefore: try droppedFields(of: stream, store), sampler)
        }
        found.missingFields = try missingFields(page, stream, store, found.keys)
        drift.streams.append(found)
        let misfits = (page?.misfits ?? [:]).map { misfit, told in
            PipelineDrift.Misfit(
                place: .page, stream: stream.name, entity: stream.entity, pointer: misfit.pointer,
                reason: misfit.reason.rawValue, count: told.records, sample: told.sample.map(sampler.hiding))
        }
        drift.misfits += misfits.sorted { ($0.pointer, $0.reason) < ($1.pointer, $1.reason) }
    }

    private func keys(
        _ survey: KeySurvey?, _ remembered: KnownPaths, takenBefore dropped: Set<[String]>, _ sampler: PageSampler
    ) -> [PipelineDrift.Key] {
        let known = Set(remembered.paths + remembered.gone)
        var keys = (survey?.keys ?? []).map { key in
            PipelineDrift.Key(
                path: key.path, records: key.records,
                sample: key.sample.map { sampler.hiding(String(decoding: $0, as: UTF8.self)) },
                isRemembered: known.contains(UnmappedKeys([key.path]).paths[0])
                    || dropped.contains(NameWords.of(key.path)))
        }
        let met = Set(keys.flatMap { UnmappedKeys([$0.path]).paths })
        for path in remembered.paths where !met.contains(path) && survey?.takes(path) != true {
            keys.append(PipelineDrift.Key(path: path, isRemembered: true))
        }
        return keys
    }

    /// The words of the names of fields that runs filled and the pipeline no longer has: keys of these names are no news.
    private func droppedFields(of stream: StreamDefinition, _ store: (any RecordStore)?) throws -> Set<[String]> {
        guard let table = try knownTable(of: stream, in: store) else { return [] }
        let kept = Set(engine.pipeline.entity(named: stream.entity)?.fields.map(\.name) ?? [])
        return Set(table.schema.fields.map(\.name).filter { !kept.contains($0) }.map(NameWords.of))
    }

    /// The fields that no record of a page gives, of those that the same records gave before.
    private func missingFields(
        _ page: PageSurvey?, _ stream: StreamDefinition, _ store: (any RecordStore)?, _ keys: [PipelineDrift.Key]
    ) throws -> [PipelineDrift.MissingField] {
        guard let page, !page.missingFields.isEmpty, let table = try knownTable(of: stream, in: store) else {
            return []
        }
        let bases = try table.baseRows(page.recordKeys).compactMap(\.self)
        var fields = page.missingFields.compactMap { name -> PipelineDrift.MissingField? in
            guard let place = table.schema.fields.firstIndex(where: { $0.name == name }) else { return nil }
            let before = bases.count { base in
                switch base.entries[place] {
                case .value, .digest: true
                case .none, .null: false
                }
            }
            return before == 0 ? nil : PipelineDrift.MissingField(field: name, before: before)
        }
        // What each record has in its place may be the same under another name.
        let names = keys.filter { $0.records == page.records }.map(\.path)
        for index in fields.indices {
            fields[index].candidate =
                Suggestion.nearest(to: fields[index].field, among: names)
                ?? (fields.count == 1 && names.count == 1 ? names[0] : nil)
        }
        return fields
    }

    /// The table of a stream's records as the store knows it, also by the names that stream and pipeline had before.
    private func knownTable(
        of stream: StreamDefinition, in store: (any RecordStore)?
    ) throws -> (any RecordTable)? {
        guard let store else { return nil }
        let pipelines = [engine.pipeline.name, engine.pipeline.renamedFrom].compactMap(\.self)
        let names = [stream.name, stream.renamedFrom].compactMap(\.self)
        for (pipeline, name) in pipelines.flatMap({ pipeline in names.map { (pipeline, $0) } }) {
            let table = try store.knownTable(pipeline: pipeline, stream: name, entity: stream.entity)
            if let table { return table }
        }
        return nil
    }

    // MARK: What the store holds

    private func readStore(_ store: any RecordStore, into drift: inout PipelineDrift) throws {
        let streams = Set(engine.streams.map(\.name))
        let tables = engine.schemas.filter { streams.contains($0.stream) }.compactMap(wanted)
        let (columns, misfits) = try store.drift(of: tables, by: .lossless())
        // A table that nothing has filled yet is made by the first run.
        let filled = Set(try tables.filter { try isKnown($0, in: store) }.map { $0.schema.table.lowercased() })
        drift.columns = columns.filter { $0.kind != .missingTable || filled.contains($0.table.lowercased()) }
        var entries: [String: PipelineDrift.Misfit] = [:]
        for entry in try store.quarantine.list(includingClosed: false)
        where entry.pipeline == engine.pipeline.name && streams.contains(entry.stream) {
            let pointer = Self.withoutPositions(entry.pointer)
            let name = [entry.stream, entry.entity, pointer, entry.reason].joined(separator: "\u{0}")
            entries[
                name,
                default: PipelineDrift.Misfit(
                    place: .quarantine, stream: entry.stream, entity: entry.entity, pointer: pointer,
                    reason: entry.reason, count: 0, sample: entry.value)
            ].count += 1
        }
        drift.misfits += entries.sorted { $0.key < $1.key }.map(\.value)
        var told: Set<String> = []
        for misfit in misfits {
            let table = tables.first { $0.schema.source == misfit.mapping }?.schema.table.lowercased() ?? ""
            // Several streams may fill one column.
            if !told.insert(table + "\u{0}" + misfit.column.lowercased()).inserted { continue }
            let reason: Mismatch.Reason = misfit.isChoice ? .notAllowed : .typeMismatch
            drift.misfits.append(
                PipelineDrift.Misfit(
                    place: .table, stream: misfit.mapping.stream, entity: misfit.mapping.entity,
                    pointer: misfit.column, reason: reason.rawValue, count: misfit.rows, sample: misfit.sample))
        }
    }

    private func isKnown(_ table: WantedTable, in store: any RecordStore) throws -> Bool {
        try store.sources(of: table.schema.table).contains { $0.pipeline == engine.pipeline.name }
    }

    private func wanted(_ schema: RecordSchema) -> WantedTable? {
        guard let entity = engine.pipeline.entity(named: schema.entity) else { return nil }
        var required: Set<Int> = []
        var choices: [Int: [String]] = [:]
        for (index, field) in entity.fields.enumerated() {
            if field.isRequired || field.isNeverNull { required.insert(index) }
            if field.type == .enumeration { choices[index] = field.values }
        }
        return WantedTable(schema: schema, requiredFields: required, choices: choices)
    }

    /// A JSON pointer in which any position in a list is the same.
    private static func withoutPositions(_ pointer: String) -> String {
        pointer.split(separator: "/", omittingEmptySubsequences: false).map { part in
            !part.isEmpty && part.utf8.allSatisfy { (0x30...0x39).contains($0) } ? "*" : String(part)
        }.joined(separator: "/")
    }
}

extension FieldDefinition {
    /// Whether its value comes from something that always is there.
    fileprivate var isNeverNull: Bool {
        switch origin {
        case .template, .content, .parentKey, .position: true
        case .path, .program, .reference, .references: onNull == .fail && onMissing == .fail
        }
    }
}
