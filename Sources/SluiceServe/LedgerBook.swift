internal import SluiceSchedule
internal import SluiceStore
internal import SluiceStores
internal import SluiceSystem

/// The ledger of a service, and its rows in the stores of its pipelines.
///
/// What is decided stands here first, and in the store before anything is done for it: ``write()`` says of which stores
/// all rows are written. A store that another program is writing is tried again.
final class LedgerBook {
    private static let busyMilliseconds = 100
    /// How many seconds pass before a store that cannot be used is tried again.
    private static let retrySeconds = 5.0
    /// How many seconds a store may be in use before that is told.
    private static let patienceSeconds = 30.0

    private struct Book {
        var presence: (any StorePresence)?
        var lock: (any StoreLock)?
        var isRead = false
        var trouble: String?
        /// Since when rows could not be written, or the store is in use before its rows are here.
        var unwrittenSince: Double?
        var retryAt = -Double.infinity
        var dueTimes: Set<DueTimeID> = []
        var marks: Set<String> = []
        var forgotten: Set<DueTimeID> = []

        var isClean: Bool { isRead && dueTimes.isEmpty && marks.isEmpty && forgotten.isEmpty }
    }

    private let clock: ServeClock
    private let worker: PoolWorker
    private let kept: Int
    private var books: [StoreAddress: Book] = [:]
    /// The stores that other services may serve as well.
    private(set) var desks: [StoreAddress: PoolDesk] = [:]
    /// Where the rows of each pipeline stand.
    private var places: [String: StoreAddress] = [:]
    private(set) var ledger = Ledger()
    /// What runs came to that an earlier service started and whose ends it did not write, as far as they have committed.
    private(set) var committed: [AttemptID: RunOutcome] = [:]

    /// Makes an empty ledger.
    ///
    /// - Parameters:
    ///   - worker: What the service is in pools.
    ///   - kept: How many settled due times of each pipeline a pool keeps.
    ///   - clock: The clocks.
    init(worker: PoolWorker, keeping kept: Int, clock: ServeClock) {
        (self.worker, self.kept, self.clock) = (worker, kept, clock)
    }

    deinit {
        for address in books.keys {
            books[address]?.presence?.removeIfBlank()
            books[address]?.lock = nil
        }
    }

    /// Why a store cannot be used; one that a run is writing is none to speak of, for a while.
    func trouble(of address: StoreAddress) -> String? {
        if let desk = desks[address] { return desk.trouble }
        guard let book = books[address], let trouble = book.trouble else { return nil }
        if let since = book.unwrittenSince, clock.monotonic() - since < Self.patienceSeconds { return nil }
        return trouble
    }

    /// Whether the rows of a store are here.
    func isRead(_ address: StoreAddress) -> Bool { desks[address]?.isRead ?? books[address]?.isRead ?? false }

    /// The pool in which a pipeline is; nil where its store belongs to this service.
    func desk(of pipeline: String) -> PoolDesk? { places[pipeline].flatMap { desks[$0] } }

    /// The pipelines that are in pools.
    var pooled: Set<String> { Set(places.filter { desks[$0.value] != nil }.keys) }

    /// Whether all that was decided on a pipeline is written.
    func isWritten(_ pipeline: String) -> Bool { places[pipeline].flatMap { books[$0]?.isClean } ?? false }

    /// Says which store a pipeline fills. Its rows move with it.
    func place(_ pipeline: String, in address: StoreAddress) {
        let before = places.updateValue(address, forKey: pipeline)
        if address.backend.traits.isPooled {
            let desk = desks[address] ?? PoolDesk(address, worker: worker, keeping: kept, clock: clock)
            desks[address] = desk
            if let before, before != address, ledger.pipelines[pipeline] != nil { desk.move(pipeline) }
            return
        }
        if books[address] == nil { books[address] = Book() }
        guard let before, before != address, let rows = ledger.pipelines[pipeline] else { return }
        books[address]?.dueTimes.formUnion(rows.dueTimes.map(\.id))
        books[address]?.marks.insert(pipeline)
    }

    /// Opens the stores that are not open, and takes in their rows.
    ///
    /// - Returns: Whether there are more than before.
    func open() -> Bool {
        let time = clock.monotonic()
        var isAnyNew = false
        for address in books.keys.sorted(by: { $0.url < $1.url })
        where !isRead(address) && time >= books[address]?.retryAt ?? 0 {
            do {
                try claim(address)
                let store = try store(address)
                let rows = try store.schedule.read()
                for name in rows.marks.keys where places[name] == nil { places[name] = address }
                var own = rows
                own.marks = rows.marks.filter { places[$0.key] == address }
                var found = Ledger()
                found.restore(own)
                // Nothing may be decided on these rows before that is known.
                let outcomes = try LostRuns.committed(of: found, in: store, at: clock.now)
                ledger.restore(own)
                committed.merge(outcomes) { _, last in last }
                books[address]?.isRead = true
                books[address]?.trouble = nil
                books[address]?.unwrittenSince = nil
                isAnyNew = true
            } catch {
                books[address]?.trouble = "\(error)"
                if (error as? StoreError)?.isBusy == true {
                    let since = books[address]?.unwrittenSince ?? time
                    books[address]?.unwrittenSince = since
                }
                books[address]?.retryAt = time + Self.retrySeconds
            }
        }
        return isAnyNew
    }

    private func claim(_ address: StoreAddress) throws {
        if books[address]?.lock != nil { return }
        try address.backend.check(for: .writing)
        let presence = try books[address]?.presence ?? address.backend.presence(cancellation: Cancellation())
        books[address]?.presence = presence
        guard let lock = try presence.lock(.service) else {
            throw StoreError(
                .locked,
                "Another `sluice serve` serves the store `\(address)`. Stop that one, or serve pipelines of another store."
            )
        }
        books[address]?.lock = lock
    }

    /// Claims a store again whose server let the lock go; another service may have taken it over.
    private func keepClaim(_ address: StoreAddress) throws {
        if books[address]?.lock?.isHeld ?? false { return }
        books[address]?.lock = nil
        try claim(address)
    }

    private func store(_ address: StoreAddress) throws -> any RecordStore {
        try address.backend.open(.running, StoreWaiting(busyMilliseconds: Self.busyMilliseconds))
    }

    /// Takes in what was decided in a pool, where it is written already.
    func accept(_ step: PoolScheduler.Step) { ledger = step.ledger }

    /// Takes in what was decided.
    func accept(_ step: Scheduler.Step) {
        (ledger, committed) = (step.ledger, [:])
        for decision in step.decisions { record(decision.dueTime, decision.pipeline) }
    }

    /// A run that ended without a word, as the history of its store has it.
    ///
    /// - Parameters:
    ///   - pipeline: Its pipeline.
    ///   - attempt: The run; nil for one that somebody asked for.
    ///   - start: When it was started.
    /// - Returns: The run; nil where it has not committed, where the store cannot be read, and in a pool, which knows by itself.
    func committed(_ pipeline: String, _ attempt: AttemptID?, since start: Int64) -> CommittedRun? {
        guard let address = places[pipeline], books[address] != nil, let store = try? store(address) else {
            return nil
        }
        if let attempt { return try? LostRuns.run(of: attempt, ledger, in: store, at: clock.now) }
        return try? LostRuns.newest(of: pipeline, since: start, in: store, at: clock.now)
    }

    /// Writes the end of a run.
    func end(_ attempt: AttemptID, _ outcome: RunOutcome, at now: Int64) {
        ledger.end(attempt, outcome, at: now)
        record(attempt.due, attempt.due.pipeline)
    }

    /// Forgets settled rows of long ago.
    func forget(keeping count: Int) {
        for id in ledger.forget(keeping: count, of: .except(pooled)) {
            guard let address = places[id.pipeline] else { continue }
            books[address]?.forgotten.insert(id)
            books[address]?.dueTimes.remove(id)
            books[address]?.marks.insert(id.pipeline)
        }
    }

    private func record(_ id: DueTimeID?, _ pipeline: String) {
        guard let address = places[pipeline] else { return }
        if let id { books[address]?.dueTimes.insert(id) }
        books[address]?.marks.insert(pipeline)
    }

    /// Writes what is not written yet.
    ///
    /// - Returns: Whether all of it is.
    @discardableResult
    func write() -> Bool {
        for (address, book) in books where book.isRead && !book.isClean {
            var rows = ledger.rows(of: book.dueTimes, marks: book.marks)
            rows.forgotten = Array(book.forgotten)
            do {
                try keepClaim(address)
                try store(address).schedule.write(rows)
                books[address]?.dueTimes = []
                books[address]?.marks = []
                books[address]?.forgotten = []
                books[address]?.trouble = nil
                books[address]?.unwrittenSince = nil
            } catch {
                books[address]?.trouble = "\(error)"
                books[address]?.unwrittenSince = book.unwrittenSince ?? clock.monotonic()
            }
        }
        return books.values.allSatisfy { !$0.isRead || $0.isClean }
    }
}
