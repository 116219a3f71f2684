internal import SluiceMerge
internal import SluicePipeline

/// A stream that asks for one thing after the other.
extension StreamRun {
    /// Which records may be gone although not every partition was read; nil where no field tells the partitions apart.
    var partitionScope: PartitionScope? {
        pages.partitions.flatMap { result in
            PartitionScope(
                result, entity: entity, schema: plan.schema, keyIsStable: pages.partitions?.plan.keyIsStable == true)
        }
    }

    /// Why absences prove nothing where partitions were left out; nil where none was.
    var partitionReason: String? {
        guard let result = pages.partitions, !result.isComplete else { return nil }
        if result.unread.isEmpty { return "it is not known whether all of its parents are known" }
        let count = result.unread.count
        return
            "\(count) of its partitions \(count == 1 ? "was" : "were") not read to the end, and no field of `\(entity.name)` says which one a record belongs to, as one with a `value` of what tells them apart does"
    }

    /// The rule of what is gone. Where only changes were asked for, few records are no sign of a broken source.
    var deleteRule: DeleteRule {
        var rule = stream.deleteMissing
        if stream.parent?.only == .changed { rule.minimumRecords = 0 }
        return rule
    }
}

extension StreamReport.Partitions {
    /// The counts of a result.
    init(_ result: PartitionResult) {
        let plan = result.plan
        count = plan.asked.count + plan.unasked.count + plan.obstacles.count
        asked = plan.asked.count
        failed = result.failures.count
    }
}
