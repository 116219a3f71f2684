internal import SluiceDecode
internal import SluiceMerge
package import SluiceModel
package import SluicePipeline
package import SluicePlans
internal import SluiceReport
package import SluiceStore

/// The other sources that fill a stream's table. They are asked only where it matters: never for a record about which
/// its source says nothing new.
package struct OtherSourceLedger {
    package typealias Record = OtherRecord

    /// Those that go before the stream first, in their order.
    let all: [OtherSourceBases]
    /// The store, nil where there is no source.
    let store: (any RecordStore)?
    /// What this run read so far; nil where it does not matter.
    let reading: RunReading?
    /// What deciding takes of them.
    package let others: OtherSources
    private let quarantined = Quarantined()
    /// The stream's own source.
    let source: RecordMapping?
    /// What that said of fields which it no longer has; nil where it has them all.
    private let former: OtherSourceBases?
    /// The order in which they go.
    private let order: SourceOrder
    /// The order by which the stream was merged last, nil where it never was.
    private let kept: KeptOrder?

    /// Whether there is none.
    package var isEmpty: Bool { all.isEmpty }

    /// None at all.
    package static var none: OtherSourceLedger { OtherSourceLedger() }

    private init() {
        all = []
        store = nil
        reading = nil
        others = OtherSources()
        (source, former, order, kept) = (nil, nil, SourceOrder(), nil)
    }

    /// Finds the other sources of a table.
    ///
    /// - Parameters:
    ///   - schema: The stream's schema.
    ///   - store: What knows which sources fill the table.
    ///   - pipeline: Says in which order its sources go, and which of those that the store remembers it still has; nil
    ///     where that is not known.
    ///   - precedence: The order of sources where no pipeline says it, as ``RecordMapping/path``, the first of which goes
    ///     before all others.
    ///   - asMerged: Whether the order is that by which the stream was merged last.
    ///   - reading: What the run read so far, nil where each stream is read for itself.
    /// - Throws: `StoreError`.
    package init(
        of schema: RecordSchema, in store: any RecordStore, pipeline: PipelineDefinition? = nil,
        precedence: [String] = [], asMerged: Bool = false, reading: RunReading? = nil
    ) throws {
        let own = schema.source
        let sources = try store.sources(of: schema.table)
        let kept = try Self.keptOrder(of: [own] + sources.filter { $0 != own }, in: store)
        let declared = SourceOrder(
            paths: try store.namesOfNow(pipeline?.precedence ?? precedence, in: pipeline?.name),
            embedded: pipeline?.embeddedSources ?? [])
        let order = asMerged ? kept?.order ?? declared : declared
        var found: [OtherSourceBases] = []
        for name in sources where name != own {
            var columns: Set<String>?
            if let pipeline, name.pipeline == pipeline.name {
                // What the pipeline gave up says nothing any more.
                guard let entity = pipeline.entity(of: name) else { continue }
                columns = Set(entity.fields.map { $0.column.lowercased() })
            }
            guard
                let table = try store.knownTable(pipeline: name.pipeline, stream: name.stream, entity: name.entity),
                var otherSource = OtherSourceBases(
                    name, table: table, of: schema, rank: order.rank(of: name, to: schema.source), columns: columns)
            else { continue }
            otherSource.source.isEmbedded = order.embedded.contains(name)
            found.append(otherSource)
        }
        func place(_ otherSource: OtherSourceBases) -> Int {
            order.place(of: otherSource.name) ?? order.paths.count
                + (order.embedded.firstIndex(of: otherSource.name) ?? -1) + 1
        }
        all = found.sorted { place($0) < place($1) }
        former =
            try store.knownTable(pipeline: own.pipeline, stream: own.stream, entity: own.entity).flatMap {
                OtherSourceBases(own, table: $0, of: schema, rank: .undeclared, columns: nil)
            }.flatMap { $0.hasOwnFields ? $0 : nil }
        self.store = store
        self.reading = reading
        (source, self.order, self.kept) = (own, order, kept)
        let since = kept.map { $0.order == order ? $0.since : .max } ?? 0
        others = OtherSources(
            all.map(\.source), isEmbedded: order.embedded.contains(own), order: order, orderedSince: since)
    }

    /// The order that was kept last by which a table was filled: of its first source that has one.
    private static func keptOrder(of sources: [RecordMapping], in store: any RecordStore) throws -> KeptOrder? {
        if sources.count < 2 { return nil }
        for source in sources {
            let kept = try store.state.value(.order, pipeline: source.pipeline, stream: source.stream)
            if let kept { return kept }
        }
        return nil
    }

    /// Whether the stream went before a source when it was merged last.
    package func wentBefore(_ name: RecordMapping) -> Bool {
        guard let source, let kept else { return false }
        return kept.order.rank(of: name, to: source) == .below
    }

    /// Keeps by which order the stream was merged, where that is new.
    ///
    /// - Parameter run: The run that did it.
    /// - Throws: `StoreError`.
    package func keepOrder(since run: Int64) throws {
        guard !isEmpty, let store, let source, kept?.order != order else { return }
        let order = KeptOrder(order, since: kept == nil ? 0 : run)
        try store.state.set(.order, to: order, pipeline: source.pipeline, stream: source.stream)
    }

    /// The names of some of them for a sentence, in parentheses: ` (``shop/billing``)`; empty where there is none.
    ///
    /// - Parameter sources: Their positions.
    /// - Returns: The words.
    package func names(of sources: Set<Int>) -> String {
        let names = sources.sorted().map { "`\(all[$0].name.path)`" }
        return names.isEmpty ? "" : " (\(names.joined(separator: ", ")))"
    }

    /// What the others said of a record.
    package func records(_ key: RecordKey) throws -> [Record] { try records([key])[0] }

    /// What the others said of each of some records.
    package func records(_ keys: [RecordKey]) throws -> [[Record]] {
        var found = [[Record]](repeating: [], count: keys.count)
        for (source, otherSource) in all.enumerated() {
            for (index, base) in try otherSource.bases(keys).enumerated() {
                guard let base else { continue }
                // A listing that is overruled has no row that people could have deleted.
                let hasMoved =
                    base.state != .overruled
                    && reading?.isMoved(otherSource.own(keys[index]), from: otherSource.name) ?? false
                found[index].append(Record(source: source, base: base, hasMoved: hasMoved))
            }
        }
        return found
    }

    /// The sources whose base of a record a run wrote first, each with the record's key as it has it.
    package func firstWritten(_ key: RecordKey, by run: Int64) throws -> [(source: RecordMapping, key: RecordKey)] {
        try all.compactMap { otherSource in
            try otherSource.bases([key])[0].flatMap {
                $0.firstRun == run ? (otherSource.name, otherSource.own(key)) : nil
            }
        }
    }

    /// What each of the others calls a record.
    ///
    /// - Parameter key: The record's key.
    /// - Returns: The sources, each with the key as it has it.
    package func names(of key: RecordKey) -> [(source: RecordMapping, key: RecordKey)] {
        all.map { ($0.name, $0.own(key)) }
    }

    /// A unique value that a record of a source needs is another row's for now.
    func recordCollision(of source: RecordMapping, in table: String) {
        if !all.isEmpty { reading?.recordCollision(of: source, in: table) }
    }

    /// A table refuses what is written of a record of a source, which the rows of others may allow later in the run.
    func recordRefused(_ key: RecordKey, of source: RecordMapping) { reading?.recordRefused(key, of: source) }

    /// Whether a table refused a record of a source when its stream was read before in the run.
    func wasRefused(_ key: RecordKey, of source: RecordMapping) -> Bool {
        reading?.wasRefused(key, of: source) ?? false
    }

    /// What people changed of each of some records where others alone fill the column, whether they have the record or not, or where the
    /// stream's own source filled it before; by the columns. Each source is asked once.
    package func editsElsewhere(_ records: [(key: RecordKey, others: [Record])]) throws -> [[EditElsewhere]] {
        if records.isEmpty { return [] }
        var found = [[String: [SaidElsewhere]]](repeating: [:], count: records.count)
        func ask(_ source: OtherSourceBases, _ asked: [(place: Int, base: BaseRow?)]) throws {
            let said = try source.saidElsewhere(asked.map { (records[$0.place].key, $0.base) })
            for (asked, columns) in zip(asked, said) {
                for column in columns { found[asked.place][column.column.lowercased(), default: []].append(column) }
            }
        }
        for (position, source) in all.enumerated() where source.hasOwnFields {
            try ask(
                source,
                records.enumerated().map { ($0, $1.others.first { $0.source == position }?.base) })
        }
        if let former {
            // Of a record that it never had it said nothing of what it no longer has.
            try ask(former, former.bases(records.map(\.key)).enumerated().compactMap { $1 == nil ? nil : ($0, $1) })
        }
        return found.map { columns in
            columns.values.filter { column in
                column.isEdited { others.goes(($0.source, $0.base), before: ($1.source, $1.base)) }
            }.compactMap(EditElsewhere.init).sorted { $0.column < $1.column }
        }
    }

    /// Whether another source asks already whether the row of a record that it no longer has goes, for each of some records.
    func askWhetherTheyGo(_ records: [(key: RecordKey, others: [Record])]) throws -> [Bool] {
        let waiting = records.map { record in record.others.filter(\.base.isOpen) }
        let open = try conflicts(
            over: zip(records, waiting).flatMap { record, others in others.map { (record.key, $0) } })
        return zip(records, waiting).map { record, others in
            others.contains { other in
                open.open(of: other.source, key: all[other.source].text(of: record.key)).contains(
                    where: \.isOfGoneRecord)
            }
        }
    }

    /// The open conflicts of others over records.
    func conflicts(over records: [(key: RecordKey, record: Record)]) throws -> OtherConflicts {
        try OtherConflicts(over: records, of: all, in: store?.conflicts)
    }

    /// Records where this run, which lists a record, found it missing before: it did not go, it moved.
    ///
    /// - Parameters:
    ///   - key: The record's key.
    ///   - records: What the others said of it.
    ///   - run: The run's number, nil in a plan.
    func recordMoves(_ key: RecordKey, _ records: [Record], run: Int64?) {
        for (name, own) in lost(key, records, run: run) { reading?.recordMove(of: own, from: name) }
    }

    /// The sources that a record is missing from in this run, each with the key as it has it.
    private func lost(
        _ key: RecordKey, _ records: [Record], run: Int64?
    ) -> [(source: RecordMapping, key: RecordKey)] {
        records.compactMap { record in
            let (name, own) = (all[record.source].name, all[record.source].own(key))
            let isLost = record.base.state == .remoteTombstone && record.base.lastRun == run
            if isLost, reading?.givesChildren(name) == true { return (name, own) }
            guard isLost || record.isLive && record.base.isOpen, hasMissed(key, record) else { return nil }
            return (name, own)
        }
    }

    /// Whether a complete scan of another source missed a record of it in this run.
    func hasMissed(_ key: RecordKey, _ record: Record) -> Bool {
        let source = all[record.source]
        return reading?.hasMissed(source.own(key), of: source.name) { source.said($0, in: record.base) } ?? false
    }

    /// Nothing that the stream's own source lists no longer is deleted, since more is missing than its limits allow.
    package func recordRefusedDeletes() {
        if let source { reading?.recordRefusedDeletes(of: source) }
    }

    /// The stream's own source lists a record no longer, which others still have: as far as it is known yet, since a scan of each
    /// may have missed it in this run.
    func recordLoss(_ key: RecordKey, _ records: [Record]) {
        guard let reading else { return }
        let holders = Set(others.holders(of: records))
        let held = records.filter { holders.contains($0.source) }
        guard held.allSatisfy({ hasMissed(key, $0) }) else { return }
        for record in held { reading.recordLost(all[record.source].own(key), of: all[record.source].name) }
    }

    /// The stream's own source states that a record is deleted.
    func recordStated(_ facts: RecordFacts) {
        guard let reading else { return }
        for other in facts.others where other.isLive {
            reading.recordStated(all[other.source].own(facts.key), missingFrom: all[other.source].name)
        }
    }

    /// A source lists a record that could not be taken: that it is listed is known all the same.
    func recordQuarantined(_ key: RecordKey, run: Int64?) throws {
        guard !all.isEmpty, let reading else { return }
        for (name, own) in lost(key, try records(key), run: run) { reading.recordKept(own, by: name) }
    }

    /// Whether another source lists a record that could not be read, whichever run found that.
    ///
    /// - Parameters:
    ///   - key: The record's key.
    ///   - source: The stream's own source, which lists the record no longer.
    /// - Returns: Whether one does.
    /// - Throws: `StoreError`.
    func isQuarantined(_ key: RecordKey, missingFrom source: RecordMapping) throws -> Bool {
        guard let store else { return false }
        var isHeld = false
        for otherSource in all where !otherSource.source.isEmbedded && !isHeld {
            let names = try quarantined.names(of: otherSource.name, in: store.quarantine)
            if names.isEmpty || !names.contains(ExactText(otherSource.text(of: key))) { continue }
            reading?.recordHeld(key, for: source, by: otherSource.name)
            isHeld = true
        }
        return isHeld
    }

    /// Whether a record that the stream's own source lists no longer stayed before in this run, since another one had it in
    /// quarantine.
    func wasHeld(_ key: RecordKey, missingFrom source: RecordMapping) -> Bool {
        reading?.wasHeld(key, for: source) ?? false
    }

    /// The stream let records out of quarantine: what other sources lack no longer stays for them.
    func quarantineClosed(of source: RecordMapping) throws {
        for otherSource in all {
            try store?.state.set(
                .validators, to: nil, pipeline: otherSource.name.pipeline, stream: otherSource.name.stream)
        }
        reading?.quarantineClosed(of: source)
    }

    /// The records that other sources have in quarantine, each source looked up once: while the stream is merged no other
    /// one is.
    private final class Quarantined {
        private var names: [RecordMapping: Set<ExactText>] = [:]
        /// Why records are not taken of which it is known what they say.
        private static let decoded = Set(
            [Mismatch.Reason.duplicate, .constraint, .uniqueCollision, .keyTaken].map(\.rawValue))

        /// The keys as JSON objects.
        func names(of source: RecordMapping, in ledger: any QuarantineLedger) throws -> Set<ExactText> {
            if let known = names[source] { return known }
            let found = Set(try ledger.openKeys(of: source, besides: Self.decoded).map { ExactText($0) })
            names[source] = found
            return found
        }
    }

    /// The records whose deletion other sources stated before a run, where that waits for a decision.
    func waitingStatements(run: Int64?) throws -> Set<RecordKey> {
        guard let conflicts = store?.conflicts else { return [] }
        return try all.reduce(into: []) { found, otherSource in
            let open = try conflicts.open(of: otherSource.name).filter(\.isOfGoneRecord)
            let keys = open.compactMap { StoredJSON().key($0.key, schema: otherSource.table.schema) }
            for (key, base) in zip(keys, try otherSource.table.baseRows(keys)) {
                guard let base, base.state == .statedTombstone, base.isOpen, base.lastRun != run else { continue }
                found.insert(otherSource.theirs(key))
            }
        }
    }

    /// The records whose deletion the stream's own source had stated, as far as another one listed them in this run with something new.
    var answeredStatements: [RecordKey] { source.flatMap { reading?.answered(of: $0) } ?? [] }

    /// Records of the stream's own source whose deletion another one had stated and that another one made anew in this run, each
    /// with its base of before; those that a scan did not see.
    func revived(unlisted seen: SeenKeys) -> [(key: RecordKey, base: BaseRow)] {
        guard let reading, let source, seen.runs == nil else { return [] }
        return reading.revived(of: source).filter { !seen.contains($0.key) }
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
            .map { NestedTree.entities(of: $0, in: self).contains(source.entity) } ?? false
    }

    /// The sources that give records of an entity only within others, in the order of the file. Of children each source says
    /// which of them there are, so none of these comes after another for that.
    fileprivate var embeddedSources: [RecordMapping] {
        streams.flatMap { stream in
            NestedTree.entities(of: stream, in: self).sorted().filter { entity(named: $0)?.parent == nil }.map {
                RecordMapping(pipeline: name, stream: stream.name, entity: $0)
            }
        }
    }
}
