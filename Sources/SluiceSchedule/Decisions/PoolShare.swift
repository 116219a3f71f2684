/// A stream whose partitions are to be read by whoever has time, for a run that one worker has claimed.
package struct PoolShare: Hashable, Sendable {
    /// Its number, which no other one ever has.
    package let id: Int64
    /// The pipeline.
    package let pipeline: String

    /// Names a share.
    package init(id: Int64, pipeline: String) { (self.id, self.pipeline) = (id, pipeline) }
}

/// That a worker reads partitions of a share at present.
package struct PoolHelp: Hashable, Sendable {
    /// The worker's name.
    package let worker: String
    /// The pipeline.
    package let pipeline: String
    /// Since when it reads the oldest of those that it reads, by the server's clock.
    package let since: Double

    /// Says who reads.
    package init(worker: String, pipeline: String, since: Double) {
        (self.worker, self.pipeline, self.since) = (worker, pipeline, since)
    }
}

/// What a worker tells a program that is to read partitions of a share: which one, and for whom.
package struct ShareTicket: Hashable, Sendable {
    /// The variable by which it is told.
    package static let variable = "SLUICE_SHARE"

    /// The number of the share.
    package let share: Int64
    /// The worker's name.
    package let worker: String

    /// Makes a ticket.
    package init(share: Int64, worker: String) { (self.share, self.worker) = (share, worker) }

    /// Reads ``text``; nil where it is something else.
    package init?(_ text: String) {
        let parts = text.split(separator: " ", omittingEmptySubsequences: false)
        guard parts.count == 2, let share = Int64(parts[0]), !parts[1].isEmpty else { return nil }
        self.init(share: share, worker: String(parts[1]))
    }

    /// It as the variable's value.
    package var text: String { "\(share) \(worker)" }
}
