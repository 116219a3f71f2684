internal import SluiceReview
internal import SluiceStore

extension Store {
    /// Gives up records that wait because they do not fit, as runs of their own, which ``Store/undo(run:planning:)`` takes back.
    ///
    /// A record of the source that does not fit still is kept aside anew by the next sync.
    ///
    /// - Parameters:
    ///   - records: The records, as ``Store/quarantine(of:)`` lists them.
    ///   - who: Who gave them up; nil for ``StoreOptions/who``.
    /// - Returns: How many were given up; those that wait no longer are passed over.
    /// - Throws: ``SluiceError``; nothing is written then.
    @discardableResult
    public func drop<M>(_ records: [SyncResult<M>.Quarantined], who: String? = nil) async throws -> Int {
        let ids = records.compactMap { $0.id.map { Int64($0) } }
        return try await interruptibly(telling: true) { [writer] point in
            try await writer.drop(ids, who: who, point)
        }
    }
}

extension StoreWriter {
    fileprivate func drop(_ ids: [Int64], who: String?, _ point: CancellationPoint) throws -> Int {
        try checkAccess()
        return try reviewing(point, pipeline: nil) { store, _ in
            try store.begin()
            do {
                let entries = try ids.compactMap { try store.quarantine.entry(id: $0) }.filter { $0.status == .open }
                let dropped = try QuarantineDrop(store: store).carryOut(entries, who: who ?? self.who)
                try store.commit()
                return dropped.count
            } catch {
                store.rollback()
                throw error
            }
        }
    }
}
