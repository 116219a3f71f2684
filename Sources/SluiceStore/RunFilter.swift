/// Which of a pipeline's runs over its source are meant; runs that were undone are not, unless all are.
package struct RunFilter: Sendable, Equatable {
    /// Only those that were asked for the whole pipeline and succeeded.
    package var isSuccess = false
    /// Only those of which it is known how many records they read, see ``RunEntry/recordsRead``.
    package var isReading = false

    /// All of them.
    package static let all = RunFilter()

    /// Makes a filter.
    package init(isSuccess: Bool = false, isReading: Bool = false) {
        (self.isSuccess, self.isReading) = (isSuccess, isReading)
    }
}
