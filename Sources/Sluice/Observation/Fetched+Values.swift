extension Fetched {
    /// The records, now and again after each commit that changes them.
    public func values(in store: Store) -> StoreObservation<[M]> { store.values(query) }
}
