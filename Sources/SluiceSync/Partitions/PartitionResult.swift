/// What became of the partitions of a stream.
struct PartitionResult: Sendable {
    /// A partition that could not be read.
    struct Failure: Sendable {
        var partition: Partition
        /// Why, as sentences that hold no secrets.
        var message: String
    }

    let plan: PartitionPlan
    /// Those that could not be read, in the order of the keys.
    var failures: [Failure] = []
    /// Those that were read, and not to their end.
    var incomplete: [Partition] = []

    /// Those of which it is not known what they hold.
    var unread: [Partition] {
        plan.unasked + plan.obstacles.map(\.partition) + failures.map(\.partition) + incomplete
    }

    /// Whether all that is there was read.
    var isComplete: Bool { plan.isExhaustive && unread.isEmpty }

    /// Whether nothing could be read of all that was asked for.
    var isFailure: Bool { !plan.asked.isEmpty && failures.count == plan.asked.count }

    /// The problems to tell, of the stream of a name.
    func problems(stream: String) -> [RunProblem] {
        var problems: [RunProblem] = []
        if !failures.isEmpty {
            let count = "\(failures.count) of \(plan.asked.count) partitions of `\(stream)`"
            let first = failures.prefix(Self.listed).map { "\($0.partition.label): \($0.message)" }
            let more = failures.count > Self.listed ? " And \(failures.count - Self.listed) more." : ""
            problems.append(
                RunProblem(
                    code: "partition_failed", severity: .error,
                    message:
                        "\(count) could not be read, so nothing of \(failures.count == 1 ? "it" : "them") counts as gone, and the next run asks again. \(first.joined(separator: " "))\(more)"
                ))
        }
        if let first = plan.obstacles.first {
            let more = plan.obstacles.count > 1 ? ", and so with \(plan.obstacles.count - 1) more" : ""
            problems.append(
                RunProblem(
                    code: "partition_skipped", severity: .warning,
                    message:
                        "Nothing was asked for \(first.partition.label) of `\(stream)`, which \(first.reason)\(more); what is stored of \(plan.obstacles.count == 1 ? "it" : "them") stays."
                ))
        }
        return problems
    }

    /// How many failures are told in full.
    private static let listed = 3
}
