/// What leads to several records, which are read when they are asked for.
///
/// ``insert(_:)`` and ``remove(_:)`` are remembered and done by the next save.
public struct Refs<Target: PersistentModel>: Sendable {
    /// The record whose links these are.
    struct Owner: Sendable {
        let key: [BoxedValue]
        let type: any PersistentModel.Type
        let relationship: Int
    }

    let owner: Owner?
    /// The keys that come with the next save.
    public private(set) var added: Set<Target.Identifier> = []
    /// The keys that go with the next save.
    public private(set) var removed: Set<Target.Identifier> = []
    private var included: Included<Target>?

    /// The records in the order of their keys, where ``Query/including(_:)`` brought them along.
    public var values: [Target]? { included?.values }

    init(owner key: [BoxedValue], of type: any PersistentModel.Type, relationship: Int) {
        owner = Owner(key: key, type: type, relationship: relationship)
    }

    /// Leads to the records of some keys, once it is saved.
    public init(_ keys: some Sequence<Target.Identifier>) {
        owner = nil
        added = Set(keys)
    }

    /// The same links as they are once their record is saved.
    public func attached<M: PersistentModel>(to value: M, _ relationship: Int) -> Refs {
        guard let key = value.savedIdentifier, let boxed = try? key.boxKey() else { return self }
        return Refs(owner: boxed, of: M.self, relationship: relationship)
    }

    /// Leads to one more record, once it is saved.
    public mutating func insert(_ key: Target.Identifier) {
        removed.remove(key)
        added.insert(key)
    }

    /// No longer leads to a record, once it is saved.
    public mutating func remove(_ key: Target.Identifier) {
        added.remove(key)
        removed.insert(key)
    }

    /// Takes the records that were brought along.
    mutating func bring(_ values: [Target]) { included = Included(values: values) }
}

extension Refs: Hashable {
    /// Whether the same is remembered.
    public static func == (left: Refs, right: Refs) -> Bool {
        left.added == right.added && left.removed == right.removed && left.owner?.key == right.owner?.key
    }
    /// Hashes what is remembered.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(added)
        hasher.combine(removed)
    }
}

extension Refs: ExpressibleByArrayLiteral {
    /// Leads to the records of some keys, once it is saved.
    public init(arrayLiteral elements: Target.Identifier...) { self.init(elements) }
}

extension Refs: Decodable where Target.Identifier: Decodable {
    /// Reads a list of keys.
    public init(from decoder: any Decoder) throws { self.init(try [Target.Identifier](from: decoder)) }
}

extension Refs: Encodable where Target.Identifier: Encodable {
    /// Writes the keys that it leads to once it is saved, as far as it knows them: those that were brought along, and those that
    /// come with the next save.
    public func encode(to encoder: any Encoder) throws {
        let known = (values ?? []).compactMap(\.savedIdentifier)
        try (known.filter { !removed.contains($0) } + added.subtracting(known)).encode(to: encoder)
    }
}

extension KeyedDecodingContainer {
    /// Links that are absent lead to nothing new.
    public func decode<Target>(_ type: Refs<Target>.Type, forKey key: Key) throws -> Refs<Target>
    where Target.Identifier: Decodable {
        try decodeIfPresent(type, forKey: key) ?? []
    }
}
