/// How much a problem matters.
package enum Severity: String, Sendable, Hashable, CaseIterable, Comparable {
    /// Worth knowing; nothing is wrong.
    case note
    /// Works, but probably not as meant.
    case warning
    /// Does not work.
    case error

    private var rank: Int {
        switch self {
        case .note: 0
        case .warning: 1
        case .error: 2
        }
    }

    /// Whether the left one matters less.
    package static func < (left: Severity, right: Severity) -> Bool { left.rank < right.rank }
}
