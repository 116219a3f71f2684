internal import SluiceSQLStore
package import SluiceStore
internal import SluiceSystem

extension StoreAddress {
    /// Copies the store to a place where there is none, whatever their kinds.
    ///
    /// - Parameters:
    ///   - target: The place.
    ///   - verifies: Whether to read the copy again and compare it row by row; else rows are counted.
    ///   - waiting: How long to wait for others.
    ///   - progress: Is told how far it has come; what it throws ends the copy.
    /// - Returns: What was copied, and what was not.
    /// - Throws: `StoreError`, `SystemError` or `CancelledError`; nothing is left in the target then.
    package func copy(
        to target: StoreAddress, verifies: Bool, waiting: StoreWaiting,
        progress: @escaping (StoreCopyProgress) throws -> Void
    ) throws -> StoreCopyReport {
        if normalized == target.normalized {
            throw StoreError(.mismatch, "`\(self)` cannot be copied to itself. Name another store.")
        }
        let source = try transferable(stoppable(by: waiting).open(.reading, waiting))
        let place = target.stoppable(by: waiting)
        try place.check(for: .writing)
        // A file must be there to be filled; a schema is made in the transaction that fills it.
        let presence =
            target.file == nil ? nil : try place.presence(cancellation: waiting.cancellation ?? Cancellation())
        defer { presence?.removeIfBlank() }
        return try StoreCopy(
            from: source, to: target.transferable(place.open(.running, waiting)), verifies: verifies,
            progress: progress
        ).perform()
    }

    private func stoppable(by waiting: StoreWaiting) -> any StoreBackend {
        waiting.cancellation.map { backend.stoppable(by: $0) } ?? backend
    }

    private func transferable(_ store: any RecordStore) throws -> any TransferableStore {
        if let store = store as? any TransferableStore { return store }
        throw StoreError(.failed, "A store like `\(self)` cannot be copied. This is a bug in sluice.")
    }
}
