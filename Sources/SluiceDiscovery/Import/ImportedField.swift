internal import SluiceDecode
package import SluiceJSON
package import SluiceModel

/// A field that was inferred from the first records of a source.
package struct ImportedField: Sendable {
    /// The field's name, which is its column's.
    package let name: String
    /// Where its value stands in a record.
    package let path: JSONPath
    /// The type that all values fit.
    package internal(set) var type: FieldType
    /// The `format` by which its times are read; nil for RFC 3339, and for what is no time.
    package let format: String?
    /// In how many of the records that were looked at it has no value, because it is null or not there.
    package let empty: Int
    /// In how many of these its key is not there.
    package let absent: Int
    /// Whether all values are texts that are decimal numbers with a fraction.
    let isQuotedDecimal: Bool
    /// Whether all values are addresses of mail.
    let isEmail: Bool
    /// What to say where all values look like dates or times of another spelling; nil where they do not.
    let dateNote: String?
    /// A value as JSON, cut where it is long; nil where all are null.
    package internal(set) var example: String?
    /// The bytes of the longest text or number.
    package let longest: Int
    /// For the first records a hash of each one's value; shorter where one had none.
    package let hashes: [UInt64]
    /// Whether it is the name of the member that the record is.
    let isEntryName: Bool
    /// The records in its lists; nil where it has none.
    package let nested: NestedRecords?
    /// The JSON key that the value stands under.
    package var key: String { if case .name(let name)? = path.steps.last { name } else { name } }
    package var depth: Int { path.steps.count }

    /// Whether values of the type have one form each, so that they can identify records; a `double` is taken as `decimal`.
    package var canBeKey: Bool { ![.json, .bytes].contains(type) }

    /// Whether a key that is not there may stand for a value that is gone: it is null nowhere.
    package var mayBeLeftOut: Bool { absent > 0 && absent == empty }

    /// The JSON pointer of its value within a record.
    package var pointer: String { DecodePlan.pointer(path) }

    /// Whether its value stands at a path, written as a person may write it.
    package func isAt(_ path: String) -> Bool { (try? JSONPath(parsing: path))?.steps == self.path.steps }
}
