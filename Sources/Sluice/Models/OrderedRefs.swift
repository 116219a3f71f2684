/// What leads to several records in an order of its own, which are read when they are asked for.
///
/// The order is kept with the pairs of records, so that one record may stand at several places of others. What is changed is
/// remembered and done by the next save.
///
/// ```swift
/// playlist.songs.append(7)
/// playlist.songs.insert(3, at: 0)
/// try tx.save(&playlist)
/// ```
public struct OrderedRefs<Target: PersistentModel>: Sendable {
    let owner: Refs<Target>.Owner?
    /// What is to become of the order.
    private(set) var changes: [OrderChange<Target.Identifier>] = []
    private var included: Included<Target>?

    /// The records in their order, where ``Query/including(_:)`` brought them along.
    public var values: [Target]? { included?.values }

    init(owner: Refs<Target>.Owner) { self.owner = owner }

    /// Leads to the records of some keys in their order, once it is saved.
    public init(_ keys: some Sequence<Target.Identifier>) {
        owner = nil
        changes = [.assign(Array(keys))]
    }

    /// The same links as they are once their record is saved.
    public func attached<M: PersistentModel>(to value: M, _ relationship: Int) -> OrderedRefs {
        guard let key = value.savedIdentifier, let boxed = try? key.boxKey() else { return self }
        return OrderedRefs(owner: Refs<Target>.Owner(key: boxed, type: M.self, relationship: relationship))
    }

    // MARK: Changing

    /// Leads to a record behind all others, once it is saved. A record that is there already moves.
    public mutating func append(_ key: Target.Identifier) { changes.append(.append(key)) }

    /// Leads to a record at a place, once it is saved. A record that is there already moves; a place behind the last is the
    /// last.
    ///
    /// - Parameters:
    ///   - key: The record.
    ///   - index: The place, from 0.
    public mutating func insert(_ key: Target.Identifier, at index: Int) {
        changes.append(.insert(key, at: max(0, index)))
    }

    /// No longer leads to a record, once it is saved.
    public mutating func remove(_ key: Target.Identifier) { changes.append(.remove(key)) }

    /// Leads to the records of some keys in their order and to no others, once it is saved.
    public mutating func assign(_ keys: some Sequence<Target.Identifier>) { changes = [.assign(Array(keys))] }

    /// Takes the records that were brought along.
    mutating func bring(_ values: [Target]) { included = Included(values: values) }
}

extension OrderedRefs: Hashable {
    /// Whether the same is remembered.
    public static func == (left: OrderedRefs, right: OrderedRefs) -> Bool {
        left.changes == right.changes && left.owner?.key == right.owner?.key
    }
    /// Hashes what is remembered.
    public func hash(into hasher: inout Hasher) { hasher.combine(changes) }
}

extension OrderedRefs: ExpressibleByArrayLiteral {
    /// Leads to the records of some keys in their order, once it is saved.
    public init(arrayLiteral elements: Target.Identifier...) { self.init(elements) }
}

extension OrderedRefs: Decodable where Target.Identifier: Decodable {
    /// Reads a list of keys.
    public init(from decoder: any Decoder) throws { self.init(try [Target.Identifier](from: decoder)) }
}

extension OrderedRefs: Encodable where Target.Identifier: Encodable {
    /// Writes the keys that it leads to once it is saved, as far as it knows them: those that were brought along, with the changes
    /// that come with the next save.
    public func encode(to encoder: any Encoder) throws {
        try changes.reduce(into: (values ?? []).compactMap(\.savedIdentifier)) { $1.apply(to: &$0) }.encode(to: encoder)
    }
}

extension KeyedDecodingContainer {
    /// Links that are absent lead to nothing new.
    public func decode<Target>(_ type: OrderedRefs<Target>.Type, forKey key: Key) throws -> OrderedRefs<Target>
    where Target.Identifier: Decodable {
        try decodeIfPresent(type, forKey: key) ?? []
    }
}
