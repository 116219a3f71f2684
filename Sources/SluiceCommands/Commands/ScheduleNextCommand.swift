internal import SluiceSchedule

/// `sluice schedule next`: the due times of a cron expression.
struct ScheduleNextCommand {
    let invocation: Invocation
    private var arguments: ParsedArguments { invocation.arguments }

    init(invocation: Invocation) { self.invocation = invocation }

    func run() throws -> ExitCode {
        let (expression, zone) = try schedule()
        let from = try MomentOption.moment(arguments.text(.from), in: zone)
        let count = arguments.text(.count).flatMap { OptionSpec.count($0) } ?? 5
        let due = Array(Schedule(trigger: .cron(expression), zone: zone).dueTimes(after: from).prefix(count))
        let list = DueTimeList(expression: expression, zone: zone, from: from, due: due)
        let output = try invocation.openOutput()
        try output.write(arguments.isJSON ? list.json : list.text)
        try output.finish()
        return .done
    }

    private func schedule() throws -> (CronExpression, ZoneRules) {
        do throws(ScheduleError) {
            let expression = try CronExpression(arguments.operands.first ?? "")
            return (expression, try ZoneDatabase.zone(arguments.text(.timezone) ?? "UTC"))
        } catch {
            throw Failure(.usage, "Cannot read the schedule: \(error).")
        }
    }
}
