extension SluiceError {
    /// A record that nothing tells apart from others was to be saved or deleted.
    init(unidentified description: ModelDescription) {
        self.init(
            .refused,
            "Nothing identifies the records of \(description.entity): they are inserted, and deleted by a query (`deleteAll`).",
            entity: description.entity)
    }
}

// MARK: What records without an identifier have not

extension Transaction {
    /// Inserts a record of a model without identifiers.
    ///
    /// - Throws: ``SluiceError``.
    public func insert<M: PersistentModel>(_ value: M) throws where M.Identifier == NoIdentifier {
        var copy = value
        try insert(&copy)
    }

    /// Inserts records of a model without identifiers, all or none.
    ///
    /// - Throws: ``SluiceError``.
    public func insert<M: PersistentModel>(_ values: [M]) throws where M.Identifier == NoIdentifier {
        var copies = values
        try insert(&copies)
    }

    /// Not for records without an identifier.
    @_documentation(visibility: internal)
    @available(*, deprecated, message: "a record without an identifier is inserted, never saved again")
    public func save<M: PersistentModel>(_ value: inout M, overwriting isOverwriting: Bool = false) throws
    where M.Identifier == NoIdentifier { throw SluiceError(unidentified: M.model.description) }

    /// Not for records without an identifier.
    @_documentation(visibility: internal)
    @available(*, deprecated, message: "records without an identifier are inserted, never saved again")
    public func save<M: PersistentModel>(_ values: inout [M]) throws where M.Identifier == NoIdentifier {
        throw SluiceError(unidentified: M.model.description)
    }

    /// Not for records without an identifier.
    @_documentation(visibility: internal)
    @available(*, deprecated, message: "records without an identifier are deleted by a query: deleteAll")
    @discardableResult
    public func delete<M: PersistentModel>(_ value: inout M) throws -> Bool where M.Identifier == NoIdentifier {
        throw SluiceError(unidentified: M.model.description)
    }
}

extension Store {
    /// Inserts a record of a model without identifiers.
    ///
    /// - Throws: ``SluiceError``.
    public func insert<M: PersistentModel>(_ value: M) async throws where M.Identifier == NoIdentifier {
        try await write { try $0.insert(value) }
    }

    /// Inserts records of a model without identifiers, all or none.
    ///
    /// - Throws: ``SluiceError``.
    public func insert<M: PersistentModel>(_ values: [M]) async throws where M.Identifier == NoIdentifier {
        try await write { try $0.insert(values) }
    }

    /// Not for records without an identifier.
    @_documentation(visibility: internal)
    @available(*, deprecated, message: "a record without an identifier is inserted, never saved again")
    public func save<M: PersistentModel>(_ value: inout M, overwriting isOverwriting: Bool = false) async throws
    where M.Identifier == NoIdentifier { throw SluiceError(unidentified: M.model.description) }

    /// Not for records without an identifier.
    @_documentation(visibility: internal)
    @available(*, deprecated, message: "records without an identifier are inserted, never saved again")
    public func save<M: PersistentModel>(_ values: inout [M]) async throws where M.Identifier == NoIdentifier {
        throw SluiceError(unidentified: M.model.description)
    }

    /// Not for records without an identifier.
    @_documentation(visibility: internal)
    @available(*, deprecated, message: "records without an identifier are deleted by a query: deleteAll")
    @discardableResult
    public func delete<M: PersistentModel>(_ value: inout M) async throws -> Bool
    where M.Identifier == NoIdentifier { throw SluiceError(unidentified: M.model.description) }
}

// MARK: What records with an identifier need

extension Transaction {
    /// A record takes what the store gives.
    @_disfavoredOverload
    @_documentation(visibility: internal)
    @available(
        *, unavailable,
        message: "a record takes what the store gives it: keep it in a variable, and write `insert(&record)`"
    )
    public func insert<M: PersistentModel>(_ value: M) throws {}

    /// Records take what the store gives.
    @_disfavoredOverload
    @_documentation(visibility: internal)
    @available(
        *, unavailable,
        message: "records take what the store gives them: keep them in a variable, and write `insert(&records)`"
    )
    public func insert<M: PersistentModel>(_ values: [M]) throws {}
}

extension Store {
    /// A record takes what the store gives.
    @_disfavoredOverload
    @_documentation(visibility: internal)
    @available(
        *, unavailable,
        message: "a record takes what the store gives it: keep it in a variable, and write `insert(&record)`"
    )
    public func insert<M: PersistentModel>(_ value: M) async throws {}

    /// Records take what the store gives.
    @_disfavoredOverload
    @_documentation(visibility: internal)
    @available(
        *, unavailable,
        message: "records take what the store gives them: keep them in a variable, and write `insert(&records)`"
    )
    public func insert<M: PersistentModel>(_ values: [M]) async throws {}
}
