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

extension HistoryImages {
    /// Changes what the history keeps of conflicts, so that it stays the same as what is kept of them beside it.
    ///
    /// - Parameters:
    ///   - source: Whose conflicts.
    ///   - side: Makes of one side of a conflict, over a field or over a whole record, what is kept of it now.
    /// - Throws: What the database and `side` throw.
    func changeConflicts(
        of source: RecordMapping, _ side: (_ side: FieldValue, _ field: String?) throws -> FieldValue
    ) throws {
        try database.updateEntries(
            of: "changes", "field, old, new", setting: ["old", "new"], source, "kind = 'conflict'"
        ) { _, row in
            let before = Array(row.dropFirst())
            let after = try before.map { value -> FieldValue in
                guard let text = database.unpacked(value).string, var image = ConflictImage(text) else { return value }
                let kept = image
                for name in ["base", "local", "remote"] { image[name] = try side(image[name], row[0].string) }
                return image == kept ? value : database.packed(FieldValue(image.json))
            }
            return after == before ? nil : after
        }
    }
}

extension Optional {
    fileprivate mutating func mutate(_ body: (inout Wrapped) throws -> Void) rethrows {
        guard var value = self else { return }
        try body(&value)
        self = value
    }
}
