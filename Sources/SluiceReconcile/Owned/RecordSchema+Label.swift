internal import SluiceModel

extension RecordSchema {
    /// A record as reports name it: `Book 1`, or `Line order_id=1, no=2` where its key has several fields.
    ///
    /// - Parameter key: Its key.
    /// - Returns: The entity's name and what the key holds.
    func label(of key: RecordKey) -> String {
        let parts = zip(keyFields, key.values).map { index, value in
            (name: fields[index].name, value: FieldJSON.text(value, type: fields[index].type))
        }
        if parts.count > 1 { return entity + " " + parts.map { "\($0.name)=\($0.value)" }.joined(separator: ", ") }
        let value = parts.first?.value ?? ""
        let inner = value.hasPrefix("\"") ? value.dropFirst().dropLast() : value[...]
        let isPlain = !inner.isEmpty && !inner.contains { $0 == "\\" || $0 == "\"" || $0.isWhitespace }
        return "\(entity) \(isPlain ? String(inner) : value)"
    }
}
