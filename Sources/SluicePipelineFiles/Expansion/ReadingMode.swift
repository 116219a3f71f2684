/// What a pipeline file is read for.
package enum ReadingMode: Sendable, Hashable {
    /// To find its problems: what is not set on this machine is a warning, and stands for anything.
    case validate
    /// To run it: everything must be there.
    case run
    /// To run it on a recording, which has no secrets: what is not set on this machine stands for
    /// anything and is a secret like any other.
    case replay
}
