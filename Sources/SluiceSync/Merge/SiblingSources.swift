internal import SluiceMerge
internal import SluicePipeline
internal import SluiceStore

/// The other sources that fill a stream's table. They are asked only where it matters: never for a record about which
/// its source says nothing new.
struct SiblingSources {
    /// What one of them said of a record.
    struct Record {
        /// The position of the source.
        let source: Int
        let base: BaseRow
        /// Whether the source still has the record.
        var isLive: Bool { base.state.isLive }
    }

    /// Those that go before the stream first, in their order.
    private let all: [SiblingSource]
    /// Where is kept what their pages said of their version; nil where there is no source.
    private let state: (any StateLedger)?

    /// Whether there is none.
    var isEmpty: Bool { all.isEmpty }

    /// None at all.
    static var none: SiblingSources { SiblingSources(all: [], state: nil) }

    private init(all: [SiblingSource], state: (any StateLedger)?) {
        self.all = all
        self.state = state
    }

    /// Finds the other sources of a table.
    ///
    /// - Parameters:
    ///   - schema: The stream's schema.
    ///   - store: What knows which sources fill the table.
    ///   - pipeline: Says in which order its sources go, and which of those that the store remembers it still has; nil
    ///     where that is not known.
    /// - Throws: `StoreError`.
    init(of schema: RecordSchema, in store: any RecordStore, pipeline: PipelineDefinition? = nil) throws {
        let order = SourceOrder(paths: pipeline?.precedence ?? [], embedded: pipeline?.embeddedSources ?? [])
        var found: [SiblingSource] = []
        for name in try store.sources(of: schema.table) where name != schema.source {
            var columns: Set<String>?
            if let pipeline, name.pipeline == pipeline.name {
                // What the pipeline gave up says nothing any more.
                guard let entity = pipeline.entity(of: name) else { continue }
                columns = Set(entity.fields.map { $0.column.lowercased() })
            }
            guard
                let table = try store.knownTable(pipeline: name.pipeline, stream: name.stream, entity: name.entity),
                var sibling = SiblingSource(
                    name, table: table, of: schema, rank: order.rank(of: name, to: schema.source), columns: columns)
            else { continue }
            // Of children a source says which of them there are.
            sibling.isEmbedded = order.embedded.contains(name) && pipeline?.entity(named: name.entity)?.parent == nil
            found.append(sibling)
        }
        func place(_ sibling: SiblingSource) -> Int {
            order.place(of: sibling.name) ?? order.paths.count + (order.embedded.firstIndex(of: sibling.name) ?? -1) + 1
        }
        all = found.sorted { place($0) < place($1) }
        state = store.state
    }

    /// What they are called where several are spoken of.
    var paths: [String] { all.map(\.name.path) }

    /// What a source is called where several are spoken of.
    func path(of source: Int) -> String { all[source].name.path }

    /// What the others said of a record.
    func records(_ key: RecordKey) throws -> [Record] {
        try all.enumerated().compactMap { source, sibling in
            try sibling.base(key).map { Record(source: source, base: $0) }
        }
    }

    /// Whether another source still has a record that is gone from this one. One that only embeds it cannot say that it
    /// is gone, and does not keep it.
    func isHeld(_ records: [Record]) -> Bool { records.contains { $0.isLive && !all[$0.source].isEmbedded } }

    /// Whether another source still had a record after this one lost it, so that a missing row was deleted here.
    /// One that only embeds it lost its row too, unless it spoke of it since.
    ///
    /// - Parameters:
    ///   - records: What the others said of it.
    ///   - run: The run in which this source lost it, nil where it never had it.
    /// - Returns: Whether one of them still had it.
    func isHeld(_ records: [Record], after run: Int64?) -> Bool {
        isHeld(records) || records.contains { $0.isLive && $0.base.lastRun ?? 0 > run ?? 0 }
    }

    /// What a list that is one value is at the first source that goes before and gives it.
    enum ListAbove {
        /// No such source gives it.
        case none
        /// The rows are what that source says.
        case clean
        /// Something of them was changed here, or is to be decided.
        case changed
    }

    /// What is known of the list of a record at sources that go before.
    func listAbove(under owner: RecordKey) throws -> ListAbove {
        for source in all where source.rank == .above {
            if let isClean = try source.hasCleanList(under: owner) { return isClean ? .clean : .changed }
        }
        return .none
    }

    /// What the others say of each field of the stream; empty where none of them has the record.
    func claims(of records: [Record]) -> [[FieldClaim]] {
        var claims: [[FieldClaim]] = []
        for record in records {
            let sibling = all[record.source]
            for (field, side) in sibling.sides(of: record.base).enumerated() {
                if claims.count <= field { claims.append([]) }
                if side == .nothing { continue }
                claims[field].append(
                    FieldClaim(source: record.source, side: side, isLive: record.isLive, rank: sibling.rank))
            }
        }
        return claims
    }

    /// Whether a person changed what others alone fill.
    func haveEdits(_ key: RecordKey, _ records: [Record]) throws -> Bool {
        try records.contains { try all[$0.source].hasEdits(key, base: $0.base) }
    }

    /// A record went away at one source: those that still have it take their values up where that source's stand.
    ///
    /// - Parameters:
    ///   - key: The record's key.
    ///   - records: What the others said of it.
    ///   - abandoned: The values of the stream's fields that are what its source said, nil for others.
    /// - Throws: `StoreError`.
    func takeOver(_ key: RecordKey, _ records: [Record], abandoned: [FieldSide?]) throws {
        for record in records where record.isLive {
            if try all[record.source].revisit(key, base: record.base, abandoned: abandoned) {
                try askAgain(record.source)
            }
        }
    }

    /// Other sources no longer hold a record back.
    ///
    /// - Parameters:
    ///   - key: The record's key.
    ///   - records: What they said of it.
    ///   - state: What the record is at them from now on.
    ///   - run: The run's number, nil in a plan.
    /// - Returns: The sources at which something was to be decided about it, with its key there as a JSON object.
    /// - Throws: `StoreError`.
    func withdraw(
        _ key: RecordKey, _ records: [Record], as state: BaseState, run: Int64?
    ) throws -> [(source: RecordMapping, key: String)] {
        try records.filter(\.isLive).compactMap { record in
            let source = all[record.source]
            let name = try source.withdraw(key, base: record.base, as: state, run: run)
            return record.base.isOpen ? (source.name, name) : nil
        }
    }

    /// A row was made anew by one source in a run: what others said was of a row that is no more. What one said of its
    /// deletion it said of the record.
    func startOver(_ key: RecordKey, _ records: [Record], run: Int64?) throws {
        for record in records where record.base.state != .statedTombstone {
            if try all[record.source].forget(key, base: record.base, run: run) { try askAgain(record.source) }
        }
    }

    /// A list went away at one source: the next run reads those that may give it now.
    func askAllAgain() throws {
        for source in all.indices { try askAgain(source) }
    }

    /// Has the next run read the records of a source, although its pages may not have changed.
    private func askAgain(_ source: Int) throws {
        let name = all[source].name
        try state?.set(.validators, to: nil, pipeline: name.pipeline, stream: name.stream)
    }
}

extension PipelineDefinition {
    /// The entity of a source; nil where the pipeline has no such stream any more.
    fileprivate func entity(of source: RecordMapping) -> EntityDefinition? {
        streams.first { $0.name == source.stream && ($0.entity == source.entity || embeds(source)) }
            .flatMap { _ in entity(named: source.entity) }
    }

    private func embeds(_ source: RecordMapping) -> Bool {
        streams.first { $0.name == source.stream }
            .map { PartTree.entities(of: $0, in: self).contains(source.entity) } ?? false
    }

    /// The sources that give records of an entity only within others, in the order of the file.
    fileprivate var embeddedSources: [RecordMapping] {
        streams.flatMap { stream in
            PartTree.entities(of: stream, in: self).sorted().map {
                RecordMapping(pipeline: name, stream: stream.name, entity: $0)
            }
        }
    }
}
