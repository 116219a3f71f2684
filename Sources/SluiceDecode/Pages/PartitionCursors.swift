package import SluiceModel
package import SluicePipeline
internal import SluiceStore

/// How far partitions were read, as a store keeps it: their cursors as the field is stored, by their keys.
package struct KeptCursors: StateValue {
    package var cursors: [ExactText: String]

    package init(_ cursors: [ExactText: String] = [:]) { self.cursors = cursors }

    package init?(stateText: String) {
        cursors = [:]
        // A damaged line costs one partition its cursor, so that it is read from its beginning.
        for line in stateText.split(separator: "\n") {
            let parts = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
            if parts.count == 2 { cursors[ExactText(parts[0])] = parts[1] }
        }
    }

    package var stateText: String? {
        if cursors.isEmpty { return nil }
        return cursors.keys.sorted().compactMap { key in cursors[key].map { "\(key.text)\t\($0)" } }.joined(
            separator: "\n")
    }
}

/// How far each partition of an incremental stream was read. What is kept has an entry for each partition that is there.
package struct PartitionCursors: Sendable {
    /// What is kept, by the keys of the partitions.
    private let kept: [ExactText: String]
    package let rule: IncrementalRule
    package let field: FieldDefinition
    package let overrides: CursorRange.Overrides
    /// When the run began, RFC 3339.
    package let startedAt: String

    /// - Parameters:
    ///   - kept: What is kept; nil for nothing.
    ///   - rule: The stream's rule.
    ///   - field: The cursor's field.
    ///   - overrides: What the command line says.
    ///   - startedAt: When the run began.
    package init(
        _ kept: KeptCursors?, _ rule: IncrementalRule, field: FieldDefinition, overrides: CursorRange.Overrides,
        startedAt: String
    ) {
        (self.rule, self.field, self.overrides, self.startedAt) = (rule, field, overrides, startedAt)
        self.kept = kept?.cursors ?? [:]
    }

    /// What a partition is asked for; one that is new begins where the stream does.
    package func reading(of key: ExactText) throws -> CursorRange {
        try CursorRange(rule, field: field, kept: kept[key], overrides: overrides, startedAt: startedAt)
    }

    /// What is kept of some partitions.
    ///
    /// - Parameters:
    ///   - keys: The partitions that are there.
    ///   - moved: The cursors of those that were read; nil where the next run begins where the stream does.
    /// - Returns: The cursors.
    package func next(of keys: [ExactText], moved: [ExactText: String?]) -> KeptCursors {
        let known = Dictionary(keys.map { ($0, moved[$0] ?? kept[$0]) }) { first, _ in first }
        return KeptCursors(known.compactMapValues { $0 })
    }
}
