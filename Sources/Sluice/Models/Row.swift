internal import SluiceDecoding

/// A row that is read, lent to the initialiser that makes a value of it.
public struct Row<M: PersistentModel>: ~Copyable {
    let content: RowContent
    /// The column of the first field.
    let first: Int
    /// Whether the value is to remember how it was read, see ``origin(of:)``.
    public let remembersOrigin: Bool
    /// What wrote before the row was read and may be taken back; nil where nothing did.
    var part: WritePart?
    /// The store that it is in.
    let home: StoreHome
    /// Has the records that properties hold by value; nil where nobody has.
    let company: (any NestedSource)?

    private func column(_ index: Int) -> StoredColumn { StoredColumn(content, first + index) }

    private func property(_ index: Int) -> String? {
        let fields = M.model.description.fields
        return fields.indices.contains(index) ? fields[index].property : nil
    }

    private func named<Value>(_ index: Int, _ body: (StoredColumn) throws(UnboxError) -> Value) throws(UnboxError)
        -> Value
    {
        do throws(UnboxError) { return try body(column(index)) } catch { throw error.at(property(index)) }
    }

    /// The value of a field.
    ///
    /// The types of most fields are told apart where the model is compiled, and need no witnesses.
    @inlinable
    public func unbox<Value: StoredValue>(_ type: Value.Type, _ index: Int) throws(UnboxError) -> Value {
        if Value.self == Int.self, let value = try integer(index) as? Value { return value }
        if Value.self == String.self, let value = try text(index) as? Value { return value }
        if Value.self == Bool.self, let value = try truth(index) as? Value { return value }
        if Value.self == Double.self, let value = try number(index) as? Value { return value }
        if Value.self == Int?.self, let value = try integerOrNil(index) as? Value { return value }
        if Value.self == String?.self, let value = try textOrNil(index) as? Value { return value }
        return try value(of: type, index)
    }

    @usableFromInline
    func integer(_ index: Int) throws(UnboxError) -> Int {
        if let number = content.integer(first + index), let exact = Int(exactly: number) { return exact }
        return try value(of: Int.self, index)
    }

    @usableFromInline
    func integerOrNil(_ index: Int) throws(UnboxError) -> Int? {
        if let number = content.integer(first + index), let exact = Int(exactly: number) { return exact }
        return content.isNull(first + index) ? nil : try value(of: Int?.self, index)
    }

    @usableFromInline
    func text(_ index: Int) throws(UnboxError) -> String {
        if let text = content.text(first + index) { return text }
        return try value(of: String.self, index)
    }

    @usableFromInline
    func textOrNil(_ index: Int) throws(UnboxError) -> String? {
        if let text = content.text(first + index) { return text }
        return content.isNull(first + index) ? nil : try value(of: String?.self, index)
    }

    @usableFromInline
    func truth(_ index: Int) throws(UnboxError) -> Bool {
        switch content.integer(first + index) {
        case 0: return false
        case 1: return true
        default: return try value(of: Bool.self, index)
        }
    }

    @usableFromInline
    func number(_ index: Int) throws(UnboxError) -> Double { try value(of: Double.self, index) }

    /// The value of a field of any type.
    @usableFromInline
    func value<Value: StoredValue>(of type: Value.Type, _ index: Int) throws(UnboxError) -> Value {
        do throws(UnboxError) { return try Value.unboxed(column(index)) } catch { throw error.at(property(index)) }
    }

    /// A type that has no column.
    @_disfavoredOverload
    @available(
        *, unavailable,
        message:
            "this type has no column: make it a StoredValue, or store it as .raw, .codable, .composition or .transformed, or mark the property @Ignore"
    )
    public func unbox<Value>(_ type: Value.Type, _ index: Int) throws(UnboxError) -> Value {
        throw UnboxError("this type has no column")
    }

    /// A reference to a record that no column alone identifies.
    @_disfavoredOverload
    @available(
        *, unavailable,
        message:
            "a Ref is one column with the key of the other record, and no single property identifies records of that model: give it one, or keep what identifies the record as properties of your own"
    )
    public func unbox<Target>(_ type: Ref<Target>.Type, _ index: Int) throws(UnboxError) -> Ref<Target> {
        throw UnboxError("this type has no column")
    }

    /// A reference to a record that no column alone identifies.
    @_disfavoredOverload
    @available(
        *, unavailable,
        message:
            "a Ref is one column with the key of the other record, and no single property identifies records of that model: give it one, or keep what identifies the record as properties of your own"
    )
    public func unbox<Target>(_ type: Ref<Target>?.Type, _ index: Int) throws(UnboxError) -> Ref<Target>? {
        throw UnboxError("this type has no column")
    }

    // MARK: Raw values

    /// The value of a raw value.
    public func unbox<Value: RawRepresentable>(raw type: Value.Type, _ index: Int) throws(UnboxError) -> Value
    where Value.RawValue: StoredValue {
        try named(index) { column throws(UnboxError) in
            guard let value = Value(rawValue: try Value.RawValue.unboxed(column)) else {
                throw UnboxError("the store holds a value that is no \(type)")
            }
            return value
        }
    }

    /// The value of a raw value, nil for null.
    public func unbox<Value: RawRepresentable>(raw type: Value?.Type, _ index: Int) throws(UnboxError) -> Value?
    where Value.RawValue: StoredValue {
        column(index).isNull ? nil : try unbox(raw: Value.self, index)
    }

    /// A type that has no raw value.
    @_disfavoredOverload
    @available(*, unavailable, message: "`.raw` is for types whose raw value has a column, such as an enum of texts")
    public func unbox<Value>(raw type: Value.Type, _ index: Int) throws(UnboxError) -> Value {
        throw UnboxError("this type has no raw value")
    }

    // MARK: JSON

    /// A type that is not coded.
    @_disfavoredOverload
    @available(*, unavailable, message: "`.codable` is for types that conform to `Codable`")
    public func unbox<Value>(codable type: Value.Type, _ index: Int) throws(UnboxError) -> Value {
        throw UnboxError("this type is not coded")
    }

    /// The value of JSON.
    public func unbox<Value: Decodable>(codable type: Value.Type, _ index: Int) throws(UnboxError) -> Value {
        try named(index) { column throws(UnboxError) in
            guard case .text(let text) = column.value else { throw column.mismatch("JSON") }
            do { return try TapeDecoder().decode(type, from: Array(text.utf8)) } catch {
                throw UnboxError("the store holds JSON that is no \(type)")
            }
        }
    }

    /// The value of JSON, nil for null.
    public func unbox<Value: Decodable>(codable type: Value?.Type, _ index: Int) throws(UnboxError) -> Value? {
        column(index).isNull ? nil : try unbox(codable: Value.self, index)
    }

    // MARK: Transforms

    /// The value that a transform makes.
    public func unbox<Transform: ValueTransform>(
        _ type: Transform.Value.Type, by transform: Transform.Type, _ index: Int
    ) throws(UnboxError) -> Transform.Value {
        try named(index) { column throws(UnboxError) in
            let stored = try Transform.Stored.unboxed(column)
            do { return try transform.value(stored) } catch { throw UnboxError("\(transform) refuses what is stored") }
        }
    }

    /// The value that a transform makes, nil for null.
    public func unbox<Transform: ValueTransform>(
        _ type: Transform.Value?.Type, by transform: Transform.Type, _ index: Int
    ) throws(UnboxError) -> Transform.Value? {
        column(index).isNull ? nil : try unbox(Transform.Value.self, by: transform, index)
    }

    // MARK: Records by value

    /// The record that a column leads to.
    public func value<Value: PersistentModel>(_ type: Value.Type, _ index: Int) throws(UnboxError) -> Value {
        if let value = try value(Value?.self, index) { return value }
        throw UnboxError("it leads to no record", property: property(index))
    }

    /// The record that a column leads to, nil for null, or where it is not there.
    public func value<Value: PersistentModel>(_ type: Value?.Type, _ index: Int) throws(UnboxError) -> Value? {
        let key = column(index).value
        if key.isNull { return nil }
        return try nested(property(index)) { try company?.record(Value.self, of: M.self, index, key) }
    }

    /// The records that a list has, in their order.
    public func values<Value: PersistentModel>(_ type: Value.Type, _ index: Int) throws(UnboxError) -> [Value] {
        let description = M.model.description
        let owner = description.identifiers.map { column($0).value }
        return try nested(description.relationships[index].property) {
            try company?.records(Value.self, of: M.self, index, owner) ?? []
        }
    }

    private func nested<Value>(_ property: String?, _ body: () throws -> Value) throws(UnboxError) -> Value {
        do { return try body() } catch { throw UnboxError("\(error)", property: property) }
    }

    // MARK: Compositions

    /// The value of a composition.
    public func unbox<Value: StoredComposition>(
        composition type: Value.Type, _ index: Int
    ) throws(UnboxError) -> Value {
        let composition = M.model.description.compositions[index]
        do throws(UnboxError) {
            return try Value(
                unboxing: CompositionRow(columns: columns(composition.fields), description: Value.composition))
        } catch { throw error.within(composition.property) }
    }

    /// The value of a composition, nil where all its columns are null.
    public func unbox<Value: StoredComposition>(
        composition type: Value?.Type, _ index: Int
    ) throws(UnboxError) -> Value? {
        columns(M.model.description.compositions[index].fields).areNull
            ? nil : try unbox(composition: Value.self, index)
    }

    private func columns(_ fields: Range<Int>) -> StoredColumns {
        StoredColumns(first: column(fields.lowerBound), count: fields.count)
    }

    // MARK: Fallbacks

    private func fallback<Value>(
        _ value: Value, _ isAsserted: Bool, _ error: UnboxError
    ) -> Value {
        // The one place where debug builds stop, since the model asks for it by name.
        if isAsserted { assertionFailure("\(M.self): \(error)") }
        return value
    }

    /// The value of a field, or another one where it cannot be read.
    public func unbox<Value: StoredValue>(
        _ type: Value.Type, _ index: Int, orDefault value: Value, asserting: Bool = false
    ) -> Value {
        do throws(UnboxError) { return try unbox(type, index) } catch { return fallback(value, asserting, error) }
    }

    /// The value of a raw value, or another one where it cannot be read.
    public func unbox<Value: RawRepresentable>(
        raw type: Value.Type, _ index: Int, orDefault value: Value, asserting: Bool = false
    ) -> Value where Value.RawValue: StoredValue {
        do throws(UnboxError) { return try unbox(raw: type, index) } catch { return fallback(value, asserting, error) }
    }

    /// The value of a raw value, nil for null, or another one where it cannot be read.
    public func unbox<Value: RawRepresentable>(
        raw type: Value?.Type, _ index: Int, orDefault value: Value?, asserting: Bool = false
    ) -> Value? where Value.RawValue: StoredValue {
        do throws(UnboxError) { return try unbox(raw: type, index) } catch { return fallback(value, asserting, error) }
    }

    /// The value of JSON, or another one where it cannot be read.
    public func unbox<Value: Decodable>(
        codable type: Value.Type, _ index: Int, orDefault value: Value, asserting: Bool = false
    ) -> Value {
        do throws(UnboxError) { return try unbox(codable: type, index) } catch {
            return fallback(value, asserting, error)
        }
    }

    /// The value that a transform makes, or another one where it cannot be read.
    public func unbox<Transform: ValueTransform>(
        _ type: Transform.Value.Type, by transform: Transform.Type, _ index: Int, orDefault value: Transform.Value,
        asserting: Bool = false
    ) -> Transform.Value {
        do throws(UnboxError) { return try unbox(type, by: transform, index) } catch {
            return fallback(value, asserting, error)
        }
    }

    /// The value that a transform makes, nil for null, or another one where it cannot be read.
    public func unbox<Transform: ValueTransform>(
        _ type: Transform.Value?.Type, by transform: Transform.Type, _ index: Int, orDefault value: Transform.Value?,
        asserting: Bool = false
    ) -> Transform.Value? {
        do throws(UnboxError) { return try unbox(type, by: transform, index) } catch {
            return fallback(value, asserting, error)
        }
    }

    // MARK: What is not read

    /// What leads to several records, which are read when they are asked for.
    public func unlinked<Target>(_ type: Refs<Target>.Type, _ index: Int) -> Refs<Target> {
        let description = M.model.description
        return Refs(owner: description.identifiers.map { column($0).value }, of: M.self, relationship: index)
    }

    /// What leads to several records in an order, which are read when they are asked for.
    public func unlinked<Target>(_ type: OrderedRefs<Target>.Type, _ index: Int) -> OrderedRefs<Target> {
        let description = M.model.description
        let key = description.identifiers.map { column($0).value }
        return OrderedRefs(owner: Refs<Target>.Owner(key: key, type: M.self, relationship: index))
    }

    /// What remembers the value as it was read.
    public func origin(of value: M) -> Origin {
        remembersOrigin ? Origin(reading: value, in: part, of: home) : Origin()
    }
}
