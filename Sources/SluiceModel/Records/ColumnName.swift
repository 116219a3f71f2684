/// How names of columns and tables are compared.
package enum ColumnName {
    /// Whether two names are of the same column: the case of ASCII letters does not count, as in SQL without quotes.
    ///
    /// - Parameters:
    ///   - one: A name.
    ///   - other: Another one.
    /// - Returns: Whether they are the same to a database.
    package static func areSame(_ one: String, _ other: String) -> Bool {
        if one == other { return true }
        return one.utf8.count == other.utf8.count && one.utf8.elementsEqual(other.utf8) { folded($0) == folded($1) }
    }

    private static func folded(_ byte: UInt8) -> UInt8 {
        (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
    }
}
