/// What Sluice does for a stream to save time or to keep what it has, where nothing stands against it.
///
/// A new feature is a case here and its row in ``conditions``. ``StreamFeatures`` says which of them a stream has, and
/// `validate --explain` tells it.
package enum StreamFeature: String, CaseIterable, Sendable {
    /// Records are known by their texts to be as they were.
    case fingerprints
    /// The source is asked whether pages changed.
    case conditionalRequests = "conditional_requests"
    /// Pages are asked for before the one before them came.
    case parallelPages = "parallel_pages"
    /// Pages are kept one by one.
    case pageCommit = "page_commit"
    /// Pages that are not merged yet wait beside the store.
    case waitingPages = "waiting_pages"

    /// What it does for the stream, as a sentence.
    package var meaning: String {
        switch self {
        case .fingerprints: "A record whose text is the same as in the last run is not decoded."
        case .conditionalRequests: "If the source says that no page changed, nothing is read."
        case .parallelPages: "Several pages are asked for at a time."
        case .pageCommit: "Each page is kept as soon as it is merged, and the next run continues after it."
        case .waitingPages: "Pages that were fetched but not merged are kept for an hour beside the store."
        }
    }

    /// What stands against it, in the order in which people are told.
    var conditions: [FeatureCondition] {
        switch self {
        case .fingerprints:
            [
                .isPaged, .asksForChanges, .isPartitioned, .hasEntries, .hasMore, .isNoFile, .isNoMerge, .hasNoPlainKey,
                .hasContentKey, .hasNests, .hasManyParts, .isRedacted, .isOwnedBySource, .isShared,
            ]
        case .conditionalRequests:
            [
                .hasFiles, .isUnconditional, .isNoGet, .hasBody, .isCounted, .replaces, .asksForChanges,
                .isPartitioned, .hasMore, .isPutBack, .isEntityShared,
            ]
        case .parallelPages: [.hasFiles, .isSequential, .hasLinkedPages, .hasNoTotal, .isPartitioned]
        case .pageCommit: [.hasFiles, .isKeptAsWhole, .isPartitioned]
        case .waitingPages: [.hasFiles, .isKeptAsWhole, .isPartitioned, .isEntityRedacted]
        }
    }
}
