internal import SluiceJSON
internal import SluicePipeline
internal import SluiceReport
internal import SluiceStore

/// A sync that is kept in units of some records, as one run.
struct SyncUnits<M: PersistentModel> {
    private let store: Store
    private let options: SyncOptions
    private let feed: RecordFeed
    private let source: ModelSource
    /// The source of a unit, whose records stand on lines, or are members of an object where they have names.
    private let unitSource: ModelSource
    private let count: Int

    /// Prepares a sync.
    ///
    /// - Parameters:
    ///   - store: The store.
    ///   - model: The model.
    ///   - options: How records are merged.
    ///   - feed: The records.
    ///   - source: Where they come from.
    ///   - count: How many are kept at once; at least one.
    /// - Throws: ``SluiceError`` with ``SluiceError/Code/refused`` where all records have to be known before one is kept.
    init(
        _ store: Store, _ model: M.Type, _ options: SyncOptions, _ feed: RecordFeed, _ source: ModelSource, _ count: Int
    ) throws {
        guard case .last = options.onDuplicate else {
            throw SluiceError(
                .refused,
                "`commit: .every(\(count))` keeps records before all of them are known, so of several with one identifier the last counts: leave `onDuplicate` out.",
                entity: M.model.description.entity)
        }
        var unit = options
        unit.records = nil
        unit.format = options.entries == nil ? .jsonLines : .json
        unit.missing = .ignore
        (self.store, self.options, self.feed, self.source) = (store, options, feed, source)
        self.count = max(1, count)
        unitSource = try ModelSource(
            model, from: store.source(options, M.model.description), unit, precedence: store.precedence)
    }

    /// Does it.
    ///
    /// - Parameter refusesMismatches: Whether a record that does not fit ends it.
    /// - Returns: What all units came to.
    /// - Throws: ``SluiceError``, `CancellationError`; the units before are kept then.
    func perform(_ refusesMismatches: Bool) async throws -> RecordSync.Outcome {
        let held = try hold()
        defer { withExtendedLifetime(held) {} }
        let units = try feed.units(of: count, source.stream)
        let looksBack = source.stream.deleteMissing.mode != .ignore
        var part = SyncPart()
        var quarantined: [QuarantineEntry] = []
        var outcome = RecordSync.Outcome(
            report: RunReport(pipeline: source.pipeline.name, command: .run, startedAt: ""))
        func keep(_ feed: RecordFeed, _ source: ModelSource) async throws {
            do {
                outcome = try await store.interruptibly(telling: true) { [writer = store.writer, part] point in
                    try await writer.sync(
                        feed, source, isPlan: false, refusesMismatches: refusesMismatches, part, isHeld: true, point)
                }
            } catch {
                let writer = store.writer
                try? await writer.end(part, with: error, CancellationPoint())
                throw error
            }
            part.before = outcome.report
            if !part.isLookBack { quarantined += outcome.quarantined }
        }
        for (index, unit) in units.enumerated() {
            part.isFollowed = index + 1 < units.count || looksBack
            try await keep(unit, unitSource)
        }
        if looksBack {
            (part.isFollowed, part.isLookBack) = (false, true)
            try await keep(feed, source)
        }
        outcome.quarantined = quarantined
        return outcome
    }

    /// Keeps others from syncing the source between the units.
    private func hold() throws -> HeldSource? {
        guard let file = store.file else { return nil }
        let name = source.pipeline.name
        if let held = try HeldSource(pipeline: name, of: file) { return held }
        throw SluiceError(
            .locked, "Another sync or run of `\(name)` is at work on `\(file)`. Try again when it is done.")
    }
}

extension RecordFeed {
    /// The records in units of a number: each on a line, or as members of an object where they have names.
    ///
    /// - Parameters:
    ///   - size: How many a unit has at most.
    ///   - stream: Says where in a text they stand.
    /// - Returns: The units, at least one.
    /// - Throws: ``SluiceError`` where a text is no JSON.
    fileprivate func units(of size: Int, _ stream: StreamDefinition) throws -> [RecordFeed] {
        var units: [RecordFeed] = []
        var text: [UInt8] = []
        var count = 0
        let areMembers = stream.entries != nil && !holdsStoredValues
        func end(_ unit: RecordFeed) {
            var unit = unit
            unit.preceding = units.count * size
            let whole = areMembers ? [UInt8(ascii: "{")] + text.dropLast() + [UInt8(ascii: "}")] : text
            unit.text = .pages([whole])
            units.append(unit)
            (text, count) = ([], 0)
        }
        /// What came of the records besides them goes with the last unit.
        var plain = RecordFeed()
        plain.holdsStoredValues = holdsStoredValues
        try forEach(stream) { record, _, _ in
            if count == size { end(plain) }
            if areMembers { text += record.quotedName + [UInt8(ascii: ":")] }
            // White space within a record may be a line's end, which nothing within a text can be.
            text += record.copy.map { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") ? UInt8(ascii: " ") : $0 }
            text.append(areMembers ? UInt8(ascii: ",") : UInt8(ascii: "\n"))
            count += 1
            return true
        }
        var last = self
        last.text = .pages([])
        end(last)
        return units
    }
}
