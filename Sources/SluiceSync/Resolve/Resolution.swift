/// What a person decides about a conflict.
public enum Resolution: Sendable, Equatable {
    /// The store's value stands.
    case local
    /// The source's value is taken.
    case remote
    /// What the source said before comes back.
    case base
    /// Another value, as JSON text or as plain text.
    case value(String)

    /// How the decision is kept with the conflict.
    var name: String {
        switch self {
        case .local: "local"
        case .remote: "remote"
        case .base: "base"
        case .value: "set"
        }
    }
}

/// How the resolution of one conflict ended.
public enum ResolutionOutcome: Sendable, Equatable {
    case resolved
    /// The store no longer holds the value that the conflict shows; it was brought up to date and stays open.
    case reopened
    /// It could not be done, for this reason.
    case refused(String)
}
