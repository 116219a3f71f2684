internal import SluiceDecode
internal import SluiceDiagnostics
internal import SluiceModel
internal import SluicePipeline

/// Something that stands against a feature.
struct FeatureCondition: Sendable {
    /// Whether the store has the last word: it knows of other pipelines that fill a table.
    var isOfStore = false
    /// Why the feature is off, as a sentence; nil where this does not stand against it.
    let reason: @Sendable (StreamFacts) -> String?

    private init(isOfStore: Bool = false, _ reason: @escaping @Sendable (StreamFacts) -> String?) {
        (self.isOfStore, self.reason) = (isOfStore, reason)
    }

    /// A condition whose sentence is always the same.
    private init(_ sentence: String, _ stands: @escaping @Sendable (StreamFacts) -> Bool) {
        self.init { stands($0) ? sentence : nil }
    }
}

// MARK: The source

extension FeatureCondition {
    static let hasFiles = FeatureCondition("The source is files.") { !$0.isHTTP }

    static let isUnconditional = FeatureCondition("`source` has `conditional: none`.") {
        $0.pipeline.source.conditional == .none
    }

    static let isSequential = FeatureCondition("`rate_limit` has `concurrency: 1`.") {
        $0.pipeline.source.rateLimit.concurrency < 2
    }
}

// MARK: Requests

extension FeatureCondition {
    static let isNoGet = FeatureCondition { facts in
        facts.stream.method == .get ? nil : "Its `method` is not GET."
    }

    static let hasBody = FeatureCondition("Its requests have a `body`.") { $0.stream.body != nil }

    static let hasLinkedPages = FeatureCondition { facts in
        if !facts.isHTTP { return nil }
        return switch facts.stream.paginator {
        case .none: "It has one page: its `paginator` is `none`."
        case .headerLink, .jsonLink, .cursor: "Each page says where the next one is."
        case .pageNumber, .offset: nil
        }
    }

    static let hasNoTotal = FeatureCondition { facts in
        switch facts.stream.paginator {
        case .none, .headerLink, .jsonLink, .cursor: nil
        case .pageNumber(let rule):
            rule.totalPath == nil ? "`paginator` has no `total_pages_path` that says how many pages there are." : nil
        case .offset(let rule):
            rule.totalPath == nil ? "`paginator` has no `total_path` that says how many records there are." : nil
        }
    }

    static let asksForChanges = FeatureCondition("`incremental` asks for what changed.") { $0.stream.asksForChanges }

    /// Where a record goes, those behind it move up while the pages are asked for: one may pass to a page that was asked before,
    /// so that versions which are all as they were do not say that nothing is missing.
    static let isCounted = FeatureCondition(
        "`paginator` counts pages: a record may move from one to another unseen, whatever their versions say."
    ) { $0.stream.paginator.rule.isCounted }

    static let isPartitioned = FeatureCondition { facts in
        if let parent = facts.stream.parent {
            return "It asks once for each record of `\(parent.stream)` (`parent`)."
        }
        return facts.stream.isPartitioned ? "It asks once for each item of `for_each`." : nil
    }

    static let hasMore = FeatureCondition("`more` of `nested` asks for the rest of lists.") {
        !$0.stream.listsWithMore.isEmpty
    }
}

// MARK: Commits

extension FeatureCondition {
    static let isPaged = FeatureCondition("`commit: page` keeps pages one by one.") { $0.isPaged }

    static let isKeptAsWhole = FeatureCondition("The run is kept as a whole (`commit: run`).") {
        $0.isHTTP && !$0.isPaged
    }

    static let isNoMerge = FeatureCondition { facts in
        let mode = facts.stream.writeMode
        return mode == .merge ? nil : "Its `write_mode` is `\(mode.rawValue)`."
    }

    static let replaces = FeatureCondition("`write_mode: replace` needs every record to put edits back.") {
        $0.stream.writeMode == .replace
    }
}

// MARK: Records

extension FeatureCondition {
    static let isNoFile = FeatureCondition("It does not come from a pipeline file.") {
        $0.stream.mappingFingerprint.isEmpty
    }

    static let hasEntries = FeatureCondition("Its records are the members of an object (`entries`).") {
        $0.stream.entries != nil
    }

    static let hasContentKey = FeatureCondition("Its key is made of all values (`primary_key: content`).") {
        $0.plan?.contentKey != nil
    }

    static let hasNoPlainKey = FeatureCondition(
        "A field of the primary key is not a plain value at a single path, so it is known only after decoding."
    ) { $0.plan?.keyPaths == nil && $0.plan?.contentKey == nil }

    /// Who speaks first of an embedded object speaks of its children too, and that may be another one in the next run: what
    /// is kept of a text tells what it says of the object, and not of the object's children.
    static let hasNests = FeatureCondition(
        "A record that something refers to stands within its records, with children."
    ) {
        guard let tree = $0.plan?.parts else { return false }
        return tree.parts.indices.contains { !tree.parts[$0].isChild && tree.hasChildren($0) }
    }

    static let hasManyParts = FeatureCondition(
        "More than \(TextFingerprint.mostParts) entities stand within its records."
    ) { $0.plan?.parts?.parts.count ?? 0 > TextFingerprint.mostParts }

    static let isRedacted = FeatureCondition("Fields have `redact`.") { facts in
        facts.plan?.redactor != nil || facts.schemas.contains { $0.fields.contains { $0.redaction != nil } }
    }

    static let isEntityRedacted = FeatureCondition("Fields have `redact`, and a page has their values in clear.") {
        $0.entity.hasRedactions
    }

    static let isOwnedBySource = FeatureCondition { facts in
        facts.schemas.contains(where: \.hasRemoteOwnedField) ? putBack : nil
    }

    static let isPutBack = FeatureCondition { facts in
        facts.entities.allSatisfy { $0.fields.allSatisfy { $0.owner != .remote } } ? nil : putBack
    }

    private static let putBack = "Fields have `owner: remote`, so every run puts edits of them back."

    static let isShared = FeatureCondition(isOfStore: true) { facts in
        shared(facts.others(filling: Set(facts.entities.map(\.table))))
    }

    static let isEntityShared = FeatureCondition(isOfStore: true) { facts in
        shared(facts.others(filling: [facts.entity.table]))
    }

    private static func shared(_ others: [String]) -> String? {
        if others.isEmpty { return nil }
        let names = others.map { "`\($0)`" }.joined(separator: ", ")
        return "\(names) \(Plural.word(others.count, "fills", "fill")) a table of it too."
    }
}
