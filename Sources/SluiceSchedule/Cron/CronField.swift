/// A field of a cron expression.
enum CronField: Int, CaseIterable {
    case second, minute, hour, dayOfMonth, month, dayOfWeek

    /// What messages call it.
    var name: String {
        switch self {
        case .second: "second"
        case .minute: "minute"
        case .hour: "hour"
        case .dayOfMonth: "day of month"
        case .month: "month"
        case .dayOfWeek: "day of week"
        }
    }

    /// The numbers that may stand in it; Sunday is 0 and 7.
    var numbers: ClosedRange<Int> {
        switch self {
        case .second, .minute: 0...59
        case .hour: 0...23
        case .dayOfMonth: 1...31
        case .month: 1...12
        case .dayOfWeek: 0...7
        }
    }

    /// What `*` stands for.
    var all: ClosedRange<Int> { self == .dayOfWeek ? 0...6 : numbers }

    /// Whether a range may go over the end, as in `fri-mon`.
    var isRound: Bool { self == .month || self == .dayOfWeek }

    /// The names of its values in their order, the first one for the lowest number.
    var names: [String] {
        switch self {
        case .month:
            [
                "january", "february", "march", "april", "may", "june", "july", "august", "september", "october",
                "november", "december",
            ]
        case .dayOfWeek: ["sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"]
        default: []
        }
    }

    /// What may be written, for messages.
    var remedy: String {
        let range = "a number from \(numbers.lowerBound) to \(numbers.upperBound)"
        return switch self {
        case .month: "write \(range) or a name such as jan"
        case .dayOfWeek: "write \(range) or a name such as mon"
        default: "write \(range)"
        }
    }
}
