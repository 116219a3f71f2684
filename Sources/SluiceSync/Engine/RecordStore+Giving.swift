internal import SluiceStore

extension RecordStore {
    /// Whether a stream ever gave records of an entity, as far as the store remembers what it said of them.
    ///
    /// - Parameters:
    ///   - entity: The entity.
    ///   - stream: The stream.
    ///   - pipeline: Its pipeline.
    /// - Returns: Whether it did.
    /// - Throws: `StoreError`.
    func hasGiven(_ entity: String, by stream: String, of pipeline: String) throws -> Bool {
        guard let table = try knownTable(pipeline: pipeline, stream: stream, entity: entity) else { return false }
        return try table.comparedRows(after: nil, limit: 1, leavingOut: .all).last != nil
    }
}
