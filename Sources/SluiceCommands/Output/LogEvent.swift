/// What a line of the log is about. The raw value is its name in `--log-format json`, which stays from version to version.
package enum LogEvent: String, CaseIterable, Sendable {
    case runStarted = "run_started"
    case runFinished = "run_finished"
    case runProblem = "run_problem"
    case streamRead = "stream_read"
    case stageStarted = "stage_started"
    case progress
    case waiting
    case recordsOpen = "records_open"
    case pipelineProblem = "pipeline_problem"
    case filesLeftOut = "files_left_out"
    case storeUnreadable = "store_unreadable"
    case storeImplied = "store_implied"
    case scheduleMissing = "schedule_missing"
    case scheduleInexact = "schedule_inexact"
    case programMissing = "program_missing"
    case storeIncomplete = "store_incomplete"
    case fileLeftBehind = "file_left_behind"
    case modelInexact = "model_inexact"
    case keyDoubtful = "key_doubtful"
    case sourceFindings = "source_findings"
    case credentialLeftOut = "credential_left_out"
    case quarantineRefused = "quarantine_refused"
    case resultLost = "result_lost"
    case stopped
    case commandFailed = "command_failed"
    case helpNamed = "help_named"
    case serviceStarted = "service_started"
    case serviceStopping = "service_stopping"
    case filesRead = "files_read"
    case childStarted = "child_started"
    case childEnded = "child_ended"
    case runTakenOver = "run_taken_over"
    case runHelped = "run_helped"
    case runHelpFailed = "run_help_failed"
    case dueLate = "due_late"
    case dueSkipped = "due_skipped"
    case storeTrouble = "store_trouble"
    case noticeFailed = "notice_failed"

    /// What the table of events says of an event.
    package struct Row: Sendable {
        /// How much it matters; of some events each has its own level.
        package let level: Log.Level
        /// The members that it has besides those of every event.
        package let details: [LogDetail]
        /// When it happens.
        package let meaning: String

        init(_ level: Log.Level, _ details: [LogDetail] = [], _ meaning: String) {
            (self.level, self.details, self.meaning) = (level, details, meaning)
        }
    }

    /// What the table of events says of it.
    package var row: Row {
        switch self {
        case .runStarted: Row(.info, [.command, .file, .store], "a run or plan begins")
        case .runFinished:
            Row(
                .info,
                [
                    .status, .run, .seconds, .insert, .update, .delete, .unchanged, .keptLocal, .conflict,
                    .conflictWritten, .quarantined, .deleteRefused, .stale, .deleteReported, .duplicates,
                    .entities,
                ], "a run or plan has ended")
        case .runProblem:
            Row(.error, [.code, .entity], "what its report tells as a problem, as an error, a warning or information")
        case .streamRead: Row(.info, [.pages, .bytes, .records], "what a stream read, told at the end of its run")
        case .stageStarted: Row(.debug, [.stage, .table, .step], "a stage of a stream begins")
        case .progress:
            Row(
                .info,
                [
                    .stage, .seconds, .table, .step, .pages, .bytes, .records, .total, .pageTotal, .percent,
                    .recordsPerSecond, .bytesPerSecond, .secondsLeft,
                ], "each 10 s, how far a stage of a stream has come")
        case .waiting: Row(.info, [.seconds, .until, .reason, .cause], "the next request is sent later")
        case .recordsOpen:
            Row(.warning, [.conflict, .quarantined], "`--strict` and `--quiet`: records wait for a decision")
        case .pipelineProblem:
            Row(
                .error, [.code, .file, .line, .column],
                "a problem of a pipeline file: an error, a warning or information")
        case .filesLeftOut: Row(.error, "pipeline files with errors are left out")
        case .storeUnreadable: Row(.error, "one of several stores cannot be read")
        case .storeImplied:
            Row(.warning, "which store a command means that names none, where others might be meant")
        case .scheduleMissing: Row(.warning, [.file], "a pipeline file has no `schedule`")
        case .scheduleInexact: Row(.error, [.file], "a timer or crontab cannot say a schedule exactly")
        case .programMissing: Row(.warning, [.file], "the program that a timer or crontab starts is not there")
        case .storeIncomplete:
            Row(.warning, [.file], "a timer or crontab does not say all that leads to the store, such as its password")
        case .fileLeftBehind:
            Row(.warning, [.file, .line], "a file that a pipeline names is not in the manifest for Kubernetes")
        case .modelInexact:
            Row(
                .warning, [.file, .entity],
                "a model of Swift does not say all that the pipeline does, or a type cannot be one")
        case .keyDoubtful: Row(.warning, "the key of an import does not tell all records apart")
        case .sourceFindings: Row(.error, "what an import found, where it cannot choose a key")
        case .credentialLeftOut: Row(.warning, [.file], "a credential is not written to a pipeline file")
        case .quarantineRefused: Row(.error, "a record in quarantine is not tried again or dropped")
        case .resultLost: Row(.error, "the work is done, and its result could not be written")
        case .stopped: Row(.error, "a signal stopped the command")
        case .commandFailed: Row(.error, [.exitCode], "the command could not be done")
        case .helpNamed: Row(.error, "where to read how the command is used")
        case .serviceStarted: Row(.info, "`sluice serve` begins")
        case .serviceStopping: Row(.info, "`sluice serve` was told to end")
        case .filesRead: Row(.info, "`sluice serve` has read the pipeline files")
        case .childStarted: Row(.info, [.child], "`sluice serve` starts a run")
        case .childEnded: Row(.info, [.child, .run, .status, .seconds, .exitCode], "a run of `sluice serve` has ended")
        case .runTakenOver: Row(.warning, "`sluice serve` takes over a run whose service is silent")
        case .runHelped: Row(.info, "`sluice serve` begins or ends to read partitions of another service's run")
        case .runHelpFailed: Row(.warning, "`sluice serve` could not read all that it took of another service's run")
        case .dueLate: Row(.warning, "a run has not been started a minute after its time")
        case .dueSkipped: Row(.info, "a due time is left out, with the reason")
        case .storeTrouble: Row(.error, "`sluice serve` cannot use a store, and tries again")
        case .noticeFailed: Row(.warning, "`sluice serve` could not tell whom a pipeline names")
        }
    }

    /// The table of events, in Markdown.
    package static var table: String {
        let rows = allCases.map { event in
            let row = event.row
            let details = row.details.map { "`\($0.rawValue)`" }.joined(separator: ", ")
            return "| `\(event.rawValue)` | \(row.level) | \(row.meaning) | \(details) |\n"
        }
        return "| Event | Level | When | Also has |\n|---|---|---|---|\n" + rows.joined()
    }
}

extension LogEvent.Row {
    fileprivate init(_ level: Log.Level, _ meaning: String) { self.init(level, [], meaning) }
}

/// A member of the JSON of some events.
package enum LogDetail: String, Sendable {
    case bytes, cause, child, code, column, command, conflict, delete, duplicates, entities, entity, file, insert,
        line, pages, percent
    case quarantined, reason, records, run, seconds, stage, stale, status, step, store, table, total, unchanged, until,
        update
    case keptLocal = "kept_local"
    case conflictWritten = "conflict_written"
    case deleteRefused = "delete_refused"
    case deleteReported = "delete_reported"
    case recordsPerSecond = "records_per_second"
    case bytesPerSecond = "bytes_per_second"
    case pageTotal = "page_total"
    case secondsLeft = "seconds_left"
    case exitCode = "exit_code"
}

/// The value of a ``LogDetail``.
package enum LogValue: Sendable {
    case text(String)
    case number(Int)
    /// Written with at most three digits behind the point.
    case decimal(Double)
    /// A JSON object as it is.
    case object(String)
}
