internal import SluiceReport
package import SluiceSQLiteStore
internal import SluiceStore
internal import SluiceSystem

/// A store while one run works on it: claimed for the pipeline before anything is asked for, opened as late as possible,
/// and closed as one file.
package final class StoreSession {
    private let options: StoreOptions
    private let claim: StoreClaim
    package private(set) var store: SQLiteRecordStore?

    package init(options: StoreOptions, pipeline: String, claim: StoreClaim? = nil) {
        self.options = options
        self.claim = claim ?? StoreClaim(options: options, pipeline: pipeline)
    }

    /// Whether nothing was in the place of the store before.
    package var isNew: Bool { claim.hasMadeFile }

    /// Why a run could not keep what a plan shows, nil where it could.
    package var obstacle: String? {
        guard options.command == .plan else { return nil }
        do throws(StoreError) {
            try StorePlace(options.path).check(for: .writing)
            return nil
        } catch { return error.message }
    }

    /// Has nobody else run the pipeline on this store; a plan only looks whether it can be read.
    package func begin() throws {
        if options.command == .run { return try claim.hold() }
        try StorePlace(options.path).check(for: .planning)
    }

    /// Opens the store: the file, or for a plan a copy of one that may only be read, and memory where there is none.
    package func open() throws -> SQLiteRecordStore {
        if options.command == .run { try claim.hold() }
        let place = StorePlace(options.path)
        if options.command == .plan && place.exists && !place.isWritable { return try openCopy(of: place) }
        let mode: SQLiteRecordStore.Mode =
            options.command == .run ? .existing : place.isBlank ? .temporary : .planned
        let opened = try SQLiteRecordStore(
            path: options.path, mode: mode, busyTimeoutMilliseconds: options.busyMilliseconds)
        store = opened
        return opened
    }

    /// What may only be read is planned on as a copy: the file is neither changed nor given companions.
    private func openCopy(of place: StorePlace) throws -> SQLiteRecordStore {
        let version = FileSystem.version(of: options.path)
        let isSealed = place.isSealed
        let opened: SQLiteRecordStore
        do {
            opened = try SQLiteRecordStore(
                path: options.path, mode: .copied, busyTimeoutMilliseconds: options.busyMilliseconds,
                isSealed: isSealed, isStopped: { options.cancellation.isCancelled })
        } catch let error as StoreError where error.code == .unavailable && !isSealed {
            throw place.unreadLog
        }
        // Without a look at its locks, only this tells whether somebody wrote it meanwhile.
        if isSealed && (version != FileSystem.version(of: options.path) || !place.isSealed) {
            throw StoreError(
                .locked, "The store `\(options.path)` was written while it was read. Plan again when that is done."
            )
        }
        store = opened
        return opened
    }

    /// Closes the store as one file, also where others have it open, then lets the claim go.
    package func close() {
        store?.rollback()
        if options.command == .run { store?.mergeLog() }
        store = nil
        claim.release()
    }
}
