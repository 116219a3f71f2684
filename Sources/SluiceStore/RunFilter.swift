/// Which runs are meant.
package struct RunFilter: Sendable, Equatable {
    /// Only those that were asked for the whole pipeline, succeeded and were not undone.
    package var isSuccess = false
    /// Only those of which it is known how many records they read, see ``RunEntry/recordsRead``, and that were not undone.
    package var isReading = false
    /// Only those that did not succeed.
    package var isFailure = false
    /// Only those that began then or later, RFC 3339 in UTC with whole seconds; nil for any time.
    package var since: String?

    /// Whether runs that were undone are left out.
    package var leavesOutUndone: Bool { isSuccess || isReading }

    /// All of them.
    package static let all = RunFilter()

    /// Makes a filter.
    package init(isSuccess: Bool = false, isReading: Bool = false, isFailure: Bool = false, since: String? = nil) {
        (self.isSuccess, self.isReading, self.isFailure) = (isSuccess, isReading, isFailure)
        self.since = since
    }
}
