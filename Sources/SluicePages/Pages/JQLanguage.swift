package import SluiceDecode
package import SluiceJQ
internal import SluiceJSON
package import SluiceReport

/// Programs of jq.
package struct JQLanguage: ProgramLanguage {
    /// Makes it.
    package init() {}

    /// Compiles a program of jq.
    ///
    /// - Throws: ``SyncError`` where it cannot be used.
    package func compile(_ text: String) throws -> any RecordProgram {
        do { return CompiledRecordProgram(try JQProgram(text)) } catch {
            throw SyncError(.invalidPipeline, "The jq program `\(error.program)` cannot be used: \(error.message)")
        }
    }
}

/// A program of jq over records.
private final class CompiledRecordProgram: RecordProgram {
    private let program: JQProgram

    init(_ program: JQProgram) { self.program = program }

    func isTrue(of record: JSONElement) throws(Mismatch) -> Bool {
        let result: JQResult<Bool>
        do throws(JQError) { result = try program.isTrue(record) } catch { throw Mismatch(error) }
        if let number = result.lossyNumbers.first { throw Mismatch(rounding: number, program) }
        return result.output
    }

    func first(of record: JSONElement) throws(Mismatch) -> [UInt8]? {
        let result: JQResult<[UInt8]?>
        do throws(JQError) { result = try program.first(of: record) } catch { throw Mismatch(error) }
        if let number = result.lossyNumbers.first { throw Mismatch(rounding: number, program) }
        return result.output
    }
}

extension RecordDecoder {
    /// Makes a decoder whose programs are of jq.
    ///
    /// - Parameters:
    ///   - plan: How fields are filled.
    ///   - entriesKey: The key that takes the names of members, where these are the records.
    ///   - filter: The program that is true for what is kept; nil to keep everything.
    ///   - deletedWhen: The program that is true for what the source says is deleted; nil where it does not say so.
    ///   - cuts: Collects the lists that say that there is more of them.
    /// - Throws: ``SyncError`` where a program cannot be used.
    package init(
        plan: DecodePlan, entriesKey: String?, filter: String? = nil, deletedWhen: String? = nil,
        cuts: CutLists = CutLists()
    ) throws {
        try self.init(
            plan: plan, entriesKey: entriesKey, filter: filter, deletedWhen: deletedWhen, cuts: cuts,
            language: JQLanguage())
    }
}

extension Mismatch {
    /// A jq program that failed on a record.
    package init(_ error: JQError) {
        self.init(reason: .programFailed, message: "The program `\(error.program)` failed: \(error.message)")
    }

    /// A jq program that would have rounded a number of the record.
    package init(rounding number: JQLossyNumber, _ program: JQProgram) {
        self.init(
            reason: .lossyNumber,
            message:
                "The program `\(program.text)` would round the number \(number), since jq calculates with doubles. Use `from` instead."
        )
    }
}
