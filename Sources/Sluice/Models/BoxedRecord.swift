internal import FoundationEssentials
internal import SluiceDecode
internal import SluiceModel

/// A model's properties as they are stored.
public struct BoxedRecord: Sendable {
    let description: ModelDescription
    /// One value for each field, once it is whole; see ``complete()``.
    private(set) var values: [BoxedValue] = []
    /// What is to become of links, by relationship: keys that come and keys that go.
    private(set) var links: [Int: (added: [[BoxedValue]], removed: [[BoxedValue]])] = [:]

    /// What is to become of ordered links, by relationship.
    private(set) var orders: [Int: [OrderChange<[BoxedValue]>]] = [:]
    /// What was read together with it: records by value, and those that a query brought along; nil where nobody asks.
    private var company: [BoxedRecord]?
    /// What it leads to as far as the value has it; nil where nobody asks.
    private(set) var within: Within?
    /// Whether it is that of a value with an ``Origin``, as far as that was asked for.
    private(set) var hasOrigin = false
    /// Compares values with those that are there, in their order; nil where they are put into their places.
    private var comparison: Comparison?

    /// A comparison of values with those of a record.
    private struct Comparison {
        /// The position of the next one.
        var next = 0
        /// Whether all were the same, one for each field.
        var isSame = true
    }

    /// What a value has of the records that it leads to.
    struct Within: Sendable {
        /// The records by value, by the positions of the fields.
        var single: [Int: BoxedRecord] = [:]
        /// The lists by value, by the positions of the relationships.
        var lists: [Int: [BoxedRecord]] = [:]
        /// The keys of records of lists by value that were not read, by the positions of the relationships.
        var made: [Int: Set<[BoxedValue]>] = [:]
        /// The positions of the fields whose records by value were not read.
        var madeSingle: Set<Int> = []
        /// The keys of lists that a program made, by the positions of the relationships. What was read says which come and go alone.
        var keys: [Int: [[BoxedValue]]] = [:]
    }

    /// Whether links are to be changed.
    var changesLinks: Bool { !links.isEmpty || !orders.isEmpty }

    init(_ description: ModelDescription) {
        self.description = description
        values.reserveCapacity(description.fieldCount)
    }

    /// A record of values that a value had, one for each field.
    init(_ description: ModelDescription, values: [BoxedValue]) {
        self.description = description
        self.values = values
    }

    /// Has null for the fields whose values are put nowhere.
    mutating func complete() { while values.count < description.fieldCount { values.append(.null) } }

    /// A record together with what was read with it, for comparing it with another look at the store.
    ///
    /// - Throws: ``BoxError`` where the store cannot hold a value.
    init(withCompanyOf value: some PersistentModel) throws(BoxError) {
        self.init(type(of: value).modelDescription)
        company = []
        try value.box(into: &self)
        complete()
    }

    /// A record together with those that the value has within it, each with the key that identifies it.
    ///
    /// - Throws: ``BoxError`` where the store cannot hold a value.
    init(whole value: some PersistentModel) throws(BoxError) {
        self.init(type(of: value).modelDescription)
        if description.leads { within = Within() }
        hasOrigin = value.storedOrigin != nil
        try value.box(into: &self)
        complete()
        try identifyByContent()
    }

    /// The values of the record and of all that was read with it, record by record.
    var rows: [[BoxedValue]] { [values] + (company ?? []).flatMap(\.rows) }

    private mutating func bring(_ records: [any PersistentModel]) throws(BoxError) {
        for record in records {
            let whole = try BoxedRecord(withCompanyOf: record)
            company?.append(whole)
        }
    }

    /// The value of a property; nil where there is no such property.
    public subscript(property: String) -> BoxedValue? {
        let field = description.fields.firstIndex { $0.property == property }
        return field.map { values.indices.contains($0) ? values[$0] : .null }
    }

    /// The properties whose columns hold other values in another record of the same model, in their order.
    package func differences(from other: BoxedRecord) -> [String] {
        zip(description.fields, zip(values, other.values)).filter { $1.0 != $1.1 }.map(\.0.property)
    }

    private func isField(_ index: Int) -> Bool { index >= 0 && index < description.fieldCount }

    private mutating func set(_ index: Int, _ value: () throws(BoxError) -> BoxedValue) throws(BoxError) {
        guard isField(index) else { return }
        do throws(BoxError) { put(try value(), index) } catch { throw error.at(description.fields[index].property) }
    }

    /// Puts a value into its place, or compares it with what is there.
    private mutating func put(_ value: BoxedValue, _ index: Int) {
        guard var comparison else {
            // Most come in their order.
            if index == values.count, isField(index) { values.append(value) } else { place(value, index) }
            return
        }
        // What stands in no order may leave some out, and nobody knows whether these are the same.
        comparison.isSame = comparison.isSame && comparison.next == index && isField(index) && values[index] == value
        comparison.next += 1
        self.comparison = comparison
    }

    private mutating func place(_ value: BoxedValue, _ index: Int) {
        guard isField(index) else { return }
        while values.count <= index { values.append(.null) }
        values[index] = value
    }

    /// Whether a value has the columns of this record and changes no links; false also where that is not certain.
    ///
    /// - Parameter value: A value of the same model.
    /// - Returns: Whether it has. What is to become of links is not known any more.
    /// - Throws: ``BoxError`` where the store cannot hold a value.
    mutating func isSame(as value: some PersistentModel) throws(BoxError) -> Bool {
        comparison = Comparison()
        defer { comparison = nil }
        try value.box(into: &self)
        guard let comparison else { return false }
        return comparison.isSame && comparison.next == values.count && !changesLinks
    }

    /// Puts a value into its place.
    public mutating func box(_ value: some StoredValue, _ index: Int) throws(BoxError) {
        guard isField(index) else { return }
        do throws(BoxError) { put(try value.boxed(), index) } catch {
            throw error.at(description.fields[index].property)
        }
        if company != nil, let reference = value as? any BringingType { try bring(reference.brought) }
    }

    /// A type that has no column.
    @_disfavoredOverload
    @available(
        *, unavailable,
        message:
            "this type has no column: make it a StoredValue, or store it as .raw, .codable, .composition or .transformed, or mark the property @Ignore"
    )
    public mutating func box<Value>(_ value: Value, _ index: Int) throws(BoxError) {}

    /// A reference to a record that no column alone identifies.
    @_disfavoredOverload
    @available(
        *, unavailable,
        message:
            "a Ref is one column with the key of the other record, and no single property identifies records of that model: give it one, or keep what identifies the record as properties of your own"
    )
    public mutating func box<Target>(_ value: Ref<Target>, _ index: Int) throws(BoxError) {}

    /// A reference to a record that no column alone identifies.
    @_disfavoredOverload
    @available(
        *, unavailable,
        message:
            "a Ref is one column with the key of the other record, and no single property identifies records of that model: give it one, or keep what identifies the record as properties of your own"
    )
    public mutating func box<Target>(_ value: Ref<Target>?, _ index: Int) throws(BoxError) {}

    /// Puts a value into its place whose type `init(unboxing:)`, written by the macro as well, reads.
    ///
    /// The types of most fields are told apart where the model is compiled, and need no witnesses.
    @inlinable
    public mutating func box<Value: StoredValue>(read value: Value, _ index: Int) throws(BoxError) {
        if Value.self == Int.self, let value = value as? Int { return put(integer: value, index) }
        if Value.self == String.self, let value = value as? String { return put(text: value, index) }
        if Value.self == Bool.self, let value = value as? Bool { return put(integer: value ? 1 : 0, index) }
        if Value.self == Int?.self {
            if let value = value as? Int { put(integer: value, index) } else { putNull(index) }
            return
        }
        if Value.self == String?.self {
            if let value = value as? String { put(text: value, index) } else { putNull(index) }
            return
        }
        try box(value, index)
    }

    @usableFromInline
    mutating func put(integer: Int, _ index: Int) { put(.integer(Int64(integer)), index) }

    @usableFromInline
    mutating func put(text: String, _ index: Int) { put(.text(text), index) }

    @usableFromInline
    mutating func putNull(_ index: Int) { put(.null, index) }

    /// A type that has no column: `unbox` says so, once.
    @_disfavoredOverload
    public mutating func box<Value>(read value: Value, _ index: Int) throws(BoxError) {
        throw BoxError("a `\(Value.self)` has no column")
    }

    /// Puts the raw value of a value into its place.
    public mutating func box<Value: RawRepresentable>(raw value: Value, _ index: Int) throws(BoxError)
    where Value.RawValue: StoredValue {
        try set(index) { () throws(BoxError) in try value.rawValue.boxed() }
    }

    /// Puts the raw value of a value into its place, or null.
    public mutating func box<Value: RawRepresentable>(raw value: Value?, _ index: Int) throws(BoxError)
    where Value.RawValue: StoredValue {
        try set(index) { () throws(BoxError) in try value?.rawValue.boxed() ?? .null }
    }

    /// A type that has no raw value.
    @_disfavoredOverload
    @available(*, unavailable, message: "`.raw` is for types whose raw value has a column, such as an enum of texts")
    public mutating func box<Value>(raw value: Value, _ index: Int) throws(BoxError) {}

    /// A type that is not coded.
    @_disfavoredOverload
    @available(*, unavailable, message: "`.codable` is for types that conform to `Codable`")
    public mutating func box<Value>(codable value: Value, _ index: Int) throws(BoxError) {}

    /// Puts a value into its place as JSON, compact and with sorted keys: equal values are equal texts.
    public mutating func box<Value: Encodable>(codable value: Value, _ index: Int) throws(BoxError) {
        try set(index) { () throws(BoxError) in try Self.json(value) }
    }

    /// Puts a value into its place as JSON, or null.
    public mutating func box<Value: Encodable>(codable value: Value?, _ index: Int) throws(BoxError) {
        try set(index) { () throws(BoxError) in
            try value.map { value throws(BoxError) in try Self.json(value) } ?? .null
        }
    }

    private static func json(_ value: some Encodable) throws(BoxError) -> BoxedValue {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        guard let data = try? encoder.encode(value) else { throw BoxError("the value cannot be written as JSON") }
        return .text(String(decoding: data, as: UTF8.self))
    }

    /// Puts what a transform makes of a value into its place.
    public mutating func box<Transform: ValueTransform>(
        _ value: Transform.Value, by transform: Transform.Type, _ index: Int
    ) throws(BoxError) {
        try set(index) { () throws(BoxError) in try Self.stored(value, by: transform) }
    }

    /// Puts what a transform makes of a value into its place, or null.
    public mutating func box<Transform: ValueTransform>(
        _ value: Transform.Value?, by transform: Transform.Type, _ index: Int
    ) throws(BoxError) {
        try set(index) { () throws(BoxError) in
            try value.map { value throws(BoxError) in try Self.stored(value, by: transform) } ?? .null
        }
    }

    private static func stored<Transform: ValueTransform>(
        _ value: Transform.Value, by transform: Transform.Type
    ) throws(BoxError) -> BoxedValue {
        do {
            return try transform.stored(value).boxed()
        } catch let error as BoxError { throw error } catch {
            // What an error of the program says may hold the value.
            throw BoxError("\(transform) refuses it with an error of the type `\(Swift.type(of: error))`")
        }
    }

    /// Puts the parts of a composition into their places.
    public mutating func box(composition value: some StoredComposition, _ index: Int) throws(BoxError) {
        let composition = description.compositions[index]
        do throws(BoxError) {
            for (index, value) in zip(composition.fields, try BoxedComposition(value).values) { put(value, index) }
        } catch { throw error.within(composition.property) }
    }

    /// Puts the parts of a composition into their places, which are null where there is none.
    public mutating func box<Value: StoredComposition>(composition value: Value?, _ index: Int) throws(BoxError) {
        if let value { return try box(composition: value, index) }
        for field in description.compositions[index].fields { put(.null, field) }
    }

    /// Notes what is to become of links.
    public mutating func box<Target>(links: Refs<Target>, _ index: Int) throws(BoxError) {
        if company != nil { try bring(links.brought) }
        var added: [[BoxedValue]] = []
        for key in links.added { added.append(try key.boxKey()) }
        if links.owner == nil { within?.keys[index] = added }
        if links.added.isEmpty && links.removed.isEmpty { return }
        var removed: [[BoxedValue]] = []
        for key in links.removed { removed.append(try key.boxKey()) }
        self.links[index] = (added, removed)
    }

    /// Puts the key of a record into its place.
    public mutating func box<Value: PersistentModel>(value: Value?, _ index: Int) throws(BoxError) {
        try set(index) { () throws(BoxError) in try value?.savedIdentifier?.boxKey().first ?? .null }
        guard let value else { return }
        if company != nil { try bring([value]) }
        if within != nil {
            within?.single[index] = try BoxedRecord(whole: value)
            if Self.isMade(value) { within?.madeSingle.insert(index) }
        }
    }

    /// Notes which records a list has, and in which order.
    public mutating func box<Value: PersistentModel>(values: [Value], _ index: Int) throws(BoxError) {
        if company != nil { try bring(values) }
        if within != nil {
            var records: [BoxedRecord] = []
            for value in values { records.append(try BoxedRecord(whole: value)) }
            within?.lists[index] = records
        }
        if within != nil {
            within?.made[index] = Set(
                values.filter { Self.isMade($0) }
                    .compactMap { try? $0.savedIdentifier?.boxKey() })
        }
        var keys: [[BoxedValue]] = []
        for value in values {
            // Of several with one identifier the last one counts, as of all that is saved together.
            if let key = try value.savedIdentifier?.boxKey() { keys.append(key) }
        }
        orders[index] = [.assign(keys)]
    }

    /// Whether the program made a record under an identifier of its own.
    private static func isMade(_ value: some PersistentModel) -> Bool {
        let known = value.known
        return known.memory == nil && (known.lostIdentifier == nil || known.lostIdentifier != value.savedIdentifier)
    }

    /// What is to become of links that are not those of lists by value, of which the value itself knows what they are.
    var linkChanges: LinkEdits {
        if !changesLinks { return LinkEdits() }
        return LinkEdits(links: links, orders: orders.filter { !description.relationships[$0.key].isByValue })
    }

    /// Has links change as others were to before.
    mutating func follow(_ earlier: LinkEdits) {
        if earlier.isEmpty { return }
        let all = earlier.followed(by: linkChanges)
        links = all.links
        orders.merge(all.orders) { $1 }
    }

    /// Leaves out the order of lists that are as they were read.
    mutating func forgetOrders(asIn other: BoxedRecord?) {
        guard let other else { return }
        for (index, order) in orders where other.orders[index] == order && description.relationships[index].isByValue {
            orders[index] = nil
        }
    }

    /// Has lists that were read and changed since differ by what was changed alone.
    mutating func mergeOrders(readAs other: BoxedRecord?) {
        guard let other else { return }
        for (index, order) in orders where description.relationships[index].isByValue {
            guard order.count == 1, case .assign(let after) = order[0], let read = other.orders[index], read.count == 1,
                case .assign(let before) = read[0]
            else { continue }
            orders[index] = [.merge(from: before, to: after)]
        }
    }

    /// Notes what is to become of ordered links.
    public mutating func box<Target>(links: OrderedRefs<Target>, _ index: Int) throws(BoxError) {
        if company != nil { try bring(links.brought) }
        if links.changes.isEmpty { return }
        do {
            let changes = try links.changes.map { change in try change.map { try $0.boxKey() } }
            orders[index] = changes
            if links.owner == nil {
                var keys: [[BoxedValue]] = []
                for change in changes { change.apply(to: &keys) }
                within?.keys[index] = keys
            }
        } catch let error as BoxError { throw error } catch { throw BoxError("its keys cannot be stored") }
    }

    /// Makes the key of the values that it is made of.
    ///
    /// - Throws: ``BoxError`` where none of them is there.
    mutating func identifyByContent() throws(BoxError) {
        guard let contentKey = description.contentKey, let field = description.identifiers.first else { return }
        guard let key = contentKey.key(of: values.map { FieldValue($0) }) else {
            throw BoxError("none of its properties has a value, and together they identify it")
        }
        values[field] = .text(key)
    }

    /// The records within it, as far as it was made with them, and those within these.
    var inner: [BoxedRecord] {
        guard let within else { return [] }
        let records = Array(within.single.values) + within.lists.values.flatMap { $0 }
        return records + records.flatMap(\.inner)
    }

    /// The same with other values of some fields.
    func holding(_ others: [Int: BoxedValue]) -> BoxedRecord {
        var copy = self
        for (field, value) in others { copy.values[field] = value }
        return copy
    }

    /// The values of the identifier's columns.
    var key: [BoxedValue] {
        let identifiers = description.identifiers
        return identifiers.count == 1 ? [values[identifiers[0]]] : identifiers.map { values[$0] }
    }
}

/// What leads to records that a query may bring along.
protocol BringingType {
    /// The records that were brought along.
    var brought: [any PersistentModel] { get }
}

extension Ref: BringingType { var brought: [any PersistentModel] { value.map { [$0] } ?? [] } }
extension Refs: BringingType { var brought: [any PersistentModel] { values ?? [] } }
extension OrderedRefs: BringingType { var brought: [any PersistentModel] { values ?? [] } }
