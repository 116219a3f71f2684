/// What is kept of a run that does not come to its end.
package enum CommitMode: String, Sendable, CaseIterable {
    /// Nothing: a run is kept as a whole.
    case run
    /// Every page that was merged; the next run goes on behind the last of them.
    case page
}
