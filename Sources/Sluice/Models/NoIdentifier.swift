/// The identifier of records that have none: there is no value of it.
public enum NoIdentifier: StoredKey {
    /// Never called.
    public func boxKey() throws(BoxError) -> [BoxedValue] {
        switch self {}
    }
}

extension PersistentModel {
    /// The hash of all values, of a model with ``ModelIdentifier/content``; nil where no property has a value, or where the
    /// store cannot hold one.
    public var contentIdentifier: String? {
        guard case .text(let key)? = try? boxed().key.first else { return nil }
        return key
    }
}
