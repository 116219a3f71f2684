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

    /// The same with the records that were brought along.
    func bringing(_ values: [Target]) -> Refs {
        var copy = self
        copy.included = Included(values: values)
        return copy
    }

    // MARK: Reading

    /// The records in the order of their keys, as the store has them.
    ///
    /// - Throws: ``SluiceError``, also where the record was made by the program and not read since.
    public func load(in reader: Reader) throws -> [Target] { try reader.fetch(query()) }

    /// The keys of the records in their order, without reading these.
    ///
    /// - Throws: ``SluiceError``.
    public func keys(in reader: Reader) throws -> [Target.Identifier] { try reader.keys(of: query()) }

    /// The number of records, without reading them.
    ///
    /// - Throws: ``SluiceError``.
    public func count(in reader: Reader) throws -> Int { try reader.count(query()) }

    /// Whether the record of a key is one of them.
    ///
    /// - Throws: ``SluiceError``.
    public func contains(_ key: Target.Identifier, in reader: Reader) throws -> Bool {
        try reader.exists(query().having(key: key))
    }

    /// The query that gives the records, to narrow it.
    ///
    /// - Throws: ``SluiceError``.
    public func query() throws -> Query<Target> {
        let owner = try Self.known(owner)
        let link = try LinkDescription(owner.type.modelDescription, owner.relationship, Target.model.description)
        return Query<Target>(link.members(of: owner.key))
    }
}

extension Refs {
    /// The record whose links are read.
    ///
    /// - Throws: ``SluiceError`` where the store does not have it yet.
    static func known(_ owner: Owner?) throws -> Owner {
        if let owner { return owner }
        throw SluiceError(
            .notFound,
            "These links belong to a value that was not read from the store. Save it and read it again, or add the inverse side.",
            entity: Target.model.description.entity)
    }
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
