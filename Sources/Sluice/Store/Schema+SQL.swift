extension Schema {
    /// The statements that make the tables, indexes and links of a new store.
    ///
    /// - Returns: SQL, in the order in which it runs.
    /// - Throws: ``SluiceError``.
    public func sql() throws -> [String] {
        try StoreWriter(nil, self, StoreOptions(), on: StoreExecutor("sluice.schema")).changes
    }
}
