internal import SluiceDecode
package import SluiceFetch
internal import SluiceHTTP
internal import SluiceMerge
internal import SluiceModel
internal import SluicePages
internal import SluicePipeline
internal import SluiceReconcile
package import SluiceReport
internal import SluiceStore
internal import SluiceStores
internal import SluiceSystem

/// What a recording of one pipeline brought.
package struct RecordingReport: Sendable {
    /// How it went; of the streams, what was fetched.
    package var report: RunReport
    /// Where it stands; nil where nothing was recorded.
    package var folder: String?
    /// What was kept, in order.
    package var kept: [KeptExchange] = []
}

extension SyncEngine {
    /// Fetches what a plan would fetch and keeps each exchange; the store is read and not written.
    ///
    /// - Parameter folder: Where the recording gets a folder of its own, named like the pipeline.
    /// - Returns: How it went. Nothing is thrown: what went wrong stands in the report.
    package func record(to folder: String) -> RecordingReport {
        var report = RunReport(pipeline: pipeline.name, command: .plan, startedAt: WallClock.now())
        guard case .http = pipeline.source.base else {
            let message =
                "`\(pipeline.name)` reads files, so there is nothing to record: a replay reads them as they are."
            report.problems.append(RunProblem(code: "nothing_to_record", severity: .note, message: message))
            return RecordingReport(report: report)
        }
        var result = RecordingReport(report: report, folder: FileSystem.resolve(pipeline.name, in: folder))
        var options = options
        options.command = .plan
        do throws(SyncError) {
            let writer = try RecordingWriter(
                folder: result.folder ?? folder, pipeline: pipeline.name,
                isFull: options.isFull && options.from == nil, startedAt: report.startedAt, version: options.version)
            let recorder = HTTPRecorder(secrets: secretsInAnswers) {
                request, response throws(HTTPTrafficError) in
                try writer.keep(request, response)
            }
            options.httpEnvironment.traffic = .recorded(recorder)
            let access = SourceAccess(pipeline.source, options: options, startedAt: report.startedAt)
            SyncEngine(pipeline: pipeline, options: options, observer: observer).fetchAlone(access, &report)
            if let problem = recorder.problem, report.status == .succeeded { report.fail(problem) }
            result.kept = writer.kept
            report.finishedAt = WallClock.now()
            if result.kept.isEmpty, report.status != .succeeded {
                writer.discard()
                result.folder = nil
            } else {
                try writer.finish(
                    RecordingState.Status(report.status),
                    message: report.problems.first { $0.severity == .error }?.message, at: report.finishedAt)
            }
            report.problems += access.tokenProblems(store: options.address)
        } catch {
            report.status = .failed
            report.problems.append(RunProblem(code: error.code.name, severity: .error, message: error.message))
            if result.kept.isEmpty { result.folder = nil }
        }
        report.finishedAt = WallClock.now()
        result.report = report
        return result
    }

    /// The fetch of a plan, and nothing after it: what was fetched stands in the report.
    package func fetchAlone() -> RunReport {
        var report = RunReport(pipeline: pipeline.name, command: .plan, startedAt: WallClock.now())
        fetchAlone(SourceAccess(pipeline.source, options: options, startedAt: report.startedAt), &report)
        report.finishedAt = WallClock.now()
        return report
    }

    private func fetchAlone(_ access: SourceAccess, _ report: inout RunReport) {
        do {
            try options.store.backend.check(for: .planning)
            let readings = try cursorRanges(in: storeToRead(), startedAt: access.startedAt)
            let pages = try fetch(access, readings, [:], [:])
            let settled = try reportsOfMerge(pages, readings, access)
            for stream in streams {
                let (pages, merged) = (pages[stream.name], settled[stream.name])
                var entry = StreamReport(stream: stream.name, entity: stream.entity)
                entry.requests = merged?.requests ?? pages?.requests ?? 0
                entry.retries = merged?.retries ?? pages?.retries ?? 0
                entry.bytes = pages?.bytes ?? merged?.bytes ?? 0
                entry.pages = pages?.pages.count ?? merged?.pages ?? 0
                entry.isComplete = pages?.coverage.isComplete ?? merged?.isComplete ?? false
                report.streams.append(entry)
            }
        } catch {
            RunFailure(
                error, isCancelled: options.cancellation.isCancelled, hiding: secrets + access.secrets
            ).describe(in: &report)
        }
    }
}

extension SyncEngine {
    /// Asks for the single records and for the parents' records that a plan would ask for; only its merge tells which
    /// these are.
    ///
    /// - Returns: What became of each stream; none where all that is asked for is known before.
    private func reportsOfMerge(
        _ pages: [String: FetchedPages], _ readings: [String: CursorRange], _ access: SourceAccess
    ) throws -> [String: StreamReport] {
        if !asksForRecords && !asksForParents { return [:] }
        defer { access.shutDown() }
        let session = StoreSession(options: options.store, pipeline: pipeline.name)
        defer { session.close() }
        let merge = UnitMerge(
            engine: self, store: try session.open(), access: access, observer: ProgressObserver(observer),
            time: access.startedAt, number: nil, hasTables: false, isNested: false,
            allowedDeletes: options.allowedDeletes)
        let outcome = try merge.perform(CommitUnit(streamsInOrder.map(\.1), pages, readings, [:]))
        return Dictionary(outcome.streams.map { ($0.name, $0.outcome.report) }) { first, _ in first }
    }
}

/// Passes on how far the work has come, and nothing else.
private final class ProgressObserver: RunObserver {
    private let inner: any RunObserver
    var wantsChanges: Bool { false }

    init(_ inner: any RunObserver) { self.inner = inner }

    func changed(_ change: RecordChange, schema: RecordSchema) {}
    func skippedChange(of schema: RecordSchema) {}
    func conflict(_ entry: ConflictEntry) {}
    func quarantined(_ entry: QuarantineEntry) {}
    func restart() {}
    func progress(_ progress: RunProgress) { inner.progress(progress) }
}

extension RunReport {
    fileprivate mutating func fail(_ problem: HTTPTrafficError) {
        status = .failed
        problems.append(RunProblem(code: problem.code.rawValue, severity: .error, message: problem.message))
    }
}

extension RecordingState.Status {
    fileprivate init(_ status: RunReport.Status) {
        switch status {
        case .succeeded: self = .complete
        case .interrupted: self = .interrupted
        case .failed, .locked, .partial, .refused: self = .failed
        }
    }
}
