/// Computes the hash of a row from its values where they lie: the same one as of a base that stands for them.
///
/// Values are added field by field, so that a store need not copy what it reads.
package struct RowHasher {
    /// What the values of a field are compared by.
    private struct Kind {
        let type: FieldType
        let comparison: FieldComparison
        let nameDigest: UInt64
    }

    private let kinds: [Kind]
    private let canonical = CanonicalValue()
    /// The text that sets are written to.
    private var scratch: [UInt8] = []
    /// The hash of the values that were added since ``begin()``.
    package private(set) var hash: UInt64 = 0

    /// Makes a hasher of rows.
    ///
    /// - Parameter schema: The schema of the rows.
    package init(_ schema: RecordSchema) {
        kinds = schema.fields.map { Kind(type: $0.type, comparison: $0.comparison, nameDigest: $0.nameDigest) }
    }

    /// Begins with another row.
    package mutating func begin() { hash = 0 }

    /// Adds null.
    package mutating func addNull(field: Int) { add(digest: FieldDigest.null, field) }

    /// Adds an integer.
    package mutating func add(_ value: Int64, field: Int) {
        add(digest: canonical.digest(of: value, type: kinds[field].type), field)
    }

    /// Adds a double.
    package mutating func add(_ value: Double, field: Int) {
        add(digest: canonical.digest(of: value, type: kinds[field].type), field)
    }

    /// Adds a text.
    @unsafe
    package mutating func add(text: UnsafeRawBufferPointer, field: Int) {
        let kind = kinds[field]
        add(digest: unsafe canonical.digest(ofText: text, type: kind.type, comparison: kind.comparison), field)
    }

    /// Adds a blob.
    @unsafe
    package mutating func add(blob: UnsafeRawBufferPointer, field: Int) {
        add(digest: unsafe canonical.digest(ofBlob: blob, type: kinds[field].type), field)
    }

    /// Adds a set of integers, as a store has it in a table of its own.
    ///
    /// - Parameters:
    ///   - members: The members in ascending order, each once.
    ///   - field: The field.
    package mutating func add(set members: [Int64], field: Int) {
        if kinds[field].type == .json && kinds[field].comparison == .set {
            add(digest: FieldDigest.set(ofSorted: members, by: &scratch), field)
        } else {
            let text = IntegerSetText.text(of: members)
            unsafe text.withUnsafeBytes { unsafe add(text: $0, field: field) }
        }
    }

    /// The hash of a row.
    ///
    /// - Parameter row: Its values, one for each field.
    /// - Returns: The hash.
    package mutating func hash(of row: borrowing RowCells) -> UInt64 {
        begin()
        let cells = row.cells
        unsafe row.bytes.withUnsafeBytes { bytes in
            for (field, cell) in cells.enumerated() {
                let kind = kinds[field]
                add(
                    digest: unsafe canonical.digest(of: cell, in: bytes, type: kind.type, comparison: kind.comparison),
                    field)
            }
        }
        return hash
    }

    /// The hash of a row.
    ///
    /// - Parameter values: Its values, one for each field.
    /// - Returns: The hash.
    package mutating func hash(of values: [FieldValue]) -> UInt64 { hash(of: RowCells(values)) }

    private mutating func add(digest: UInt64, _ field: Int) {
        hash &+= FieldDigest.contribution(of: digest, nameDigest: kinds[field].nameDigest)
    }
}
