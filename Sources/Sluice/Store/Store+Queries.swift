extension Store {
    /// The values of a selection.
    ///
    /// - Throws: ``SluiceError``.
    public func fetch<M, each Value: Sendable>(
        _ selection: Selection<M, repeat each Value>
    ) async throws -> [(repeat each Value)] { try await read { try $0.fetch(selection) } }

    /// The value of a selection of one, as of a sum.
    ///
    /// - Throws: ``SluiceError``.
    public func value<M, Value: Sendable>(_ selection: Selection<M, Value>) async throws -> Value {
        try await read { try $0.value(selection) }
    }

    /// How the store finds the records of a query.
    ///
    /// - Throws: ``SluiceError``.
    public func plan<M>(of query: Query<M>) async throws -> QueryPlan { try await read { try $0.plan(of: query) } }
}
