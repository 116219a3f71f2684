/// An array of one dimension, to be sent: a column of many rows at once, for `unnest`.
package struct PostgresArray: Sendable {
    private let element: PostgresType
    private var fields = PostgresFields()
    private var hasNull = false
    /// The number of elements.
    package private(set) var count = 0

    /// Makes an empty array.
    ///
    /// - Parameter element: The type of its elements, one of those that ``PostgresValue`` names.
    package init(of element: PostgresType) { self.element = element }

    /// Makes an array of values that all are of one type, or null.
    package init(_ values: [PostgresValue], of element: PostgresType) {
        self.init(of: element)
        for value in values { append(value) }
    }

    /// Adds a value of the element's type, or null.
    package mutating func append(_ value: PostgresValue) {
        if case .null = value { hasNull = true }
        fields.append(value)
        count += 1
    }

    /// Adds a value by what writes it: exactly one, of the element's type, and not null.
    package mutating func append(_ write: (inout PostgresFields) -> Void) {
        write(&fields)
        count += 1
    }

    /// The type of the array. What is no array for PostgreSQL is left to it to find out, and refused by it.
    var type: PostgresType { element.array ?? .inferred }

    /// Its binary form. See: src/backend/utils/adt/arrayfuncs.c, array_recv
    var encoded: [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(fields.byteCount + 20)
        bytes.appendBigEndian(Int32(count == 0 ? 0 : 1))
        bytes.appendBigEndian(Int32(hasNull ? 1 : 0))
        bytes.appendBigEndian(element.rawValue)
        guard count > 0 else { return bytes }
        bytes.appendBigEndian(Int32(truncatingIfNeeded: count))
        bytes.appendBigEndian(Int32(1))
        bytes.append(contentsOf: fields.bytes)
        return bytes
    }
}
