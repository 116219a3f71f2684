/// A composition, or nil in the place of one.
public protocol ComposedValue: Sendable {
    /// The composition.
    associatedtype Composed: StoredComposition
}

/// A composition that may be nil.
public protocol OptionalComposition: ComposedValue {}

extension Optional: ComposedValue, OptionalComposition where Wrapped: StoredComposition {
    /// The composition that may be nil.
    public typealias Composed = Wrapped
}

/// A struct whose parts have columns of their own within the table of a model that has one of it.
///
/// `@Composition` writes everything that is required:
///
/// ```swift
/// @Composition struct Location: Equatable {
///     var lat: Double
///     var lng: Double
/// }
/// ```
public protocol StoredComposition: ComposedValue where Composed == Self {
    /// The typed paths to its parts.
    associatedtype Parts: CompositionParts

    /// What the declaration says.
    static var composition: CompositionDescription { get }

    /// Makes a value of its columns.
    ///
    /// - Parameter row: The columns.
    /// - Throws: ``UnboxError`` where a column holds what a part cannot.
    init(unboxing row: borrowing CompositionRow) throws(UnboxError)

    /// Puts the parts into their columns.
    ///
    /// - Parameter values: The columns.
    /// - Throws: ``BoxError`` where the store cannot hold a part.
    func box(into values: inout BoxedComposition) throws(BoxError)
}

/// The typed paths to the parts of a composition.
public protocol CompositionParts: Sendable {
    /// Makes them.
    init()
}

/// A part of a composition, by its position.
public struct CompositionPart<Value>: Sendable {
    let index: Int

    /// The part of a position.
    public init(_ index: Int) { self.index = index }
}

/// The columns of a composition in a row that is read, for as long as the row is.
public struct CompositionRow: ~Copyable {
    let columns: StoredColumns
    let description: CompositionDescription

    /// The value of a part.
    public func unbox<Value: StoredValue>(_ type: Value.Type, _ index: Int) throws(UnboxError) -> Value {
        do throws(UnboxError) {
            return try Value.unboxed(columns[description.place(index).lowerBound])
        } catch { throw error.below(description.property(index)) }
    }

    /// The value of a part that has parts.
    public func unbox<Value: StoredComposition>(_ type: Value.Type, _ index: Int) throws(UnboxError) -> Value {
        do throws(UnboxError) {
            return try Value(
                unboxing: CompositionRow(
                    columns: columns.part(description.place(index)), description: Value.composition))
        } catch { throw error.below(description.property(index)) }
    }

    /// The value of a part that has parts, nil where all of these are null.
    public func unbox<Value: StoredComposition>(_ type: Value?.Type, _ index: Int) throws(UnboxError) -> Value? {
        columns.part(description.place(index)).areNull ? nil : try unbox(Value.self, index)
    }

    /// A type that has no column.
    @_disfavoredOverload
    @available(
        *, unavailable, message: "this type has no column: a part is a StoredValue, or a struct with @Composition"
    )
    public func unbox<Value>(_ type: Value.Type, _ index: Int) throws(UnboxError) -> Value {
        throw UnboxError("this type has no column")
    }
}

/// Some columns of a row that is read, one behind the other.
struct StoredColumns {
    let first: StoredColumn
    let count: Int

    subscript(index: Int) -> StoredColumn { first.next(index) }

    var areNull: Bool { (0..<count).allSatisfy { self[$0].isNull } }

    func part(_ range: Range<Int>) -> StoredColumns { StoredColumns(first: self[range.lowerBound], count: range.count) }
}

/// The parts of a composition as they are stored.
public struct BoxedComposition {
    let description: CompositionDescription
    private(set) var values: [BoxedValue]

    init(_ description: CompositionDescription) {
        self.description = description
        values = Array(repeating: .null, count: description.leaves.count)
    }

    /// The values of a composition.
    init(_ value: some StoredComposition) throws(BoxError) {
        self.init(type(of: value).composition)
        try value.box(into: &self)
    }

    /// Puts a part into its column.
    public mutating func box(_ value: some StoredValue, _ index: Int) throws(BoxError) {
        do throws(BoxError) {
            values[description.place(index).lowerBound] = try value.boxed()
        } catch { throw error.below(description.property(index)) }
    }

    /// Puts a part that has parts into its columns.
    public mutating func box(_ value: some StoredComposition, _ index: Int) throws(BoxError) {
        do throws(BoxError) {
            values.replaceSubrange(description.place(index), with: try BoxedComposition(value).values)
        } catch { throw error.below(description.property(index)) }
    }

    /// Puts a part that has parts into its columns, which are null where there is none.
    public mutating func box<Value: StoredComposition>(_ value: Value?, _ index: Int) throws(BoxError) {
        if let value { try box(value, index) }
    }

    /// A type that has no column.
    @_disfavoredOverload
    @available(
        *, unavailable, message: "this type has no column: a part is a StoredValue, or a struct with @Composition"
    )
    public mutating func box<Value>(_ value: Value, _ index: Int) throws(BoxError) {}
}

extension UnboxError {
    /// The same error of a part of a property.
    fileprivate func below(_ name: String) -> UnboxError {
        UnboxError(reason, property: property.map { "\(name).\($0)" } ?? name)
    }

    /// The same error of a composition that is a property.
    func within(_ name: String?) -> UnboxError { name.map(below) ?? self }
}

extension BoxError {
    /// The same error of a part of a property.
    fileprivate func below(_ name: String) -> BoxError {
        BoxError(reason, property: property.map { "\(name).\($0)" } ?? name)
    }

    /// The same error of a composition that is a property.
    func within(_ name: String) -> BoxError { below(name) }
}
