internal import SluiceDecode
package import SluiceModel
package import SluicePipeline

/// Looks at all records of the keys that came more than once, and says by the stream's rule which of them stands.
///
/// It holds one entry for each such key, however often it came.
package struct DuplicateSurvey {
    /// A key whose records differ, although the rule is that this ends the run.
    package struct Dispute {
        package let key: RecordKey
        /// The first record, and the first one that differs from it.
        package let ordinals: (Int, Int)
        /// How many keys there are of the kind.
        package let count: Int
    }

    private struct Group {
        var chosen: Int
        var moment: CursorPoint?
        /// The hash of each content with the first record that has it, as many as are worth showing.
        var contents: [(hash: UInt64, ordinal: Int)]
    }

    /// More versions of one record than anybody would look at.
    private static let maximumContents = 20
    private let rule: StreamDefinition.DuplicateRule
    private let schema: RecordSchema
    private let index: DuplicateIndex
    private var groups: [RecordKey: Group] = [:]

    package init(_ rule: StreamDefinition.DuplicateRule, index: DuplicateIndex, schema: RecordSchema) {
        self.rule = rule
        self.index = index
        self.schema = schema
    }

    /// Looks at the records of a batch, which come in the order of the source.
    package mutating func observe(_ batch: borrowing RecordBatch) {
        for record in 0..<batch.count {
            guard index.mayRepeat(record, in: batch) else { continue }
            let key = batch.key(of: record, schema: schema)
            let ordinal = batch.origins[record].ordinal
            let content = DuplicateTally.content(of: record, in: batch, schema: schema)
            let moment = schema.newestField.flatMap { batch.value(record: record, field: $0) }.flatMap(CursorPoint.init)
            guard var group = groups.removeValue(forKey: key) else {
                groups[key] = Group(chosen: ordinal, moment: moment, contents: [(content, ordinal)])
                continue
            }
            if supersedes(moment, group.moment) { (group.chosen, group.moment) = (ordinal, moment) }
            if group.contents.count < Self.maximumContents, !group.contents.contains(where: { $0.hash == content }) {
                group.contents.append((content, ordinal))
            }
            groups[key] = group
        }
    }

    /// Whether a later record stands in place of an earlier one. A record without a time is older than any that has
    /// one; between equals the later one stands.
    private func supersedes(_ later: CursorPoint?, _ earlier: CursorPoint?) -> Bool {
        guard rule == .newest else { return rule != .first }
        guard let earlier else { return true }
        return later.map { $0 >= earlier } ?? false
    }

    /// The first key, in the order of the source, whose records differ; nil where there is none.
    package var dispute: Dispute? {
        let disputed = groups.filter { $0.value.contents.count > 1 }
        let first = disputed.min { $0.value.contents[1].ordinal < $1.value.contents[1].ordinal }
        return first.map { key, group in
            Dispute(
                key: key, ordinals: (group.contents[0].ordinal, group.contents[1].ordinal), count: disputed.count)
        }
    }

    /// The index with what the rule says.
    package func settled() -> DuplicateIndex {
        var settled = index
        for (key, group) in groups {
            if rule == .quarantine && group.contents.count > 1 {
                settled.dispute(key, contents: group.contents.map(\.ordinal))
            } else {
                settled.choose(group.chosen, of: key)
            }
        }
        return settled
    }
}
