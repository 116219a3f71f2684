package import SluicePipeline

/// The records of a stream that share a key and differ, so that all but one of them are lost.
package struct DifferingRecords: Codable, Sendable, Equatable {
    /// How many there are, those that are kept among them.
    package private(set) var count = 0
    /// The first of their keys, each as a JSON object.
    package private(set) var keys: [String] = []
    /// The hashes of all their keys.
    private var hashes: Set<UInt64> = []

    /// How many keys they have.
    package var keyCount: Int { hashes.count }

    package init() {}

    /// Adds a record whose key another one has.
    ///
    /// - Parameters:
    ///   - hash: The hash of the key.
    ///   - others: How many records have the key besides, as far as the key is new here.
    ///   - key: The key as a JSON object.
    package mutating func add(_ hash: UInt64, besides others: Int, key: @autoclosure () -> String) {
        let isNew = hashes.insert(hash).inserted
        count += isNew ? others + 1 : 1
        if isNew, keys.count < RunProblem.listedKeys { keys.append(key()) }
    }
}

extension StreamReport {
    /// What people should know of records that share a key and differ; nil where there are none.
    ///
    /// - Parameter stream: The stream.
    /// - Returns: The problem.
    package func differingProblem(of stream: StreamDefinition) -> RunProblem? {
        let kept: String
        switch stream.onDuplicate {
        case .last: kept = "the last is kept"
        case .first: kept = "the first is kept"
        case .newest: kept = "the newest is kept"
        // There they are an error or in quarantine.
        case .fail, .quarantine: return nil
        }
        if differing.count == 0 { return nil }
        // Of a scan that goes on with another run's, the records before are not among those that were read.
        let total = differing.count <= read ? " of \(read)" : ""
        var message = "\(differing.count)\(total) records of `\(self.stream)` share a key and differ; \(kept)."
        if !stream.decidesDuplicates {
            message += " Check `primary_key`, or say with `on_duplicate` which record counts."
        }
        var problem = RunProblem(
            code: "differing_duplicates", severity: stream.decidesDuplicates ? .note : .warning, message: message)
        problem.stream = self.stream
        problem.entity = entity
        problem.keys = differing.keys
        problem.unlisted = differing.keyCount - differing.keys.count
        return problem
    }
}
