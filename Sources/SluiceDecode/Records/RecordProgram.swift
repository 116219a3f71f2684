package import SluiceJSON
package import SluiceReport

/// A program over records: a condition, or what yields the value of a field.
package protocol RecordProgram: AnyObject {
    /// Whether its first output for a record is true.
    ///
    /// - Throws: Why it says nothing of the record.
    func isTrue(of record: JSONElement) throws(Mismatch) -> Bool

    /// Its first output for a record, as JSON text; nil where it has none.
    ///
    /// - Throws: Why it says nothing of the record.
    func first(of record: JSONElement) throws(Mismatch) -> [UInt8]?
}

/// The language that programs over records are written in, which this target does not know.
package protocol ProgramLanguage {
    /// Compiles a program.
    ///
    /// - Parameter text: The program.
    /// - Returns: What runs it.
    /// - Throws: ``SyncError`` where it cannot be used.
    func compile(_ text: String) throws -> any RecordProgram
}

/// The language of records that no program looks at.
package struct NoPrograms: ProgramLanguage {
    /// Makes it.
    package init() {}

    /// Refuses every program.
    package func compile(_ text: String) throws -> any RecordProgram {
        throw SyncError(.invalidPipeline, "The program `\(text)` cannot be used: there are no programs here.")
    }
}
