internal import SluiceDecode
internal import SluiceFetch
internal import SluicePipeline
internal import SluiceReport
internal import SluiceStore
internal import SluiceSystem

/// Runs that keep every page as soon as it is merged, stream after stream.
extension RunLoop {
    /// Keeps every page as soon as it is merged, stream after stream. Nothing is thrown: what went wrong stands in
    /// ``report``.
    func keepPages() {
        let fetcher = engine.makeFetcher(access, TemplateValues(startedAt: access.startedAt))
        var end: RunFailure?
        do {
            let ordered = engine.streamsInOrder.map(\.1)
            var ahead: [String: [FetchStep]] = [:]
            if isPlan {
                for stream in ordered {
                    try attempt(stream) { ahead[stream.name] = try fetchAll($0, fetcher) }
                }
                try store.begin()
            }
            for stream in ordered where !isPlan || ahead[stream.name] != nil {
                try attempt(stream) { stream in
                    let isLast = stream.name == ordered.last?.name
                    if let steps = ahead[stream.name] {
                        for step in steps { try keep(step, of: stream, isLast: isLast) }
                    } else if !engine.has(.pageCommit, stream) {
                        try readWhole(stream, isLast: isLast)
                    } else {
                        try read(stream, isLast: isLast, fetcher)
                    }
                }
            }
        } catch {
            end = failure(error)
        }
        finish(end)
    }

    /// Does something for a stream; where it fails for a reason of its own, the others go on.
    private func attempt(_ stream: StreamDefinition, _ body: (StreamDefinition) throws -> Void) throws {
        do {
            try body(stream)
        } catch  where hasEnded {
            // The run was stopped, or its time was up, when all was kept.
            return
        } catch {
            // What a plan did of the stream cannot be told from the others.
            if isFatal(error) || isPlan && scans[stream.name]?.hasBegun == true { throw error }
            var failure = failure(error)
            failure.stream = stream.name
            failures.append((stream.name, failure))
        }
    }

    /// Whether an error is not that of one stream.
    private func isFatal(_ error: any Error) -> Bool {
        let error = (error as? StreamFailure)?.error ?? error
        if options.cancellation.isCancelled || error is CancelledError || error is SystemError { return true }
        return (error as? StoreError).map { $0.code != .rejected } ?? false
    }

    private func failure(_ error: any Error) -> RunFailure { engine.failure(error, access) }

    private func finish(_ end: RunFailure?) {
        report.finishedAt = WallClock.now()
        fill()
        // What could not be counted is told as the error that ended the run.
        report.openBesides = (try? engine.open(in: store, besides: report.total)) ?? OpenCounts()
        if isPlan {
            store.rollback()
            report.edits = try? engine.edits(in: store)
        }
        let ended = engine.streams.filter { scans[$0.name]?.hasEnded == true }
        guard let status = end?.status ?? failures.first?.failure.status else { return }
        // A run that lost its lock may have been undone meanwhile.
        let undoing = isPlan ? nil : number.flatMap { (try? store.runs.entry(id: $0))??.undoneBy }
        let keepsStreams = end == nil && !ended.isEmpty && undoing == nil
        report.status = keepsStreams ? .partial : status
        let isKept = (number != nil || report.status == .partial) && undoing == nil
        (report.run, report.keepsPages) = (number, number != nil && undoing == nil)
        if !isKept { (report.streams, report.schemaChanges, report.problems) = ([], [], before) }
        var kept = isPlan || undoing != nil ? [:] : scans.compactMapValues(\.keptWords)
        for (stream, failure) in failures {
            report.problems.append(failure.problem(kept: [kept.removeValue(forKey: stream)].compactMap { $0 }))
        }
        if let end {
            let words = engine.streams.compactMap { kept[$0.name] }
            report.problems.append(end.problem(kept: words, hasKept: number != nil))
        }
        if let undoing, !report.problems.isEmpty {
            report.problems[report.problems.count - 1].message += " Run \(undoing) has undone what it kept before."
        }
        if !isPlan && end?.mayBeNoted != false { recordEnd() }
    }

    /// Notes how the run ended in a store that exists; a store is never made for a failure.
    private func recordEnd() {
        store.rollback()
        do {
            try store.begin()
            var entry = RunEntry(report)
            entry.id = try number ?? store.runs.nextID()
            entry.changes = number == nil ? nil : .kept
            if number == nil && entry.id == 1 { return store.rollback() }
            entry.undoneBy = try number.flatMap { try store.runs.entry(id: $0)?.undoneBy }
            try store.runs.record(entry)
            try store.commit()
            report.run = entry.id
        } catch {
            store.rollback()
        }
    }
}

extension RunFailure {
    /// The problem as the report tells it, with what is kept all the same.
    ///
    /// - Parameters:
    ///   - words: What is kept of unfinished scans, as sentences.
    ///   - hasKept: Whether something else is.
    /// - Returns: The problem with its message.
    fileprivate func problem(kept words: [String], hasKept: Bool = false) -> RunProblem {
        var problem = problem(hasKept: !words.isEmpty || hasKept)
        problem.message = ([problem.message] + words).joined(separator: " ")
        return problem
    }
}
