package import SluiceDecode
internal import SluiceDiagnostics
package import SluiceModel
package import SluiceReport

/// What became of the rests of one list of a stream's records.
package struct ContinuedListResult: Sendable {
    /// The path to the list within the record.
    package let list: String
    /// What became of the records that have more, each of which is a partition.
    package var partitions: PartitionResult
    /// Why rests were not read to their ends; nil where all were.
    package var incompleteReason: String?
    /// What people should look at.
    package var warning: FetchWarning?

    /// Makes a value of its parts.
    package init(
        list: String, partitions: PartitionResult, incompleteReason: String? = nil, warning: FetchWarning? = nil
    ) {
        self.list = list
        self.partitions = partitions
        self.incompleteReason = incompleteReason
        self.warning = warning
    }

    /// How many lists have more than their records show.
    package var count: Int { partitions.plan.asked.count + partitions.plan.obstacles.count }

    /// How many rests could not be read.
    package var failed: Int { partitions.failures.count + partitions.plan.obstacles.count }

    /// How many failures are told in full.
    private static let listed = 3

    /// The problems to tell, of the stream of a name.
    package func problems(stream: String) -> [RunProblem] {
        var problems: [RunProblem] = []
        let failures =
            partitions.failures.map { "\($0.partition.label): \($0.message)" }
            + partitions.plan.obstacles.map { "\($0.partition.label) \($0.reason)." }
        if !failures.isEmpty {
            let lists = Plural.word(count, "the list", "\(failed) of \(count) lists")
            let more = failed > Self.listed ? " And \(failed - Self.listed) more." : ""
            problems.append(
                RunProblem(
                    code: "rest_failed", severity: .error,
                    message:
                        "The rest of \(lists) `\(list)` of `\(stream)` could not be read, so nothing of \(Plural.word(failed, "it", "them")) counts as gone, and the next run asks again. \(failures.prefix(Self.listed).joined(separator: " "))\(more)"
                ))
        }
        if let first = partitions.incomplete.first, let incompleteReason {
            let others = partitions.incomplete.count - 1
            let more = others > 0 ? ", and so with \(others) more" : ""
            problems.append(
                RunProblem(
                    code: "rest_incomplete", severity: .warning,
                    message:
                        "Nothing of the list `\(list)` of \(first.label) of `\(stream)` counts as gone: \(incompleteReason)\(more)."
                ))
        }
        if let warning { problems.append(warning.problem) }
        return problems
    }
}

extension StreamReport.Rests {
    /// The counts of earlier pages and of the lists of later ones; nil where none has more than its record shows.
    package init?(_ earlier: StreamReport.Rests?, and results: [ContinuedListResult]) {
        if earlier == nil && results.isEmpty { return nil }
        self.init(
            count: results.reduce(earlier?.count ?? 0) { $0 + $1.count },
            failed: results.reduce(earlier?.failed ?? 0) { $0 + $1.failed })
    }
}

extension FetchedPages {
    /// The keys of the partitions of whose records a rest could not be read.
    package var partitionsWithFailedLists: Set<ExactText> {
        Set(pages.filter { $0.lists?.failed.isEmpty == false }.compactMap { $0.partition?.key })
    }
}
