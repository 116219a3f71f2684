internal import SluiceDiagnostics
internal import SluicePipeline
internal import SluiceSchedule

/// Says when a pipeline is due.
struct ScheduleBuilder {
    let reporter: Reporter

    /// The schedule of a pipeline, or nil where there is none or a part of it is wrong.
    func build(_ node: ConfigNode?, of name: String) -> ScheduleDefinition? {
        guard let node, node.members != nil else { return nil }
        checkKeys(of: node)
        let after = node.member("after")
        for place in after?.elements ?? [] where place.string == name && !name.isEmpty {
            reporter.report(
                .invalidValue, "`schedule.after` names `\(name)`, the pipeline itself, so that it would never be run.",
                at: place.start, help: "Leave the name out.")
        }
        guard let trigger = trigger(of: node) else { return nil }
        let zone = node.member("timezone")?.string.flatMap { try? ZoneDatabase.zone($0) }
        let jitter = Jitter(seconds: node.member("jitter")?.duration?.components.seconds ?? 0, name: name)
        let schedule = Schedule(trigger: trigger, zone: zone ?? .utc, jitter: jitter)
        let names = (after?.elements ?? []).compactMap(\.string)
        var pipeline = ScheduledPipeline(name: name, schedule: schedule, after: names)
        pipeline.timeout = node.member("timeout")?.duration?.components.seconds
        pipeline.overlap = node.member("overlap")?.choice(ScheduledPipeline.Overlap.self) ?? pipeline.overlap
        pipeline.missed = node.member("missed")?.choice(ScheduledPipeline.Missed.self) ?? pipeline.missed
        if let retry = node.member("retry"), retry.members != nil {
            let attempts = retry.member("max_attempts")?.int ?? 1
            let base = retry.member("base")?.duration?.components.seconds ?? 60
            pipeline.retry = ScheduledPipeline.Retry(maxAttempts: attempts, base: base)
        }
        return ScheduleDefinition(pipeline: pipeline, place: (after ?? node).start.location)
    }

    private func trigger(of node: ConfigNode) -> Schedule.Trigger? {
        if let text = node.member("cron")?.string { return (try? CronExpression(text)).map { .cron($0) } }
        return (node.member("every")?.duration).map { .every(seconds: $0.components.seconds) }
    }

    private func checkKeys(of node: ConfigNode) {
        let (cron, every) = (node.member("cron"), node.member("every"))
        if cron == nil, every == nil {
            reporter.report(
                .missingKey, "`schedule` needs `cron` or `every`.", at: node.start,
                help: "For example: `cron: \"0 6 * * *\"`, or `every: 15m`")
        }
        guard let every else { return }
        if cron != nil {
            reporter.report(
                .conflictingKeys, "`schedule` has `cron` and `every`, and a pipeline is due by one of them.",
                at: every.start, help: "Leave one of them out.")
        } else if let zone = node.member("timezone") {
            reporter.report(
                .conflictingKeys, "`schedule.timezone` holds for `cron` alone: `every` counts from the last start.",
                at: zone.start, help: "Leave `timezone` out, or write `cron` instead of `every`.")
        }
    }
}
