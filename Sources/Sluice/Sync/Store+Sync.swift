internal import FoundationEssentials
internal import SluiceDecode
internal import SluiceReport
internal import SluiceStore

extension Store {
    /// Merges the records of JSON into a model's table, as a run of a pipeline does: what people changed stays, what source
    /// and people both changed is a conflict, and what does not fit is kept aside.
    ///
    /// ```swift
    /// let result = try await store.sync(Book.self, from: json, .init(source: "shop"))
    /// print(result.summary.insert, result.summary.conflict)
    /// ```
    ///
    /// The model is the mapping: coding keys, or the paths of `@Attribute(json:)`. A key that is absent says nothing of its
    /// property, and null is a value. A record without the key of a property that has a default is inserted with it.
    ///
    /// - Parameters:
    ///   - model: The model.
    ///   - json: UTF-8 text.
    ///   - options: Where the records come from, and how they are merged.
    /// - Returns: What it came to; it is a run, which ``Store/undo(run:planning:)`` takes back.
    /// - Throws: ``SluiceError``, `CancellationError`; nothing is written then.
    @discardableResult
    public func sync<M: PersistentModel>(
        _ model: M.Type, from json: [UInt8], _ options: SyncOptions = SyncOptions()
    ) async throws -> SyncResult<M> {
        try await sync(model, RecordFeed(pages: [json]), options, isPlan: false)
    }

    /// Merges the records of a JSON text; see ``sync(_:from:_:)-(_,[UInt8],_)``.
    ///
    /// - Throws: ``SluiceError``, `CancellationError`; nothing is written then.
    @discardableResult
    public func sync<M: PersistentModel>(
        _ model: M.Type, from json: String, _ options: SyncOptions = SyncOptions()
    ) async throws -> SyncResult<M> {
        try await sync(model, from: Array(json.utf8), options)
    }

    /// Merges the records of several pages of JSON as one sync: of a client that gives them one by one, for example.
    ///
    /// - Throws: ``SluiceError``, `CancellationError`, and what the sequence throws; nothing is written then.
    @discardableResult
    public func sync<M: PersistentModel, Pages: AsyncSequence>(
        _ model: M.Type, pages: Pages, _ options: SyncOptions = SyncOptions()
    ) async throws -> SyncResult<M> where Pages.Element: Sequence<UInt8> {
        var all: [[UInt8]] = []
        for try await page in pages { all.append(Array(page)) }
        return try await sync(model, RecordFeed(pages: all), options, isPlan: false)
    }

    /// Merges the records of several pages of JSON that a program has already, as one sync.
    ///
    /// - Throws: ``SluiceError``, `CancellationError`; nothing is written then.
    @discardableResult
    public func sync<M: PersistentModel>(
        _ model: M.Type, pages: [[UInt8]], _ options: SyncOptions = SyncOptions()
    ) async throws -> SyncResult<M> {
        try await sync(model, RecordFeed(pages: pages), options, isPlan: false)
    }

    /// Merges the records of several texts of JSON as one sync.
    ///
    /// - Throws: ``SluiceError``, `CancellationError`; nothing is written then.
    @discardableResult
    public func sync<M: PersistentModel>(
        _ model: M.Type, pages: [String], _ options: SyncOptions = SyncOptions()
    ) async throws -> SyncResult<M> {
        try await sync(model, pages: pages.map { Array($0.utf8) }, options)
    }

    /// Says what a sync would do, and takes it back.
    ///
    /// - Throws: ``SluiceError``, `CancellationError`.
    public func plan<M: PersistentModel>(
        _ model: M.Type, from json: [UInt8], _ options: SyncOptions = SyncOptions()
    ) async throws -> SyncResult<M> {
        try await sync(model, RecordFeed(pages: [json]), options, isPlan: true)
    }

    /// Says what a sync would do, and takes it back.
    ///
    /// - Throws: ``SluiceError``, `CancellationError`.
    public func plan<M: PersistentModel>(
        _ model: M.Type, from json: String, _ options: SyncOptions = SyncOptions()
    ) async throws -> SyncResult<M> {
        try await plan(model, from: Array(json.utf8), options)
    }

    // MARK: Values

    /// Merges values that a program has already: all their properties count as said by the source, and so do the records that they
    /// hold by value. Of the links in ``Refs`` nothing is said; see ``Upsert``.
    ///
    /// - Throws: ``SluiceError``, `CancellationError`; nothing is written then.
    @discardableResult
    public func sync<M: PersistentModel>(
        _ values: [M], _ options: SyncOptions = SyncOptions()
    ) async throws -> SyncResult<M> {
        try await sync(M.self, try StoredRecords(values).feed, options, isPlan: false)
    }

    /// Says what a sync of values would do, and takes it back.
    ///
    /// - Throws: ``SluiceError``, `CancellationError`.
    public func plan<M: PersistentModel>(
        _ values: [M], _ options: SyncOptions = SyncOptions()
    ) async throws -> SyncResult<M> {
        try await sync(M.self, try StoredRecords(values).feed, options, isPlan: true)
    }

    /// Merges values that were decoded within other types; see ``Upserts``.
    ///
    /// - Throws: ``SluiceError``, `CancellationError`; nothing is written then.
    @discardableResult
    public func sync<M>(
        _ values: Upserts<M>, _ options: SyncOptions = SyncOptions()
    ) async throws -> SyncResult<M> {
        var records = StoredRecords<M>()
        // Its JSON is gone; its place tells it from others.
        func refuse(_ message: String, plain: String? = nil, at index: Int) {
            records.refuse(message, plain: plain, json: Array(#"{"element":\#(index)}"#.utf8), at: index)
        }
        let failed = Set(values.failures.map(\.index))
        var place = 0
        for value in values.values {
            while failed.contains(place) { place += 1 }
            do throws(BoxError) {
                try records.add(value.value, saying: value.present.said, completingNew: true)
            } catch {
                refuse(SluiceError(error, entity: M.model.description.entity).message, at: place)
            }
            place += 1
        }
        for failure in values.failures {
            refuse(failure.message, plain: failure.plain, at: failure.index)
        }
        return try await sync(M.self, records.feed, options, isPlan: false)
    }

    /// Merges one value that was decoded within another type; see ``Upsert``.
    ///
    /// - Throws: ``SluiceError``, `CancellationError`; nothing is written then.
    @discardableResult
    public func sync<M>(
        _ value: Upsert<M>, _ options: SyncOptions = SyncOptions()
    ) async throws -> SyncResult<M> {
        var records = StoredRecords<M>()
        do throws(BoxError) {
            try records.add(value.value, saying: value.present.said, completingNew: true)
        } catch { throw SluiceError(error, of: value.value) }
        return try await sync(M.self, records.feed, options, isPlan: false)
    }

    // MARK: The typed stage

    /// Merges the records of JSON after a look at each as a value of the model: to change it, to leave it out, or to keep it
    /// aside.
    ///
    /// The value is made by the model's mapping, and what the source does not say has its default. A key that the source did
    /// not send and the closure did not touch stays absent, and says nothing; so it is with records by value. Links of ``Refs`` are
    /// merged as the source sends them.
    ///
    /// - Parameters:
    ///   - model: The model.
    ///   - json: UTF-8 text.
    ///   - options: Where the records come from, and how they are merged.
    ///   - stage: Gets each record; what it throws keeps the record aside.
    /// - Returns: What it came to.
    /// - Throws: ``SluiceError``, `CancellationError`; nothing is written then.
    @discardableResult
    public func sync<M: PersistentModel>(
        _ model: M.Type, from json: [UInt8], _ options: SyncOptions = SyncOptions(),
        stage: (inout M) throws -> Stage
    ) async throws -> SyncResult<M> {
        let source = try ModelSource(
            model, from: self.source(options, M.model.description), options, precedence: precedence)
        let feed = try TypedStage<M>(source: source).feed(of: RecordFeed(pages: [json]), stage)
        return try await sync(model, feed, options, isPlan: false)
    }

    /// Merges the records of a JSON text after a look at each.
    ///
    /// - Throws: ``SluiceError``, `CancellationError`; nothing is written then.
    @discardableResult
    public func sync<M: PersistentModel>(
        _ model: M.Type, from json: String, _ options: SyncOptions = SyncOptions(),
        stage: (inout M) throws -> Stage
    ) async throws -> SyncResult<M> {
        try await sync(model, from: Array(json.utf8), options, stage: stage)
    }

    // MARK: Doing it

    /// The source that options name.
    ///
    /// - Throws: ``SluiceError`` where the store was opened without the model.
    func source(_ options: SyncOptions, _ description: ModelDescription) throws(SluiceError) -> Source {
        try check(description)
        let name = options.source ?? Source(pipeline: sourceName)
        return Source(pipeline: name.pipeline, stream: name.stream ?? description.table)
    }

    func sync<M: PersistentModel>(
        _ model: M.Type, _ feed: RecordFeed, _ options: SyncOptions, isPlan: Bool
    ) async throws -> SyncResult<M> {
        let source = try ModelSource(
            model, from: source(options, M.model.description), options, precedence: precedence)
        let refusesMismatches = if case .throw = options.mismatch { true } else { false }
        let outcome = try await waiting(options.wait) {
            if case .every(let count) = options.commit, !isPlan {
                return try await SyncUnits(self, model, options, feed, source, count).perform(refusesMismatches)
            }
            return try await interruptibly(telling: !isPlan) { [writer] point in
                try await writer.sync(
                    feed, source, isPlan: isPlan, refusesMismatches: refusesMismatches, SyncPart(), isHeld: false,
                    point)
            }
        }
        let report = outcome.report
        return SyncResult(
            run: report.run.map { Int($0) }, summary: SyncSummary(report.summary),
            nested: Dictionary(
                report.streams.flatMap(\.parts).map { ($0.entity, SyncSummary($0.summary)) }, uniquingKeysWith: +),
            skipped: feed.skipped,
            conflicts: outcome.conflicts.map { Conflict(entry: $0) },
            quarantined: outcome.quarantined.map { SyncResult<M>.Quarantined($0) },
            problems: report.problems.map { SyncResult.Problem(code: $0.code, message: ProgramWording.of($0.message)) })
    }

    /// Does work, again as long as another has its source and there is time to wait.
    private func waiting<Result>(_ time: Duration, _ body: () async throws -> Result) async throws -> Result {
        let end = ContinuousClock.now + time
        while true {
            do { return try await body() } catch let error as SluiceError where error.code == .locked {
                let rest = end - ContinuousClock.now
                if rest <= .zero { throw error }
                try await Task.sleep(for: min(rest, .milliseconds(50)))
            }
        }
    }
}
