internal import SluiceDecode
internal import SluicePages

/// What came of the partitions of a stream, added in the order of the plan.
struct GatheredPartitions {
    private var result: PartitionResult
    private var all = FetchedPages()

    /// Begins with nothing.
    ///
    /// - Parameters:
    ///   - plan: What the stream asks for.
    ///   - isShared: Whether several workers can read it.
    init(_ plan: PartitionPlan, isShared: Bool = false) {
        result = PartitionResult(plan: plan)
        result.isShared = isShared
        all.coverage = .whole
    }

    /// How many pages there are so far.
    var pageCount: Int { all.pages.count }
    /// How many bytes were received so far.
    var bytes: Int { all.bytes }

    /// Adds a partition that was read.
    mutating func add(_ pages: FetchedPages, of partition: Partition) {
        if pages.coverage.leavesPages { result.truncated.insert(partition) }
        if pages.coverage.gap != nil { result.gapped.insert(partition) }
        if !pages.coverage.isComplete { result.incomplete.append(partition) }
        all.append(pages)
    }

    /// Adds a partition that could not be read, or that is gone with its parent.
    mutating func fail(_ partition: Partition, _ failure: SharedFailure) {
        if failure.isNotThere, result.plan.absent.contains(partition.key) {
            result.absent.append(partition)
            return
        }
        result.failures.append(
            PartitionResult.Failure(
                partition: partition, message: failure.message, isNotThere: failure.isNotThere))
    }

    /// Adds a partition that nobody asked for.
    ///
    /// - Parameters:
    ///   - partition: The partition.
    ///   - count: How many before it failed.
    mutating func leaveOut(_ partition: Partition, after count: Int) {
        let message = "It was not asked for, since the \(count) before it failed."
        result.failures.append(PartitionResult.Failure(partition: partition, message: message))
    }

    /// Adds a partition that the plan which is applied did not ask for: the next run does.
    mutating func leaveForNextRun(_ partition: Partition) {
        result.plan.asked.removeAll { $0 == partition }
        result.plan.obstacles.append(
            PartitionPlan.Obstacle(
                partition: partition, reason: "the plan does not have (the next run asks for it)", isDue: true))
    }

    /// Records where a partition was read that several workers share.
    mutating func record(reader place: String) { result.readers[place, default: 0] += 1 }

    /// Records that a partition that was read could not be read by a helper before.
    ///
    /// - Parameters:
    ///   - failure: Why.
    ///   - place: Where the helper is.
    ///   - partition: The partition.
    mutating func record(_ failure: SharedFailure, at place: String, of partition: Partition) {
        result.givenBack[place, default: []].append(
            PartitionResult.Failure(partition: partition, message: failure.message, isNotThere: failure.isNotThere))
    }

    /// The pages of all partitions, each with its own.
    var pages: FetchedPages {
        var all = all
        // Records of one partition may come with another one too, so a page without news is no circle.
        all.isPaginated = false
        all.validators = nil
        if !result.isComplete { all.coverage = all.coverage.and(.partial("not every partition was read")) }
        all.partitions = result
        return all
    }
}
