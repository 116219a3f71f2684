/// A run of which a service or the run itself told that it failed, as a later run of the pipeline is to know it.
package struct ToldFailure: Equatable, Sendable {
    /// The variable by which a service says so to a run.
    package static let variable = "SLUICE_TOLD"

    /// When the run was started, in seconds since the epoch.
    package let start: Int64
    /// Whether it was an earlier attempt at the same due time, of which one failure is told.
    package let isSameDueTime: Bool

    /// Says which run it was.
    package init(start: Int64, isSameDueTime: Bool) { (self.start, self.isSameDueTime) = (start, isSameDueTime) }

    /// Reads ``text``; nil where it is something else.
    package init?(text: String) {
        let words = text.split(separator: " ")
        guard words.count == 2, ["before", "same"].contains(words[0]), let start = Int64(words[1]) else { return nil }
        self.init(start: start, isSameDueTime: words[0] == "same")
    }

    /// The text of the variable.
    package var text: String { "\(isSameDueTime ? "same" : "before") \(start)" }
}
