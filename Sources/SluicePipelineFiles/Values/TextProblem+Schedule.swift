internal import SluicePipeline
internal import SluiceSchedule

extension TextProblem {
    /// What is wrong with a part of a schedule.
    init(_ error: ScheduleError) {
        let remedy = error.remedy.prefix(1).uppercased() + error.remedy.dropFirst()
        self.init("In its \(error.field), `\(error.value)`: \(error.reason).", help: "\(remedy).")
    }
}
