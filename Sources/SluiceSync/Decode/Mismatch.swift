/// Why a value could not be taken.
struct Mismatch: Error {
    /// The reasons that the report names.
    enum Reason: String, Sendable {
        case typeMismatch = "type_mismatch"
        case missingKey = "missing_key"
        case missingValue = "missing_value"
        case notAllowed = "not_allowed"
        case notAnObject = "not_an_object"
        case invalidJSON = "invalid_json"
        case uniqueCollision = "unique_collision"
    }

    /// The reason.
    let reason: Reason
    /// Whether there is a value and it does not fit, rather than none.
    var isOfValue: Bool { reason == .typeMismatch || reason == .notAllowed }
    /// What is wrong with the value and what would be right, as a sentence.
    let message: String
}
