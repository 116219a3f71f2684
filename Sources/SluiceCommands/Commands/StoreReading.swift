internal import SluiceReview
internal import SluiceStore
internal import SluiceStores
internal import SluiceSystem

/// A store that commands look into.
struct StoreReading {
    let choice: StoreChoice
    private let backend: any StoreBackend
    private let store: any RecordStore
    /// What ends reading; nil where what is read is changed too.
    private let cancellation: Cancellation?

    /// What a command must say to use the same store, with a blank before it; empty where it need not.
    var storeOption: String { choice.option }

    /// Opens the store of an invocation; nothing is made where there is none.
    ///
    /// - Throws: ``Failure`` where there is no such store, `StoreError` where it cannot be read.
    init(_ invocation: Invocation) throws { try self.init(invocation, use: .reading) }

    fileprivate init(_ invocation: Invocation, use: StoreUse) throws {
        try self.init(invocation, StoreChoice(invocation), use: use)
    }

    /// Opens a store.
    ///
    /// - Throws: ``Failure`` where there is no such store, `StoreError` where it cannot be read.
    init(_ invocation: Invocation, _ choice: StoreChoice, use: StoreUse = .reading) throws {
        self.choice = choice
        let backend = invocation.backend(choice.address)
        self.backend = backend
        cancellation = use == .reading ? invocation.context.cancellation : nil
        store = try Self.told(choice) {
            // What cannot be reached says so itself.
            if let file = backend.traits.file, FileSystem.kind(of: file) == nil {
                let remedy =
                    choice.pipelines == nil
                    ? "\(backend.traits.remedyWhereMissing.dropLast()), or name a pipeline file that fills it."
                    : "The first `sluice run` makes it."
                throw Failure(.failed, "The \(choice.name) does not exist. \(remedy)")
            }
            return try backend.open(
                use, StoreWaiting(busyMilliseconds: invocation.arguments.busyMilliseconds))
        }
    }

    /// What decisions on a conflict would do, tried in the store and taken back.
    ///
    /// - Parameters:
    ///   - entry: The conflict.
    ///   - resolutions: The decisions.
    /// - Returns: One for each decision; none where the store cannot be written at the moment.
    func previews(of entry: ConflictEntry, _ resolutions: [Resolution]) -> [DecisionPreview] {
        // Where a run is at work, nobody waits for it. To some servers, 0 would mean as long as it takes.
        guard let store = try? backend.open(.settling, StoreWaiting(busyMilliseconds: 1)) else {
            return []
        }
        let resolver = ConflictResolver(store: store)
        return (try? resolutions.map { try resolver.preview(entry, $0) }) ?? []
    }

    /// Does something with the store; what goes wrong does not tell a secret name.
    static func told<Value>(_ choice: StoreChoice, _ body: () throws -> Value) throws -> Value {
        do {
            return try body()
        } catch let error as StoreError where choice.isSecret && error.code != .interrupted {
            throw Failure(error).hiding(choice.hiding)
        }
    }

    /// The pipelines whose entries a command line means, by their files or by `--pipeline`; nil for all.
    func pipelines(_ arguments: ParsedArguments) -> [String]? {
        guard let name = arguments.text(.pipeline) else { return choice.pipelines }
        return choice.means(name) ? [name] : []
    }

    /// Whose entries a command line means, as the end of what they are called; empty for all.
    func owner(_ arguments: ParsedArguments) -> String {
        guard let names = arguments.text(.pipeline).map({ [$0] }) ?? choice.pipelines else { return "" }
        let list = names.map { "`\($0)`" }.joined(separator: ", ")
        return " of the \(CountText.word(names.count, "pipeline", "pipelines")) \(list)"
    }

    /// What is said of a conflict that the store does not have.
    func noConflict(_ id: Int64) -> String {
        "The \(choice.name) has no conflict \(id). List them with `sluice conflicts list --all\(storeOption)`."
    }

    /// Reads something. Who only reads ends as soon as the command is to stop.
    ///
    /// - Throws: `StoreError`, `CancelledError`.
    func read<Value>(_ body: (any RecordStore) throws -> Value) throws -> Value {
        let value = try Self.told(choice) { try body(store) }
        try cancellation?.check()
        return value
    }
}

/// A store in which commands settle what runs left open.
struct StoreSettling {
    let reading: StoreReading

    /// Opens the store of an invocation; nothing is made where there is none.
    ///
    /// - Throws: ``Failure`` where there is no such store, `StoreError` where it cannot be written.
    init(_ invocation: Invocation) throws { reading = try StoreReading(invocation, use: .settling) }

    /// Changes something, all of it or nothing, while no run can write. Where others were in the way it is decided again over
    /// what they left, so the body must change nothing but the store.
    ///
    /// - Throws: What the body throws, and `StoreError`.
    func change<Value>(_ body: (any RecordStore) throws -> Value) throws -> Value {
        try reading.read { store in
            try StoreAttempts.perform {
                try store.begin()
                do {
                    let value = try body(store)
                    try store.commit()
                    store.mergeLog()
                    return value
                } catch {
                    store.rollback()
                    throw error
                }
            }
        }
    }
}
