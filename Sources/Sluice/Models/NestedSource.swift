/// What has the records that properties of rows hold by value.
protocol NestedSource {
    /// The record that a field leads to.
    ///
    /// - Parameters:
    ///   - type: The record's type.
    ///   - owner: The model of the row.
    ///   - field: The field.
    ///   - key: The record's key.
    /// - Returns: The record; nil where it is not there.
    /// - Throws: ``SluiceError``.
    func record<Value: PersistentModel>(
        _ type: Value.Type, of owner: any PersistentModel.Type, _ field: Int, _ key: BoxedValue
    ) throws -> Value?

    /// The records that a relationship has, in their order.
    ///
    /// - Parameters:
    ///   - type: The records' type.
    ///   - owner: The model of the row.
    ///   - relationship: The relationship.
    ///   - key: The key of the row.
    /// - Returns: The records.
    /// - Throws: ``SluiceError``.
    func records<Value: PersistentModel>(
        _ type: Value.Type, of owner: any PersistentModel.Type, _ relationship: Int, _ key: [BoxedValue]
    ) throws -> [Value]
}
