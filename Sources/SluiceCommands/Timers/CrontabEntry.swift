internal import SluiceDiagnostics
internal import SluiceSchedule

/// The lines of a crontab that run a pipeline when it is due.
struct CrontabEntry {
    let text: String

    /// Writes the lines of a run.
    ///
    /// - Parameters:
    ///   - run: The run.
    ///   - moment: From when on the lines must mean what the schedule says, in seconds since the epoch.
    /// - Throws: ``ScheduleError`` where a crontab cannot say it.
    init(_ run: ScheduledRun, from moment: Int64) throws(ScheduleError) {
        try run.checkWords()
        let (expression, zone) = try run.expression()
        let jitter = run.pipeline.schedule.jitter.seconds
        if jitter > 0 {
            throw ScheduleError(
                field: "schedule", value: "jitter", reason: "a crontab cannot spread starts over \(jitter) s",
                remedy: "leave it out, or use `sluice generate systemd`")
        }
        let time = try CrontabTime(expression, in: zone, from: moment)
        let secrets = run.environmentFile.map { ShellWord.quoted($0) }
        let command =
            (secrets.map { "set -a; if [ -f \($0) ]; then . \($0); fi; " } ?? "")
            + "cd \(ShellWord.quoted(run.folder)) && exec "
            + run.words.map { ShellWord.quoted($0) }.joined(separator: " ")
        text = """
            # \(run.pipeline.name)
            # Debian's cron ignores CRON_TZ: there the times are those of the system's time zone.
            CRON_TZ=\(zone.name)
            \(time.fields) \(command.replacing("%", with: "\\%"))

            """
    }
}
