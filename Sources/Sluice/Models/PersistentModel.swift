/// A struct whose values are rows of a table.
///
/// `@PersistentModel` writes everything that is required:
///
/// ```swift
/// @PersistentModel(table: "books")
/// struct Book {
///     let id: Int
///     var title: String
///     var origin = Origin()
/// }
/// ```
public protocol PersistentModel: RecordConvertible where Record == Self {
    /// What identifies a record.
    associatedtype Identifier: StoredKey
    /// The typed paths to its properties.
    associatedtype Paths: ModelPaths

    /// What the declaration says.
    static var model: Model<Self> { get }
    /// The paths, for conditions that are kept.
    static var path: Paths { get }

    /// What identifies the record; nil where the store has not given it yet.
    var savedIdentifier: Identifier? { get }

    /// Makes a value of a row.
    ///
    /// - Parameter row: The row.
    /// - Throws: ``UnboxError`` where a column holds what a property cannot.
    init(unboxing row: borrowing Row<Self>) throws(UnboxError)

    /// Puts the value's properties into a record.
    ///
    /// - Parameter values: The record.
    /// - Throws: ``BoxError`` where the store cannot hold a value.
    func box(into values: inout BoxedRecord) throws(BoxError)

    /// Puts the defaults of properties into a record: what a source's record without their keys is inserted with.
    ///
    /// - Parameter values: The record.
    /// - Throws: ``BoxError`` where the store cannot hold a default.
    static func boxDefaults(into values: inout BoxedRecord) throws(BoxError)

    /// Takes the identifier that the store gave.
    mutating func assign(generated identifier: Int)

    /// Lets its links belong to the record that was saved.
    mutating func attachLinks()

    /// Saves the records that are properties by value, before the record itself.
    ///
    /// - Parameter tx: The transaction.
    /// - Throws: ``SluiceError``.
    mutating func saveNested(in tx: Transaction) throws

    /// What was read, where the struct remembers it; see ``Origin``.
    var storedOrigin: Origin? { get set }
}

extension PersistentModel {
    /// Does nothing: no property has a default.
    public static func boxDefaults(into values: inout BoxedRecord) throws(BoxError) {}

    /// Does nothing: the identifier is given by the program.
    public mutating func assign(generated identifier: Int) {}

    /// Does nothing: there are no links.
    public mutating func attachLinks() {}

    /// Does nothing: no property is a record.
    public mutating func saveNested(in tx: Transaction) throws {}

    /// Nil: the struct remembers nothing.
    public var storedOrigin: Origin? {
        get { nil }
        set {}
    }

    /// The value as it would be stored, without a store.
    ///
    /// - Throws: ``BoxError`` where the store cannot hold a value.
    public func boxed() throws(BoxError) -> BoxedRecord {
        var record = BoxedRecord(Self.model.description)
        try box(into: &record)
        record.complete()
        try record.identifyByContent()
        return record
    }
}

/// The typed paths to the properties of a model.
public protocol ModelPaths: Sendable {
    /// Makes the paths within a part of a query.
    init(scope: PathScope)
}
