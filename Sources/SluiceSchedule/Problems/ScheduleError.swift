/// What is wrong with a schedule: which part, its value, why, and what to write instead.
package struct ScheduleError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The part, as in "minute" or "time zone".
    package let field: String
    /// What stands there.
    package let value: String
    /// Why it cannot be, as a part of a sentence: "61 is not within 0 to 59".
    package let reason: String
    /// What to do, as a part of a sentence: "write a number from 0 to 59".
    package let remedy: String

    /// Makes an error of its parts.
    package init(field: String, value: String, reason: String, remedy: String) {
        (self.field, self.value, self.reason, self.remedy) = (field, value, reason, remedy)
    }

    /// All of it in one line.
    package var description: String { "\(field) `\(value)`: \(reason); \(remedy)" }
}
