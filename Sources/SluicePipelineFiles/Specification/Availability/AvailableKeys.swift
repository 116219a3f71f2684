/// Which features of the pipeline file are there; what needs another one is unknown to the checker, to the JSON Schema
/// and to the reference.
package struct AvailableKeys: Sendable, Hashable {
    /// What this version of Sluice can act on: a feature that is added here is switched on everywhere.
    package static let current = AvailableKeys([
        .fieldOwner, .entityOwner, .fieldPolicy, .entityPolicy, .mergePolicy, .newest,
        .formatList, .typeMismatch, .fieldProgram, .compare, .keepBase, .redact,
        .filter, .recordsProgram, .softDelete, .deletedWhen, .duplicates, .writeMode, .incremental,
        .requestBody, .cursor, .stopWhen, .jsonLink, .pageNumber, .offset, .headerLinkLimits,
        .tls, .proxy, .oauth2, .session, .rateLimit, .responseRules, .conditional,
        .history, .contentKey, .schemaContract, .reference, .references, .children, .commit, .parentStream, .forEach,
        .nested,
    ])

    /// Every feature that is specified.
    package static let all = AvailableKeys(Set(KeyFeature.allCases))

    private let features: Set<KeyFeature>

    /// Makes a set of features.
    package init(_ features: Set<KeyFeature>) { self.features = features }

    /// Whether a feature is there.
    package func contains(_ feature: KeyFeature) -> Bool { features.contains(feature) }
}
