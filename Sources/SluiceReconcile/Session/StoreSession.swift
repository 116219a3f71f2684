internal import SluiceReport
package import SluiceSchedule
package import SluiceStore

/// A store while one run works on it: claimed for the pipeline before anything is asked for, opened as late as possible,
/// and closed as one file.
package final class StoreSession {
    private let options: StoreOptions
    private let pipeline: String
    private let claim: StoreClaim
    package private(set) var store: (any RecordStore)?
    /// When the run began, as a note in the store says; nil where it holds none.
    private var notedBeginning: String?

    /// Prepares a session; nothing is claimed and opened yet.
    ///
    /// - Parameters:
    ///   - options: The store, and how long to wait for it.
    ///   - pipeline: The pipeline's name.
    ///   - formerly: The name under which the store may know it yet.
    ///   - claim: The right to run it, where it was claimed already.
    package init(options: StoreOptions, pipeline: String, formerly: String? = nil, claim: StoreClaim? = nil) {
        (self.options, self.pipeline) = (options, pipeline)
        self.claim = claim ?? StoreClaim(options: options, pipeline: pipeline, formerly: formerly)
    }

    /// Whether nothing was in the place of the store before.
    package var isNew: Bool { claim.hasMadeStore }

    /// Why a run could not keep what a plan shows, nil where it could.
    package var obstacle: String? {
        guard options.command == .plan else { return nil }
        do throws(StoreError) {
            try options.backend.check(for: .writing)
            return nil
        } catch { return error.message }
    }

    /// Has nobody else run the pipeline on this store; a plan only looks whether it can be read.
    package func begin() throws {
        if options.command == .run { return try claim.hold() }
        try options.backend.check(for: .planning)
    }

    /// Notes in a store that knows of runs that one over the source begins: where nothing else of it is ever kept, it was cut off.
    ///
    /// A store that cannot be written now says so where the run is kept.
    ///
    /// - Parameter moment: When it began.
    package func noteBeginning(at moment: String) {
        if options.command != .run || isNew { return }
        // Opened so, a database that is no store yet stays as it is.
        let known = try? options.backend.openToRead(busyMilliseconds: options.busyMilliseconds)
        if known != nil, (try? known?.runs.noteBeginning(of: pipeline, at: moment)) != nil { notedBeginning = moment }
    }

    /// Takes the note of ``noteBeginning(at:)`` back, where it is not another run's by now: the run ended, and is not kept.
    package func forgetBeginning() {
        guard let notedBeginning else { return }
        store?.rollback()
        let known = try? options.backend.openToRead(busyMilliseconds: min(options.busyMilliseconds, 500))
        try? known?.runs.forgetBeginning(of: pipeline, at: notedBeginning)
    }

    /// Opens the store: itself, or for a plan what takes its place where it may only be read or is not there.
    package func open() throws -> any RecordStore {
        if options.command == .run { try claim.hold() }
        let opened = try options.backend.open(
            options.command == .run ? .running : .planning,
            StoreWaiting(busyMilliseconds: options.busyMilliseconds, cancellation: options.cancellation))
        store = opened
        return opened
    }

    /// Refuses to commit what a run did whose right to run the pipeline is gone.
    ///
    /// - Throws: `StoreError`.
    package func checkClaim() throws { try claim.check() }

    /// Writes what the run comes to into its claim, with all that the open transaction has: then nobody runs it again,
    /// whatever becomes of this program. A run without a claim writes nothing.
    ///
    /// - Throws: `StoreError`, with the code `superseded` where the claim is another's.
    package func settleClaim(_ outcome: RunOutcome) throws {
        guard let ticket = options.ticket, options.command == .run else { return }
        try store?.schedule.pool?.settle(ticket, outcome)
    }

    /// Lets the claim go where it is in the way of who writes tables anew; what the run did has been committed.
    package func stepAside() {
        if options.backend.traits.hasLocksInTables { claim.release() }
    }

    /// Closes the store, a file as one file also where others have it open, then lets the claim go.
    package func close() {
        store?.rollback()
        if options.command == .run { store?.mergeLog() }
        store = nil
        claim.release()
    }
}
