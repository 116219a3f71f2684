internal import SluiceDiagnostics

/// The kinds of problem that a pipeline file can have, each with its code and its constant words.
struct ProblemKind {
    let code: DiagnosticCode
    let summary: String
    var severity = Severity.error

    static let unreadableFile = ProblemKind(code: "unreadable_file", summary: "Cannot read the file")
    static let includeCycle = ProblemKind(code: "include_cycle", summary: "Included files in a circle")
    static let includeDepth = ProblemKind(code: "include_depth", summary: "Included files too deep")
    static let noPipelines = ProblemKind(code: "no_pipelines", summary: "No pipeline files")
    static let emptyFile = ProblemKind(code: "empty_file", summary: "Empty pipeline file")
    static let emptyConfiguration = ProblemKind(code: "empty_file", summary: "Empty file")
    static let invalidYAML = ProblemKind(code: "invalid_yaml", summary: "Invalid YAML")
    static let unsupportedYAML = ProblemKind(code: "unsupported_yaml", summary: "Unsupported YAML")
    static let duplicateKey = ProblemKind(code: "duplicate_key", summary: "Duplicate key")

    static let unknownKey = ProblemKind(code: "unknown_key", summary: "Unknown key")
    static let missingKey = ProblemKind(code: "missing_key", summary: "Missing key")
    static let wrongType = ProblemKind(code: "wrong_type", summary: "Wrong type")
    static let invalidValue = ProblemKind(code: "invalid_value", summary: "Invalid value")
    static let conflictingKeys = ProblemKind(code: "conflicting_keys", summary: "Keys that do not go together")

    static let invalidReference = ProblemKind(code: "invalid_reference", summary: "Invalid reference")
    static let unsetEnvironment = ProblemKind(code: "unset_environment", summary: "Unset environment variable")
    static let unreadableReference = ProblemKind(code: "unreadable_reference", summary: "Unreadable `${file:}`")
    static let unknownVariable = ProblemKind(code: "unknown_variable", summary: "Unknown variable")
    static let secretNotAllowed = ProblemKind(code: "secret_not_allowed", summary: "Secret where none may be")

    static let unknownEntity = ProblemKind(code: "unknown_entity", summary: "Unknown entity")
    static let unknownField = ProblemKind(code: "unknown_field", summary: "Unknown field")
    static let unusableReference = ProblemKind(code: "unusable_reference", summary: "Unusable `ref` or `refs`")
    static let unusableChildren = ProblemKind(code: "unusable_children", summary: "Unusable `children`")
    static let streamCycle = ProblemKind(code: "stream_cycle", summary: "Parent streams in a circle")
    static let duplicateName = ProblemKind(code: "duplicate_name", summary: "Duplicate name")
    static let reservedName = ProblemKind(code: "reserved_name", summary: "Reserved name")
    static let unusableKeyField = ProblemKind(code: "unusable_key_field", summary: "Unusable key field")
    static let sharedTable = ProblemKind(code: "shared_table", summary: "Entities that do not share a table")
    static let unknownStream = ProblemKind(code: "unknown_stream", summary: "Unknown stream")
    static let missingPrecedence = ProblemKind(code: "missing_precedence", summary: "Streams without an order")
    static let unusedEntity = ProblemKind(code: "unused_entity", summary: "Unused entity", severity: .warning)
    static let unfilledTarget = ProblemKind(
        code: "unfilled_target", summary: "Records that nothing stores", severity: .warning)
    static let unredactedCopy = ProblemKind(
        code: "unredacted_copy", summary: "Redacted value in another field", severity: .warning)
    static let doubledColumn = ProblemKind(
        code: "doubled_column", summary: "Key named twice in a column", severity: .warning)
    static let missingZone = ProblemKind(code: "missing_zone", summary: "No time zone", severity: .warning)
    static let unusedSpread = ProblemKind(
        code: "unused_spread", summary: "Requests that one worker makes", severity: .warning)
    static let unreadDeletions = ProblemKind(
        code: "unread_deletions", summary: "Deletes that are not recognised", severity: .warning)
}
