package import SluiceSchedule

/// The workers that share a store's due times, where a store can have several.
///
/// All moments are those of the server's clock.
package protocol SchedulePool: AnyObject {
    /// Looks at the pool and changes it, in one transaction: no other worker looks meanwhile.
    ///
    /// A claim that may be given up is not held by a commit, or stands in ``PoolView/committing``. The run of one that another
    /// worker has loses its connections to the store; a commit does where nothing is heard of it for a while.
    ///
    /// - Parameters:
    ///   - worker: The name of the worker that looks.
    ///   - candidates: Says which claims may be given up, at a moment.
    ///   - decide: Says what is to be written.
    /// - Throws: ``StoreError``. What was decided may be written nevertheless, where the answer to the commit was lost: who
    ///   gets an error opens the store again and looks anew.
    func poll(
        as worker: String, candidates: (Pool, Double) -> [PoolClaim], decide: (PoolView) throws -> PoolChanges
    ) throws

    /// The workers and their claims, and the time of the server; nil where there never was a worker.
    ///
    /// - Throws: ``StoreError``.
    func read() throws -> (pool: Pool, now: Double)?

    /// Writes what a run comes to into its claim, in the store's open transaction: it holds once that is committed.
    ///
    /// - Throws: ``StoreError``, with ``StoreError/Code/superseded`` where the claim is another's.
    func settle(_ ticket: PoolTicket, _ outcome: RunOutcome) throws
}

extension ScheduleLedger {
    /// Most stores belong to one service at a time.
    package var pool: (any SchedulePool)? { nil }
}
