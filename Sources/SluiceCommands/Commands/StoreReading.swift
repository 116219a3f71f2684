internal import SluiceStore
internal import SluiceSystem

/// A store that commands look into.
struct StoreReading {
    let address: StoreAddress
    private let store: SQLiteRecordStore

    /// Opens the store of an invocation; nothing is made where there is none.
    ///
    /// - Throws: ``Failure`` where there is no such file, `StoreError` where it cannot be read.
    init(_ invocation: Invocation) throws {
        address = try StoreAddress.choose(
            option: invocation.arguments.store, environment: invocation.context.environment)
        guard FileSystem.kind(of: address.path) != nil else {
            throw Failure(
                .failed,
                "The store `\(address.path)` does not exist. Name it with `--store sqlite:FILE` or `SLUICE_STORE`.")
        }
        store = try SQLiteRecordStore(path: address.path, mode: .reading)
    }

    /// Reads something.
    ///
    /// - Throws: `StoreError`.
    func read<Value>(_ body: (SQLiteRecordStore) throws -> Value) throws -> Value {
        try body(store)
    }
}
