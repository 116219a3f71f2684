import SluiceStore
import Testing

/// A kind of store whose ledgers of runs, of streams, of scans and of credentials are put through the contract: also one
/// that cannot do more yet.
struct LedgersUnderTest: Sendable, CustomTestStringConvertible {
    let testDescription: String
    /// Makes a place without a store, and what opens it. The place is gone with what it returns.
    let makePlace: @Sendable () throws -> () throws -> any TestedLedgers

    static let all: [LedgersUnderTest] = StoreUnderTest.all.map(LedgersUnderTest.init) + [.postgres]

    init(_ description: String, makePlace: @escaping @Sendable () throws -> () throws -> any TestedLedgers) {
        testDescription = description
        self.makePlace = makePlace
    }

    /// The ledgers of a whole store.
    private init(_ kind: StoreUnderTest) {
        self.init(kind.testDescription) {
            let place = try kind.makePlace()
            return { RecordStoreLedgers(try place.open()) }
        }
    }
}

/// The ledgers of an open store.
protocol TestedLedgers: AnyObject {
    var runs: any RunLedger { get }
    var state: any StateLedger { get }
    var scans: any ScanLedger { get }
    var credentials: any CredentialLedger { get }
    func begin() throws
    func commit() throws
    func rollback()
}

private final class RecordStoreLedgers: TestedLedgers {
    private let store: any RecordStore
    var runs: any RunLedger { store.runs }
    var state: any StateLedger { store.state }
    var scans: any ScanLedger { store.scans }
    var credentials: any CredentialLedger { store.credentials }

    init(_ store: any RecordStore) { self.store = store }

    func begin() throws { try store.begin() }
    func commit() throws { try store.commit() }
    func rollback() { store.rollback() }
}

/// A place of one case, and the transactions of its ledgers.
final class LedgerScene {
    let open: () throws -> any TestedLedgers

    init(_ kind: LedgersUnderTest) throws { open = try kind.makePlace() }

    /// Opens the store, runs a body within one transaction, commits it and closes the store.
    func transaction(_ body: (any TestedLedgers) throws -> Void) throws {
        let store = try open()
        try store.begin()
        try body(store)
        try store.commit()
    }

    /// Reads what is committed.
    func read<Result>(_ body: (any TestedLedgers) throws -> Result) throws -> Result { try body(try open()) }
}
