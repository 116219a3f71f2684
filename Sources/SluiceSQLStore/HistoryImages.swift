internal import SluiceModel

/// The bases and rows that the history keeps of records.
struct HistoryImages {
    private let database: any SQLDatabase

    init(_ database: any SQLDatabase) { self.database = database }

    /// Changes what an entry keeps.
    ///
    /// - Parameters:
    ///   - entry: `old`, `new` and `row` of the entry.
    ///   - base: Changes a base.
    ///   - row: Changes a row.
    /// - Returns: The same columns; nil where nothing changed, and where they cannot be read.
    func changed(
        _ entry: [FieldValue], base: (inout BaseImage) throws -> Void, row: (inout RowImage) throws -> Void
    ) rethrows -> [FieldValue]? {
        var result = entry
        let (old, new) = (database.unpacked(entry[0]).bytes, database.unpacked(entry[1]).bytes)
        if let old, var before = BaseImage(encoded: old) {
            var after = new.flatMap { before.applying($0) }
            try base(&before)
            result[0] = database.packed(.blob(before.encoded))
            if after != nil {
                try after.mutate(base)
                result[1] = after.map { database.packed(.blob(before.difference(to: $0))) } ?? entry[1]
            }
        } else if let new, var after = BaseImage(encoded: new) {
            try base(&after)
            result[1] = database.packed(.blob(after.encoded))
        }
        if let bytes = entry[2].bytes, var image = RowImage(encoded: bytes) {
            try row(&image)
            result[2] = .blob(image.encoded)
        }
        return result == entry ? nil : result
    }
}

extension Optional {
    fileprivate mutating func mutate(_ body: (inout Wrapped) throws -> Void) rethrows {
        guard var value = self else { return }
        try body(&value)
        self = value
    }
}
