public import FoundationEssentials

extension Store {
    /// Merges the records of JSON into a model's table; see ``sync(_:from:_:)-(_,[UInt8],_)``.
    ///
    /// - Throws: ``SluiceError``.
    @discardableResult
    public func sync<M: PersistentModel>(
        _ model: M.Type, from json: Data, _ options: SyncOptions = SyncOptions()
    ) async throws -> SyncResult<M> {
        try await sync(model, from: [UInt8](json), options)
    }

    /// Merges the records of several pages of JSON as one sync; see ``sync(_:pages:_:)-(_,[[UInt8]],_)``.
    ///
    /// - Throws: ``SluiceError``.
    @discardableResult
    public func sync<M: PersistentModel>(
        _ model: M.Type, pages: [Data], _ options: SyncOptions = SyncOptions()
    ) async throws -> SyncResult<M> {
        try await sync(model, pages: pages.map { [UInt8]($0) }, options)
    }

    /// Merges the records of a file of JSON into a model's table; see ``sync(_:from:_:)-(_,[UInt8],_)``.
    ///
    /// - Parameters:
    ///   - model: The model.
    ///   - file: The file, which is read as a whole.
    ///   - options: How to read and merge it.
    /// - Returns: What became of it.
    /// - Throws: ``SluiceError``, with ``SluiceError/Code/ioFailed`` where the file cannot be read.
    @discardableResult
    public func sync<M: PersistentModel>(
        _ model: M.Type, contentsOf file: URL, _ options: SyncOptions = SyncOptions()
    ) async throws -> SyncResult<M> {
        let json: Data
        do { json = try Data(contentsOf: file) } catch {
            throw SluiceError(
                .ioFailed, "The file `\(file.path)` cannot be read.", entity: M.model.description.entity,
                underlying: error)
        }
        return try await sync(model, from: json, options)
    }
}
