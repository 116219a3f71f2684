/// How much is kept of what a source said last time, so that it can be shown and brought back.
package enum BaseKeeping: String, Sendable, CaseIterable {
    /// Texts and blobs up to 1 KiB; of longer ones a digest.
    case short
    /// Every value, however long.
    case full
    /// A digest of every value that takes much more room than one: for the smallest store.
    case digest

    /// The most bytes of a text or blob that is kept as it is.
    package var longestBytes: Int {
        switch self {
        case .short: 1024
        case .full: .max
        case .digest: 24
        }
    }
}
