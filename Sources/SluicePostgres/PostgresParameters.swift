/// The values of one statement's parameters `$1`, `$2`, …, in the form in which they are sent.
package struct PostgresParameters: Sendable {
    /// Where a value lies among the bytes; nil for null.
    private(set) var places: [Range<Int>?] = []
    /// The types, one for each value.
    private(set) var types: [PostgresType] = []
    private(set) var bytes: [UInt8] = []
    /// For each value whether it is sent in its type's binary form; else as text.
    private(set) var areBinary: [Bool] = []

    /// Makes none.
    package init() {}

    /// Makes those of some values.
    package init(_ values: [PostgresValue]) {
        for value in values { append(value) }
    }

    /// The number of values.
    package var count: Int { types.count }

    /// Adds null of a type; where the type is left out, the server finds it out.
    package mutating func appendNull(_ type: PostgresType = .inferred) {
        places.append(nil)
        types.append(type)
        areBinary.append(true)
    }

    /// Adds a value as text, whose type the server finds out from where it stands.
    ///
    /// - Parameter text: The text, without NUL: it would end there.
    package mutating func append(untyped text: [UInt8]) {
        let start = bytes.count
        bytes.append(contentsOf: text)
        bytes.append(0)
        places.append(start..<bytes.count)
        types.append(.inferred)
        areBinary.append(false)
    }

    /// Adds a value.
    package mutating func append(_ value: PostgresValue) {
        if case .null = value { return appendNull() }
        var field = PostgresFields()
        field.append(value)
        append(field.bytes.dropFirst(4), value.type)
    }

    /// Adds an array.
    package mutating func append(_ array: PostgresArray) { append(array.encoded, array.type) }

    private mutating func append(_ value: some Collection<UInt8>, _ type: PostgresType) {
        let start = bytes.count
        bytes.append(contentsOf: value)
        places.append(start..<bytes.count)
        types.append(type)
        areBinary.append(true)
    }
}
