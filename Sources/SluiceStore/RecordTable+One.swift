package import SluiceModel

/// Single records.
extension RecordTable {
    /// Whether neither the entity's table nor its base had a row when it was opened.
    package var isNew: Bool { wasEmpty && baseWasEmpty }

    /// The base of one key, or nil where there is none.
    package func baseRow(_ key: RecordKey) throws -> BaseRow? { try baseRows([key])[0] }

    /// The base of one key as it is kept, or nil where there is none.
    package func baseImage(_ key: RecordKey) throws -> BaseImage? { try baseImages([key])[0] }

    /// The row of one key with all its columns; see ``wholeRows(_:)``.
    package func wholeRow(_ key: RecordKey) throws -> RowImage? { try wholeRows([key])[0] }

    /// Whether any row begins with another record's key, marked as deleted or not.
    package func hasRows(under owner: RecordKey) throws -> Bool { try hasRows(under: [owner])[0] }

    /// The row of one key; see ``localRows(_:)``.
    package func localRow(_ key: RecordKey) throws -> [FieldValue]? { try localRows([key])[0] }

    /// The records that the references of a row wait for, by the names of the references.
    package func waitingTargets(_ key: RecordKey) throws -> [String: [RecordKey]] { try waitingTargets([key])[0] }

    /// Keys of records that the source listed when it was last seen, in the order of the key, after `last`, at most `limit`.
    package func liveKeys(after last: RecordKey?, limit: Int) throws -> [RecordKey] {
        try liveKeys(after: last, limit: limit) { _ in false }.keys
    }

    /// The keys of live records that begin with another record's key, in the order of the key.
    package func liveKeys(under owner: RecordKey) throws -> [RecordKey] { try liveKeys(under: [owner])[0] }

    /// The keys of rows that begin with another record's key, in the order of the key.
    package func rowKeys(under owner: RecordKey) throws -> [RecordKey] { try rowKeys(under: [owner])[0] }

    /// Writes one record; see ``write(_:)-([RecordWrite])``.
    ///
    /// - Returns: Whether it was written at once.
    @discardableResult
    package func write(_ write: RecordWrite) throws -> Bool { try self.write([write]).isEmpty }
}
