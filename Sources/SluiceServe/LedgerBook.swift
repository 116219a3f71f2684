internal import SluiceSQLiteStore
internal import SluiceSchedule
internal import SluiceStore
internal import SluiceSystem

/// The ledger of a service, and its rows in the stores of its pipelines.
///
/// What is decided stands here first, and in the store before anything is done for it: ``write()`` says of which stores
/// all rows are written. A store that another program is writing is tried again.
final class LedgerBook {
    /// The byte of a store's file that the service holds, beside those of runs.
    private static let lockPlace = Int64(1) << 62
    private static let busyMilliseconds = 100
    /// How many seconds pass before a store that cannot be used is tried again.
    private static let retrySeconds = 5.0
    /// How many seconds a store may be in use before that is told.
    private static let patienceSeconds = 30.0

    private struct Book {
        var file: StoreFile?
        var lock: FileLock?
        var isRead = false
        var trouble: String?
        /// Since when rows could not be written.
        var unwrittenSince: Double?
        var retryAt = -Double.infinity
        var dueTimes: Set<DueTimeID> = []
        var marks: Set<String> = []
        var forgotten: Set<DueTimeID> = []

        var isClean: Bool { isRead && dueTimes.isEmpty && marks.isEmpty && forgotten.isEmpty }
    }

    private let clock: ServeClock
    private var books: [String: Book] = [:]
    /// Where the rows of each pipeline stand.
    private var places: [String: String] = [:]
    private(set) var ledger = Ledger()

    init(clock: ServeClock) { self.clock = clock }

    deinit {
        for path in books.keys {
            books[path]?.lock = nil
            books[path]?.file?.removeIfBlank()
        }
    }

    /// Why a store cannot be used; one that a run is writing is none to speak of, for a while.
    func trouble(of path: String) -> String? {
        guard let book = books[path], let trouble = book.trouble else { return nil }
        if let since = book.unwrittenSince, clock.monotonic() - since < Self.patienceSeconds { return nil }
        return trouble
    }

    /// Whether the rows of a store are here.
    func isRead(_ path: String) -> Bool { books[path]?.isRead ?? false }

    /// Whether all that was decided on a pipeline is written.
    func isWritten(_ pipeline: String) -> Bool { places[pipeline].flatMap { books[$0]?.isClean } ?? false }

    /// Says which store a pipeline fills. Its rows move with it.
    func place(_ pipeline: String, in path: String) {
        let before = places.updateValue(path, forKey: pipeline)
        if books[path] == nil { books[path] = Book() }
        guard let before, before != path, let rows = ledger.pipelines[pipeline] else { return }
        books[path]?.dueTimes.formUnion(rows.dueTimes.map(\.id))
        books[path]?.marks.insert(pipeline)
    }

    /// Opens the stores that are not open, and takes in their rows.
    ///
    /// - Returns: Whether there are more than before.
    func open() -> Bool {
        let time = clock.monotonic()
        var isAnyNew = false
        for path in books.keys.sorted() where !isRead(path) && time >= books[path]?.retryAt ?? 0 {
            do {
                try claim(path)
                let rows = try store(path).schedule.read()
                for name in rows.marks.keys where places[name] == nil { places[name] = path }
                var own = rows
                own.marks = rows.marks.filter { places[$0.key] == path }
                ledger.restore(own)
                books[path]?.isRead = true
                books[path]?.trouble = nil
                isAnyNew = true
            } catch {
                books[path]?.trouble = "\(error)"
                books[path]?.retryAt = time + Self.retrySeconds
            }
        }
        return isAnyNew
    }

    private func claim(_ path: String) throws {
        if books[path]?.lock != nil { return }
        try StorePlace(path).check(for: .writing)
        let file = try books[path]?.file ?? StoreFile(path, cancellation: Cancellation())
        books[path]?.file = file
        guard let lock = try file.lock(at: Self.lockPlace) else {
            throw StoreError(
                .locked,
                "Another `sluice serve` serves the store `\(path)`. Stop that one, or serve pipelines of another store."
            )
        }
        books[path]?.lock = lock
    }

    private func store(_ path: String) throws -> SQLiteRecordStore {
        try SQLiteRecordStore(path: path, mode: .existing, busyTimeoutMilliseconds: Self.busyMilliseconds)
    }

    /// Takes in what was decided.
    func take(_ step: Scheduler.Step) {
        ledger = step.ledger
        for decision in step.decisions { note(decision.dueTime, decision.pipeline) }
    }

    /// Writes the end of a run.
    func end(_ attempt: AttemptID, _ outcome: RunOutcome, at now: Int64) {
        ledger.end(attempt, outcome, at: now)
        note(attempt.due, attempt.due.pipeline)
    }

    /// Forgets settled rows of long ago.
    func forget(keeping count: Int) {
        for id in ledger.forget(keeping: count) {
            guard let path = places[id.pipeline] else { continue }
            books[path]?.forgotten.insert(id)
            books[path]?.dueTimes.remove(id)
            books[path]?.marks.insert(id.pipeline)
        }
    }

    private func note(_ id: DueTimeID?, _ pipeline: String) {
        guard let path = places[pipeline] else { return }
        if let id { books[path]?.dueTimes.insert(id) }
        books[path]?.marks.insert(pipeline)
    }

    /// Writes what is not written yet.
    ///
    /// - Returns: Whether all of it is.
    @discardableResult
    func write() -> Bool {
        for (path, book) in books where book.isRead && !book.isClean {
            var rows = ledger.rows(of: book.dueTimes, marks: book.marks)
            rows.forgotten = Array(book.forgotten)
            do {
                try store(path).schedule.write(rows)
                books[path]?.dueTimes = []
                books[path]?.marks = []
                books[path]?.forgotten = []
                books[path]?.trouble = nil
                books[path]?.unwrittenSince = nil
            } catch {
                books[path]?.trouble = "\(error)"
                books[path]?.unwrittenSince = book.unwrittenSince ?? clock.monotonic()
            }
        }
        return books.values.allSatisfy { !$0.isRead || $0.isClean }
    }
}
