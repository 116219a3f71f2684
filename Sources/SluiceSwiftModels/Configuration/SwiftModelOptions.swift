internal import SluiceSwift

/// How models are made.
package struct SwiftModelOptions: Sendable {
    /// How properties are called in the store where the model says nothing.
    package enum NameStyle: String, Sendable, CaseIterable {
        case snakeCase = "snake_case"
        case verbatim
    }

    /// Who sees the types.
    package enum Access: String, Sendable, CaseIterable {
        case `internal`, package, `public`
    }

    /// What a stored value means that is none of an enum's.
    package enum FailurePolicy: String, Sendable, CaseIterable {
        case `throw`
        case `default`
        case assertNil = "assert-nil"

        /// The label of the macro's argument.
        static let label = "decodeFailurePolicy"
        /// What a model says.
        var meaning: ModelDeclaration.FailurePolicy {
            switch self {
            case .throw: .throw
            case .default: .fallbackToDefaultValue
            case .assertNil: .debugAssertNil
            }
        }
        /// The argument of the macro; nil where nothing need be said.
        var argument: String? { self == .throw ? nil : "\(Self.label): .\(meaning.rawValue)" }
    }

    package var names = NameStyle.snakeCase
    package var access = Access.internal
    package var failurePolicy: FailurePolicy { saidPolicy ?? .throw }
    /// What a value means that an enum does not have, where that is said.
    package var saidPolicy: FailurePolicy?
    /// Whether to ask the macro for an initialiser.
    package var hasInitializer = false
    /// Whether there are counts of what a model leads to.
    package var hasCounts = true
    /// Whether values remember what was read.
    package var hasOrigin = true

    /// Makes the usual options.
    package init() {}

    /// The options of a command line that are not the usual ones, so that generated files can say how they came about.
    package var words: [String] {
        var words: [String] = []
        if access != .internal { words += ["--access-level", access.rawValue] }
        if hasInitializer { words.append("--initializer") }
        if !hasCounts { words.append("--no-counts") }
        if !hasOrigin { words.append("--no-origin") }
        if names != .snakeCase { words += ["--names", names.rawValue] }
        if failurePolicy != .throw { words += ["--policy", failurePolicy.rawValue] }
        return words
    }

    /// Reads ``words``; what is none of them is passed over.
    package init(words: some Sequence<String>) {
        var option = ""
        for word in words {
            switch (option, word) {
            case (_, "--initializer"): hasInitializer = true
            case (_, "--no-counts"): hasCounts = false
            case (_, "--no-origin"): hasOrigin = false
            case ("--access-level", _): access = Access(rawValue: word) ?? access
            case ("--names", _): names = NameStyle(rawValue: word) ?? names
            case ("--policy", _): saidPolicy = FailurePolicy(rawValue: word) ?? saidPolicy
            default: break
            }
            option = word
        }
    }
}
