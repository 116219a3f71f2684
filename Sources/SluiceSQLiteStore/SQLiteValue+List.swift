internal import SluiceModel
internal import SluiceSQLite

extension SQLiteValue {
    /// Texts as one value, which `json_each` takes apart.
    static func list(of texts: Set<String>) -> SQLiteValue {
        SQLiteValue("[" + texts.sorted().map { FieldJSON.quoted($0) }.joined(separator: ",") + "]")
    }
}
