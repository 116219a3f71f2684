package import SluiceSchedule

/// The partitions of streams that several workers read, in a store that workers share.
///
/// What a reader found waits here until the run takes it. All of it is written outside the transactions of the store, in
/// transactions of its own, but for ``conclude(pipeline:stream:run:)``. Leases are counted by the server's clock.
///
/// What is shared of a pipeline ends with any run of it that a ``RunLedger`` records, but for one of which nothing was kept:
/// rows are newer from then on than what was read before.
package protocol PartitionLedger: AnyObject {
    /// Has the partitions of a stream read by whoever has time.
    ///
    /// Where an earlier attempt of the same due time asked for the same, what it has read stays, and what it or its
    /// helpers could not read is open again for all. Else nothing stays of what the stream shared before.
    ///
    /// - Parameters:
    ///   - plan: The partitions.
    ///   - ticket: The claim of the run.
    /// - Returns: The share, and the name of the worker that has the claim.
    /// - Throws: ``StoreError``, with ``StoreError/Code/superseded`` where the claim is another's.
    func open(_ plan: SharedPlan, by ticket: PoolTicket) throws -> (share: PartitionShare, worker: String)

    /// A share; nil where it is not there any more.
    ///
    /// - Throws: ``StoreError``.
    func share(_ id: Int64) throws -> PartitionShare?

    /// Claims partitions that nobody has read and whose readers were not heard of for longer than the lease. What a helper
    /// gave back is claimed by the run alone.
    ///
    /// - Parameters:
    ///   - count: How many at most.
    ///   - share: The share.
    ///   - claimant: Who claims.
    /// - Returns: The claims, in the order of the plan; none where there is nothing to read at present.
    /// - Throws: ``StoreError``.
    func claim(_ count: Int, of share: PartitionShare, as claimant: PartitionClaimant) throws -> [PartitionClaim]

    /// Says that a reader is there: what it has claimed stays its own for another lease.
    ///
    /// - Throws: ``StoreError``.
    func renew(_ share: PartitionShare, of claimant: PartitionClaimant) throws

    /// Gives back what a reader has claimed and not read.
    ///
    /// - Throws: ``StoreError``.
    func release(_ share: PartitionShare, of claimant: PartitionClaimant) throws

    /// Keeps what became of a partition, with its pages, unless another one has claimed it meanwhile. One that stays open is
    /// given back.
    ///
    /// - Parameters:
    ///   - answer: What became of it. Its place is not kept: the claim has it.
    ///   - pages: Its pages in their order.
    ///   - claim: The claim.
    ///   - share: The share.
    ///   - claimant: Who claimed.
    /// - Returns: Whether it was kept.
    /// - Throws: ``StoreError``.
    func keep(
        _ answer: PartitionAnswer, _ pages: [SharedPage], by claim: PartitionClaim, of share: PartitionShare,
        as claimant: PartitionClaimant
    ) throws -> Bool

    /// How many partitions have no answer yet: those that are free to be claimed, and those that are held by readers.
    ///
    /// - Throws: ``StoreError``.
    func openCounts(of share: PartitionShare) throws -> (free: Int, held: Int)

    /// What became of all partitions, in the order of the plan.
    ///
    /// - Throws: ``StoreError``.
    func answers(of share: PartitionShare) throws -> [PartitionAnswer]

    /// The pages of a partition, in their order.
    ///
    /// - Throws: ``StoreError``.
    func pages(at position: Int, of share: PartitionShare) throws -> [SharedPage]

    /// Lets the pages of a stream go that a run has taken, in the store's open transaction. Who read what stays until the
    /// stream is shared again.
    ///
    /// - Parameters:
    ///   - pipeline: The pipeline.
    ///   - stream: The stream.
    ///   - run: The number of the run.
    /// - Throws: ``StoreError``.
    func conclude(pipeline: String, stream: String, run: Int64) throws
}

extension RecordStore {
    /// A store that belongs to one worker at a time shares nothing.
    package var partitions: (any PartitionLedger)? { nil }
}
