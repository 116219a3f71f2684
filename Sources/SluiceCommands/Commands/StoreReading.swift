internal import SluiceSQLiteStore
internal import SluiceStore
internal import SluiceSystem

/// A store that commands look into.
struct StoreReading {
    let choice: StoreChoice
    private let store: SQLiteRecordStore

    /// What a command must say to use the same store, with a blank before it; empty where it need not.
    var storeOption: String { choice.option }

    /// Opens the store of an invocation; nothing is made where there is none.
    ///
    /// - Throws: ``Failure`` where there is no such file, `StoreError` where it cannot be read.
    init(_ invocation: Invocation) throws { try self.init(invocation, mode: .reading) }

    fileprivate init(_ invocation: Invocation, mode: SQLiteRecordStore.Mode) throws {
        try self.init(invocation, StoreChoice(invocation), mode: mode)
    }

    /// Opens a store.
    ///
    /// - Throws: ``Failure`` where there is no such file, `StoreError` where it cannot be read.
    init(_ invocation: Invocation, _ choice: StoreChoice, mode: SQLiteRecordStore.Mode = .reading) throws {
        self.choice = choice
        let path = choice.address.path
        guard FileSystem.kind(of: path) != nil else {
            let remedy =
                choice.pipelines == nil
                ? "Name it with `--store sqlite:FILE` or `SLUICE_STORE`, or name a pipeline file that fills it."
                : "The first `sluice run` makes it."
            throw Failure(.failed, "The \(choice.name) does not exist. \(remedy)")
        }
        let place = StorePlace(path)
        store = try Self.told(choice) {
            try place.check(for: mode == .settling ? .writing : .reading)
            // Who may not write the store would leave files beside it that its owner could not write either.
            return try SQLiteRecordStore(
                path: path, mode: mode, busyTimeoutMilliseconds: invocation.arguments.busyMilliseconds,
                isSealed: !place.isWritable && place.isSealed)
        }
    }

    /// Does something with the store; what goes wrong does not tell a secret name.
    private static func told<Value>(_ choice: StoreChoice, _ body: () throws -> Value) throws -> Value {
        do {
            return try body()
        } catch let error as StoreError where choice.isSecret {
            let failure = Failure(error)
            throw Failure(failure.code, choice.hiding(failure.message))
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

    /// Reads something.
    ///
    /// - Throws: `StoreError`.
    func read<Value>(_ body: (SQLiteRecordStore) throws -> Value) throws -> Value {
        try Self.told(choice) { try body(store) }
    }
}

/// A store in which commands settle what runs left open.
struct StoreSettling {
    let reading: StoreReading

    /// Opens the store of an invocation; nothing is made where there is none.
    ///
    /// - Throws: ``Failure`` where there is no such file, `StoreError` where it cannot be written.
    init(_ invocation: Invocation) throws { reading = try StoreReading(invocation, mode: .settling) }

    /// Changes something, all of it or nothing, while no run can write.
    ///
    /// - Throws: What the body throws, and `StoreError`.
    func change<Value>(_ body: (SQLiteRecordStore) throws -> Value) throws -> Value {
        try reading.read { store in
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
