public import FoundationEssentials
internal import SluiceSystem

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

    /// Merges the records of JSON after a look at each; see ``sync(_:from:_:stage:)-(_,[UInt8],_,_)``.
    ///
    /// - Throws: ``SluiceError``, `CancellationError`; nothing is written then.
    @discardableResult
    public func sync<M: PersistentModel>(
        _ model: M.Type, from json: Data, _ options: SyncOptions = SyncOptions(), stage: (inout M) throws -> Stage
    ) async throws -> SyncResult<M> {
        try await sync(model, from: [UInt8](json), options, stage: stage)
    }

    /// Says what a sync would do, and takes it back.
    ///
    /// - Throws: ``SluiceError``, `CancellationError`.
    public func plan<M: PersistentModel>(
        _ model: M.Type, from json: Data, _ options: SyncOptions = SyncOptions()
    ) async throws -> SyncResult<M> {
        try await plan(model, from: [UInt8](json), options)
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
    ///   - file: The file; what counts is what it holds now.
    ///   - options: How to read and merge it.
    /// - Returns: What became of it.
    /// - Throws: ``SluiceError``, with ``SluiceError/Code/ioFailed`` where the file cannot be read.
    @discardableResult
    public func sync<M: PersistentModel>(
        _ model: M.Type, contentsOf file: URL, _ options: SyncOptions = SyncOptions()
    ) async throws -> SyncResult<M> {
        try await merge(model, file, options, isPlan: false, FileReading())
    }

    /// Says what a sync of a file of JSON would do, and takes it back.
    ///
    /// - Parameters:
    ///   - model: The model.
    ///   - file: The file; what counts is what it holds now.
    ///   - options: How to read and merge it.
    /// - Returns: What would become of it.
    /// - Throws: ``SluiceError``, with ``SluiceError/Code/ioFailed`` where the file cannot be read, `CancellationError`.
    public func plan<M: PersistentModel>(
        _ model: M.Type, contentsOf file: URL, _ options: SyncOptions = SyncOptions()
    ) async throws -> SyncResult<M> {
        try await merge(model, file, options, isPlan: true, FileReading())
    }

    /// Merges the records of a file, which is read piece by piece where it is large, and as a whole where that does not go on:
    /// nothing was written then.
    ///
    /// - Parameters:
    ///   - model: The model.
    ///   - file: The file.
    ///   - options: How to read and merge it.
    ///   - isPlan: Whether everything is taken back at the end.
    ///   - reading: How it is read.
    /// - Returns: What became of it.
    /// - Throws: ``SluiceError``, `CancellationError`.
    package func merge<M: PersistentModel>(
        _ model: M.Type, _ file: URL, _ options: SyncOptions, isPlan: Bool, _ reading: FileReading
    ) async throws -> SyncResult<M> {
        if case .all = options.commit, let watched = try await reading.watched(file) {
            do {
                return try await sync(model, RecordFeed(text: .file(watched)), options, isPlan: isPlan)
            } catch is PiecesLost { try Task.checkCancellation() }
        }
        return try await sync(
            model, RecordFeed(pages: [Self.contents(of: file, for: model)]), options, isPlan: isPlan)
    }

    /// The bytes of a file; those of one on a disk are read to where they stay.
    private static func contents<M: PersistentModel>(of file: URL, for model: M.Type) throws -> [UInt8] {
        do {
            guard file.isFileURL, FileSystem.kind(of: file.path) == .file else {
                return try [UInt8](Data(contentsOf: file))
            }
            return try FileSystem.contents(of: file.path)
        } catch {
            let isMissing = file.isFileURL && FileSystem.kind(of: file.path) == nil
            let reason = isMissing ? "is not there" : "cannot be read"
            throw SluiceError(
                .ioFailed, "The file `\(file.path)` \(reason).", entity: M.model.description.entity, underlying: error)
        }
    }
}
