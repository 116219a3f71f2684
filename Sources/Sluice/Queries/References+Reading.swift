extension Ref {
    /// The record; nil where it is not there.
    ///
    /// - Throws: ``SluiceError``.
    public func load(in reader: Reader) throws -> Target? { try reader.first(Target.self, key) }
}

extension Refs {
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

extension OrderedRefs {
    /// The records in their order, as the store has them.
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

    /// The query that gives the records in their order, to narrow it.
    ///
    /// - Throws: ``SluiceError``.
    public func query() throws -> Query<Target> {
        let owner = try Refs<Target>.known(owner)
        let link = try LinkDescription(owner.type.modelDescription, owner.relationship, Target.model.description)
        return Query<Target>(link.members(of: owner.key)).ordered(by: link.positions(of: owner.key))
    }
}
