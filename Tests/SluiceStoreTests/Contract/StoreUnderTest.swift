import SluiceModel
import SluiceStore
import Testing

/// A kind of store that is put through the contract: every suite of this folder runs over each kind of ``all``.
///
/// Cases use the protocols of `SluiceStore` and the statements of ``TestedPlace``, and know neither SQL nor how a store
/// keeps what it knows. A new kind of store is one more value here.
struct StoreUnderTest: Sendable, CustomTestStringConvertible {
    let testDescription: String
    /// Makes a place without a store. The place is gone with the value.
    let makePlace: @Sendable () throws -> any TestedPlace

    static let all: [StoreUnderTest] = [.sqlite, .postgres]
}

/// Where a tested store is, as an editor's tool sees it. Each statement is committed at once and bypasses the store.
protocol TestedPlace: AnyObject {
    /// Opens the store, which is made where it is missing. A lock of somebody else is an error at once.
    func open() throws -> any RecordStore

    /// Inserts a row.
    func insert(_ row: KeyValuePairs<String, FieldValue>, into table: String) throws
    /// Updates the rows whose column has a value.
    func update(
        _ table: String, set values: KeyValuePairs<String, FieldValue>, where column: String, is value: FieldValue
    ) throws
    /// Deletes the rows whose column has a value.
    func delete(from table: String, where column: String, is value: FieldValue) throws
    /// The rows of a table with some columns of each, in the order of these columns.
    func rows(of table: String, _ columns: [String]) throws -> [[FieldValue]]

    /// Adds a column that no field fills.
    func addColumn(_ name: String, to table: String) throws
    /// Makes a table of pairs whose rows the database itself deletes with the records of either side.
    func makePairs(_ table: String, _ owner: (column: String, table: String), _ target: (column: String, table: String))
        throws
    /// Adds a column for a reference, with what the database itself does where its record goes, such as `SET NULL`.
    func addReference(_ column: String, to target: String, in table: String, onDelete: String) throws
    /// Adds a rule: the table refuses rows with a value in a column.
    func addRule(refusing value: FieldValue, in column: String, of table: String) throws
}

/// A place of one case, and the transactions of its store.
final class StoreScene {
    let place: any TestedPlace

    init(_ kind: StoreUnderTest) throws { place = try kind.makePlace() }

    /// Opens the store, runs a body within one transaction, commits it and closes the store.
    ///
    /// - Parameters:
    ///   - run: The run whose changes are recorded; nil where none are.
    ///   - body: What is done.
    /// - Returns: What the body returns.
    /// - Throws: What the store and the body throw.
    @discardableResult
    func transaction<Result>(
        recording run: Int64? = nil, _ body: (any RecordStore) throws -> Result
    ) throws -> Result {
        let store = try place.open()
        try store.begin()
        if let run { store.startRecording(run: run, naming: Self.name) }
        let result = try body(store)
        try store.commit()
        return result
    }

    /// The same with one table.
    @discardableResult
    func table<Result>(
        _ schema: RecordSchema, recording run: Int64? = nil, _ body: (any RecordTable) throws -> Result
    ) throws -> Result {
        try transaction(recording: run) { store in try body(try store.openTable(schema).table) }
    }

    /// Reads what is committed.
    func read<Result>(_ body: (any RecordStore) throws -> Result) throws -> Result { try body(try place.open()) }

    /// Inserts records, row and base, in a transaction of their own.
    func insert(_ schema: RecordSchema, _ records: [[FieldValue?]], run: Int64 = 1) throws {
        try table(schema) { table throws in
            try table.insert(schema.batch(records), records: Array(records.indices), run: run)
        }
    }

    /// A place whose table `items` has items 1, 2, … of these codes, inserted by run 1; the name of each is `n`.
    static func items(
        _ kind: StoreUnderTest, _ codes: String, _ schema: RecordSchema = .items()
    ) throws -> StoreScene {
        let scene = try StoreScene(kind)
        try scene.insert(
            schema, codes.enumerated().map { [.integer(Int64($0 + 1)), .text(String($1)), .text("n")] })
        return scene
    }

    /// The items as one text each, such as `1 a n`; `-` is null.
    func items(of table: String = "items") throws -> [String] {
        try place.rows(of: table, ["id", "code", "name"]).map { $0.map(\.words).joined(separator: " ") }
    }

    /// A key as a JSON object, as commands name it.
    static func name(_ key: RecordKey, _ schema: RecordSchema) -> String {
        let members = zip(schema.keyFields, key.values).map { field, value in
            if case .integer(let number) = value { return "\"\(schema.fields[field].name)\":\(number)" }
            return "\"\(schema.fields[field].name)\":\"\(value.words)\""
        }
        return "{" + members.joined(separator: ",") + "}"
    }
}

extension FieldValue {
    /// The value in words.
    var words: String {
        switch self {
        case .null: "-"
        case .integer(let value): String(value)
        case .real(let value): String(value)
        case .text(let bytes): String(decoding: bytes, as: UTF8.self)
        case .blob(let bytes): "\(bytes)"
        }
    }
}

extension RecordWrite {
    /// A write of some fields of an item with the base that goes with it.
    static func update(_ id: Int64, _ fields: [Int], _ values: [FieldValue], base: BaseRow? = nil) -> RecordWrite {
        RecordWrite(key: SluiceStoreTests.key(.integer(id)), row: .update(fields: fields, values: values), base: base)
    }
}
