/// Which side's timestamp is newer, where a pipeline names a timestamp field.
package enum NewestSide: Sendable, Hashable {
    case local, remote
    /// No timestamp on one side, or the local edit has none of its own.
    case unknown
}
