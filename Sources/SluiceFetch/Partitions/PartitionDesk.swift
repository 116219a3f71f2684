internal import Dispatch
package import SluiceStore
internal import SluiceSystem
internal import Synchronization

/// One program's part in a share: it claims partitions and keeps what it found, and is heard of as long as it lives.
package final class PartitionDesk {
    /// How often a program is heard of within a lease.
    private static let beatsInLease = 4.0

    /// What is shared.
    package let share: PartitionShare
    private let ledger: any PartitionLedger
    private let claimant: PartitionClaimant
    private let beat: Beat

    /// Takes part in a share.
    ///
    /// - Parameters:
    ///   - share: The share.
    ///   - worker: The name of the worker that has it read.
    ///   - role: Whether the worker has the run as well.
    ///   - ledger: The ledger, on a connection of its own.
    ///   - connect: Makes another connection, on which this is heard of whatever the first one waits for.
    package init(
        _ share: PartitionShare, for worker: String, as role: PartitionClaimant.Role, _ ledger: any PartitionLedger,
        connect: @escaping @Sendable () throws -> (any PartitionLedger)?
    ) {
        let number = String(UInt64.random(in: .min ... .max), radix: 16)
        (self.share, self.ledger) = (share, ledger)
        claimant = PartitionClaimant(id: "\(worker) \(number)", worker: worker, role: role)
        beat = Beat(share, claimant, seconds: share.lease / Self.beatsInLease, connect)
        beat.start()
    }

    deinit { close() }

    /// Gives back what was claimed and not read, and is heard of no more.
    package func close() {
        if beat.stop() { try? ledger.release(share, of: claimant) }
    }

    /// For whom partitions are read here.
    var role: PartitionClaimant.Role { claimant.role }

    func claim(_ count: Int) throws -> [PartitionClaim] { try ledger.claim(count, of: share, as: claimant) }

    func keep(_ pages: SharedPages, by claim: PartitionClaim) throws -> Bool {
        try keep(.read, pages.text, pages.pages, by: claim)
    }

    /// Keeps that a partition could not be read: it counts as failed where the run says so, and is given back by others.
    func keep(_ failure: SharedFailure, by claim: PartitionClaim) throws -> Bool {
        let state: PartitionAnswer.State =
            switch claimant.role {
            case .run: .failed
            case .helper: .open
            }
        return try keep(state, failure.text, [], by: claim)
    }

    private func keep(
        _ state: PartitionAnswer.State, _ text: String, _ pages: [SharedPage], by claim: PartitionClaim
    ) throws -> Bool {
        let answer = PartitionAnswer(position: claim.position, state: state, text: text, place: "")
        return try ledger.keep(answer, pages, by: claim, of: share, as: claimant)
    }

    func openCounts() throws -> (free: Int, held: Int) { try ledger.openCounts(of: share) }
    func answers() throws -> [PartitionAnswer] { try ledger.answers(of: share) }
    func pages(at position: Int) throws -> [SharedPage] { try ledger.pages(at: position, of: share) }
}

/// Says again and again that a program is there.
private final class Beat: Sendable {
    private let share: PartitionShare
    private let claimant: PartitionClaimant
    private let seconds: Double
    private let connect: @Sendable () throws -> (any PartitionLedger)?
    private let isStopped = Mutex(false)
    private let wake = MonotonicSemaphore()
    private let running = DispatchGroup()

    init(
        _ share: PartitionShare, _ claimant: PartitionClaimant, seconds: Double,
        _ connect: @escaping @Sendable () throws -> (any PartitionLedger)?
    ) {
        (self.share, self.claimant, self.seconds, self.connect) = (share, claimant, seconds, connect)
    }

    func start() {
        DispatchQueue(label: "sluice.partitions").async(group: running) { [self] in
            Niceness.hold()
            var ledger: (any PartitionLedger)?
            while !wake.wait(seconds: seconds) {
                do {
                    if ledger == nil { ledger = try connect() }
                    try ledger?.renew(share, of: claimant)
                } catch {
                    // The server may be back at the next beat.
                    ledger = nil
                }
            }
        }
    }

    /// Ends it, and waits until it has ended.
    ///
    /// - Returns: Whether it had not been ended before.
    func stop() -> Bool {
        let isFirst = isStopped.withLock { stopped in
            defer { stopped = true }
            return !stopped
        }
        if isFirst {
            wake.signal()
            running.wait()
        }
        return isFirst
    }
}
