internal import SluiceJSON
package import SluicePipeline

/// How far each partition of an incremental stream was read. What is kept has an entry for each partition that is there.
package struct PartitionCursors: Sendable {
    /// The cursors as their field is stored, by the keys of the partitions.
    package private(set) var kept: [String: String] = [:]
    package let rule: IncrementalRule
    package let field: FieldDefinition
    package let wish: CursorReading.Wish
    /// When the run began, RFC 3339.
    package let startedAt: String

    /// - Parameters:
    ///   - text: What is kept; nil for nothing.
    ///   - rule: The stream's rule.
    ///   - field: The cursor's field.
    ///   - wish: What the command line says.
    ///   - startedAt: When the run began.
    package init(
        _ text: String?, _ rule: IncrementalRule, field: FieldDefinition, wish: CursorReading.Wish, startedAt: String
    ) {
        (self.rule, self.field, self.wish, self.startedAt) = (rule, field, wish, startedAt)
        for line in (text ?? "").split(separator: "\n") {
            let parts = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
            if parts.count == 2 { kept[parts[0]] = parts[1] }
        }
    }

    /// What a partition is asked for; one that is new begins where the stream does.
    package func reading(of key: String) throws -> CursorReading {
        try CursorReading(rule, field: field, kept: kept[key], wish: wish, startedAt: startedAt)
    }

    /// What is kept of some partitions; nil where that is nothing.
    ///
    /// - Parameters:
    ///   - keys: The partitions that are there.
    ///   - moved: The cursors of those that were read.
    /// - Returns: The text.
    package func text(of keys: [String], moved: [String: String]) -> String? {
        let lines = Set(keys).sorted().compactMap { key in (moved[key] ?? kept[key]).map { "\(key)\t\($0)" } }
        return lines.isEmpty ? nil : lines.joined(separator: "\n")
    }
}
