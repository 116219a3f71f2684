internal import SluiceDecode

extension ModelDescription {
    /// The identifier that the store keeps as a JSON object, as with conflicts and records in quarantine.
    ///
    /// - Parameters:
    ///   - json: The object.
    ///   - type: The type of the model's identifiers.
    /// - Returns: Nil where it is none of the model.
    func identifier<Key: StoredKey>(_ json: String?, as type: Key.Type) -> Key? {
        guard let json, let members = StoredJSON().members(json) else { return nil }
        let values = identifiers.map { index -> BoxedValue? in
            let field = fields[index]
            return members.first { field.isNamed($0.name) }.flatMap {
                StoredJSON().value($0.json, type: field.fieldType)
            }.map { BoxedValue($0) }
        }
        if values.contains(nil) || values.contains(.null) { return nil }
        return (try? BoxedValueReader.identifier(values.compactMap { $0 }, as: type)) ?? nil
    }
}
