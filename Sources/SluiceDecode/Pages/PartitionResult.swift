internal import SluiceDiagnostics
package import SluicePipeline
package import SluiceReport

/// What became of the partitions of a stream.
package struct PartitionResult: Sendable {
    /// A partition that could not be read.
    package struct Failure: Sendable {
        package var partition: Partition
        /// Why, as sentences that hold no secrets.
        package var message: String
        /// Whether the source says that there is nothing.
        package var isNotThere = false

        /// Makes a value of its parts.
        package init(partition: Partition, message: String, isNotThere: Bool = false) {
            self.partition = partition
            self.message = message
            self.isNotThere = isNotThere
        }
    }

    package var plan: PartitionPlan
    /// Those that could not be read, in the order of the keys.
    package var failures: [Failure] = []
    /// Those that are not there and whose parents the source has left out: they were read, and hold nothing.
    package var absent: [Partition] = []
    /// Those that were read, and not to their end.
    package var incomplete: [Partition] = []

    /// Those of which something is missing that was asked for.
    package var gapped: Set<Partition> = []
    /// Those of which pages were left unread.
    package var truncated: Set<Partition> = []
    /// Whether several workers could read them.
    package var isShared = false
    /// How many of them were read where then, by the places of the workers.
    package var readers: [String: Int] = [:]
    /// What helpers could not read and the run could, by the places of the helpers.
    package var givenBack: [String: [Failure]] = [:]

    /// Makes a value of its parts.
    package init(
        plan: PartitionPlan, failures: [Failure] = [], incomplete: [Partition] = [], truncated: Set<Partition> = []
    ) {
        self.plan = plan
        self.failures = failures
        self.incomplete = incomplete
        self.truncated = truncated
    }

    /// Those that were to be read and were not, or of which less was asked for than there is.
    private var unfinished: [Partition] { plan.obstacles.map(\.partition) + failures.map(\.partition) + incomplete }

    /// Those of which it is not known what they hold.
    package var unread: [Partition] {
        let known = plan.unasked + unfinished
        return known + (plan.doubted.isEmpty ? [] : plan.doubted.subtracting(known))
    }

    /// Those that were to be read and were not, or not to their ends, and those that may have other texts by now: nothing
    /// is known of what they hold now. Of those whose changes were asked for all is known.
    package var hidden: Set<Partition> {
        plan.doubted.union(plan.obstacles.map(\.partition)).union(failures.map(\.partition)).union(gapped)
    }

    /// Those that a stream which asks for changes has to ask for again, although nothing changes in their parents.
    package var due: Set<Partition> {
        gapped.union(failures.map(\.partition)).union(plan.obstacles.lazy.filter(\.isDue).map(\.partition))
    }

    /// How many were to be read and were not, or not to their ends; what was left out because nothing had changed in it
    /// is not among them.
    package var hiddenCount: Int {
        plan.doubted.isEmpty ? unfinished.count : plan.doubted.union(unfinished).count
    }

    /// Whether all that is there was read.
    package var isComplete: Bool { plan.isExhaustive && !plan.mayLackParents && unread.isEmpty }

    /// Whether nothing could be read of all that was asked for.
    package var isFailure: Bool { !plan.asked.isEmpty && failures.count == plan.asked.count }

    /// The problems to tell of a stream.
    package func problems(of stream: StreamDefinition) -> [RunProblem] {
        var problems: [RunProblem] = []
        if !failures.isEmpty {
            let count = "\(failures.count) of \(Plural.of(plan.asked.count, "partition")) of `\(stream.name)`"
            problems.append(
                RunProblem(
                    code: "partition_failed", severity: .error,
                    message:
                        "\(count) could not be read, so nothing of \(Plural.word(failures.count, "it", "them")) counts as gone, and the next run asks again. \(Self.list(failures))\(remedy(stream))"
                ))
        }
        if let first = absent.first {
            let more = absent.count > 1 ? " and \(absent.count - 1) more" : ""
            let (records, lists, ending) =
                absent.count == 1
                ? (
                    "that record", "the list counts",
                    "The record itself goes once that is confirmed (`confirm`) or, where it"
                )
                : (
                    "those records", "the lists count",
                    "The records themselves go once that is confirmed (`confirm`) or, where one"
                )
            problems.append(
                RunProblem(
                    code: "partition_absent", severity: .note,
                    message:
                        "The source no longer has a list of `\(stream.name)` for \(first.label)\(more), nor \(records) of `\(stream.parent?.stream ?? "")`, so \(lists) as empty. \(ending) is in conflict, decided."
                ))
        }
        if let first = plan.obstacles.first {
            let more = plan.obstacles.count > 1 ? ", and so with \(plan.obstacles.count - 1) more" : ""
            problems.append(
                RunProblem(
                    code: "partition_skipped", severity: .warning,
                    message:
                        "No request was made for \(first.partition.label) of `\(stream.name)`, which \(first.reason)\(more); what is stored of \(Plural.word(plan.obstacles.count, "it", "them")) stays."
                ))
        }
        if readers.count > 1 {
            let shares = readers.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }
            problems.append(
                RunProblem(
                    code: "partitions_spread", severity: .note,
                    message:
                        "\(readers.count) workers read the partitions of `\(stream.name)`. \(shares.joined(separator: "; "))."
                ))
        }
        for (place, failures) in givenBack.sorted(by: { $0.key < $1.key }) {
            problems.append(Self.givenBack(failures, at: place, of: stream))
        }
        return problems
    }

    /// The problem of a worker that could not read what the run could, or that reads for the run of another service.
    ///
    /// - Parameters:
    ///   - failures: What it could not read.
    ///   - place: Where the worker is; nil for here.
    ///   - stream: The stream.
    /// - Returns: An error for the worker itself, and a warning for the run.
    package static func givenBack(
        _ failures: [Failure], at place: String?, of stream: StreamDefinition
    ) -> RunProblem {
        let count = "\(Plural.of(failures.count, "partition")) of `\(stream.name)`"
        let (them, were) = (Plural.word(failures.count, "it", "them"), Plural.word(failures.count, "was", "were"))
        let remedy =
            "See that this service reaches the source, and has the variables of today: they are read when it starts."
        guard let place else {
            return RunProblem(
                code: "partitions_given_back", severity: .error,
                message:
                    "\(count) could not be read here, and \(were) given back. The run itself reads \(them). \(list(failures)) \(remedy)"
            )
        }
        return RunProblem(
            code: "partitions_given_back", severity: .warning,
            message:
                "\(count) could not be read at \(place), and \(were) read by the run itself. \(list(failures)) \(remedy)"
        )
    }

    /// The first failures, as sentences.
    private static func list(_ failures: [Failure]) -> String {
        let first = failures.prefix(listed).map { "\($0.partition.label): \($0.message)" }
        let more = failures.count > listed ? " And \(failures.count - listed) more." : ""
        return first.joined(separator: " ") + more
    }

    /// What ends the failures of what is not there; empty where there are none.
    private func remedy(_ stream: StreamDefinition) -> String {
        guard failures.contains(where: \.isNotThere) else { return "" }
        let asked =
            stream.parent.map { parent in
                "A request is made for each stored record of `\(parent.stream)`; if that stream keeps what is gone, give it a `delete_missing` that deletes it. "
            } ?? "Take what is gone out of `for_each`. "
        return
            " \(asked)Where what is not there is an empty list, for all streams of the source: `on_response: [{status: [404, 410], action: empty}]` under `source`."
    }

    /// How many failures are told in full.
    private static let listed = 3
}
