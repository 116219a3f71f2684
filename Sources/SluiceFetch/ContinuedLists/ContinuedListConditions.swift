package import SluiceDecode
package import SluiceJQ
internal import SluiceJSON
package import SluicePipeline
internal import SluiceReport

/// The programs that say of which lists there is more than a record shows.
package struct ContinuedListConditions {
    private let programs: [(list: Int, program: JQProgram)]

    /// Nil where no list of the stream has more.
    ///
    /// - Parameter stream: The stream.
    /// - Throws: ``SyncError`` where a text is no program.
    package init?(_ stream: StreamDefinition) throws {
        let lists = stream.listsWithMore
        if lists.isEmpty { return nil }
        programs = try lists.map { ($0.index, try Self.program($0.more)) }
    }

    /// The program of a list.
    package static func program(_ more: StreamDefinition.NestedList.More) throws -> JQProgram {
        do {
            return try JQProgram(more.condition)
        } catch {
            throw SyncError(.invalidPipeline, "`when` of `more` cannot be used: \(error.message)")
        }
    }

    /// How far the lists of a record were read that stands alone: what it has more of is not there.
    ///
    /// - Parameters:
    ///   - record: The record.
    ///   - ordinal: Its position within the stream.
    /// - Returns: Nil where it shows all that there is.
    package func readings(of record: [UInt8], ordinal: Int) -> ListReadings? {
        guard let root = try? JSONDocument(record).root else { return nil }
        var partial: [Int: ListReading] = [:]
        for (list, program) in programs {
            // Where it cannot be told there may be more.
            if (try? program.isTrue(root).output) ?? true { partial[list] = .partial }
        }
        return partial.isEmpty ? nil : ListReadings([ordinal: partial])
    }
}
