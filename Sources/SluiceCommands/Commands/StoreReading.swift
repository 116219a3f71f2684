internal import SluiceDiagnostics
internal import SluiceStore
internal import SluiceSync
internal import SluiceSystem

/// A store that commands look into.
struct StoreReading {
    let address: StoreAddress
    /// What a command must say to use the same store, with a blank before it; empty where it need not.
    let storeOption: String
    private let store: SQLiteRecordStore

    /// Opens the store of an invocation; nothing is made where there is none.
    ///
    /// - Throws: ``Failure`` where there is no such file, `StoreError` where it cannot be read.
    init(_ invocation: Invocation) throws { try self.init(invocation, mode: .reading) }

    fileprivate init(_ invocation: Invocation, mode: SQLiteRecordStore.Mode) throws {
        let environment = invocation.context.environment
        address = try StoreAddress.choose(option: invocation.arguments.store, environment: environment)
        let isNamed = invocation.arguments.store.map { try? $0 != .choose(option: nil, environment: environment) }
        storeOption = isNamed == nil || isNamed == false ? "" : " --store \(ShellWord.quoted(address.url))"
        guard FileSystem.kind(of: address.path) != nil else {
            throw Failure(
                .failed,
                "The store `\(address.path)` does not exist. Name it with `--store sqlite:FILE` or `SLUICE_STORE`.")
        }
        let place = StorePlace(address.path)
        try place.check(for: mode == .settling ? .writing : .reading)
        // Who may not write the store would leave files beside it that its owner could not write either.
        store = try SQLiteRecordStore(
            path: address.path, mode: mode, busyTimeoutMilliseconds: invocation.arguments.busyMilliseconds,
            isSealed: !place.isWritable && place.isSealed)
    }

    /// Reads something.
    ///
    /// - Throws: `StoreError`.
    func read<Value>(_ body: (SQLiteRecordStore) throws -> Value) throws -> Value {
        try body(store)
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
                return value
            } catch {
                store.rollback()
                throw error
            }
        }
    }
}
