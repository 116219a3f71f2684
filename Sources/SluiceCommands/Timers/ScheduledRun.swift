internal import SluiceDiagnostics
internal import SluiceModel
internal import SluiceSchedule

/// A run of a pipeline that another program starts when it is due. All paths begin at the root.
struct ScheduledRun {
    let pipeline: ScheduledPipeline
    /// The program and its arguments.
    let words: [String]
    /// The folder that the program starts in.
    let folder: String
    /// The store's file; nil for a store that is none.
    let store: String?
    /// The pipeline's file.
    let file: String
    /// Where values may stand that pipelines name as `${env:NAME}`; nil where the program itself reads files of them.
    let environmentFile: String?
    /// The files of values that the program reads itself.
    let environmentFiles: [String]
    /// The user that it runs as.
    let user: String

    /// What units and files of it are called.
    var name: String { "sluice-\(pipeline.name)" }

    /// When it is due, as an expression and its zone.
    ///
    /// - Throws: ``ScheduleError`` where the schedule says more than a timer of another program can know.
    func expression() throws(ScheduleError) -> (CronExpression, ZoneRules) {
        guard case .cron(let expression) = pipeline.schedule.trigger else {
            throw ScheduleError(
                field: "schedule", value: "every", reason: "it counts from the last start, which a timer does not know",
                remedy: "write `cron`")
        }
        if !pipeline.after.isEmpty {
            throw ScheduleError(
                field: "schedule", value: "after",
                reason: "other programs do not know whether the run of another pipeline succeeded",
                remedy:
                    "leave it out and choose a time when the other pipelines are done, or run `sluice serve`, which knows: `sluice generate systemd --serve` or `sluice generate kubernetes --serve`"
            )
        }
        return (expression, pipeline.schedule.zone)
    }

    /// Refuses what cannot stand in a line.
    ///
    /// - Throws: ``ScheduleError``.
    func checkWords() throws(ScheduleError) {
        try Self.check(words + [folder, store ?? "", environmentFile ?? "", user])
    }

    /// Refuses words that cannot stand in a line.
    ///
    /// - Throws: ``ScheduleError``.
    static func check(_ words: [String]) throws(ScheduleError) {
        for word in words
        where word.unicodeScalars.contains(where: { $0.value < 0x20 || $0.value == 0x7F }) {
            throw ScheduleError(
                field: "path", value: PrintableText.escape(word), reason: "it has a control character",
                remedy: "choose another name")
        }
    }
}
