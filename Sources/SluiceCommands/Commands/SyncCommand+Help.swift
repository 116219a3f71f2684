internal import SluicePipeline
internal import SluiceReport
internal import SluiceSchedule
internal import SluiceSync

/// `sluice run` for the run of another service: it reads partitions and writes no report, which that run does.
extension SyncCommand {
    /// Reads partitions of a share until none is free.
    ///
    /// - Parameters:
    ///   - job: The pipeline and its store.
    ///   - ticket: The share, and for whom it is read.
    /// - Returns: The exit code.
    func help(_ job: SyncJob, _ ticket: ShareTicket) -> ExitCode {
        let log = invocation.log.about(job.pipeline.name)
        let engine = SyncEngine(pipeline: job.pipeline, options: options(job), observer: SilentObserver())
        let report = engine.help(ticket)
        self.report(report.streams, log)
        log.report(report.problemsBesideStop)
        return ExitCode(report, strictness: strictness, signal: context.signal())
    }

    /// Logs what was read of streams.
    func report(_ streams: [StreamReport], _ log: Log) {
        for stream in streams {
            let bytes = CountText.bytes(stream.bytes)
            let isUnread = stream.notModified > 0 && stream.pages == 0
            let words =
                isUnread
                ? "\(SummaryText.asBefore(pages: stream.notModified)), \(bytes)"
                : "\(CountText.of(stream.pages, "page")), \(bytes), \(CountText.of(stream.read, "record"))"
            log.report(
                .streamRead, stream: stream.stream, words,
                [
                    (.pages, .number(stream.pages)), (.bytes, .number(stream.bytes)),
                    (.records, .number(stream.read)),
                ])
        }
    }
}
