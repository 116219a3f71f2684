internal import SluiceDecode
internal import SluiceJQ
internal import SluiceJSON
internal import SluiceReport

/// The jq program that yields the records of each page of a stream, compiled once.
struct RecordsProgram {
    private let program: JQProgram
    private let text: String
    private let stream: String
    /// Whether messages may quote pages.
    private let showsValues: Bool

    /// Compiles a program.
    ///
    /// - Throws: ``SyncError`` where it cannot be used.
    init(_ text: String, stream: String, showsValues: Bool) throws {
        do {
            program = try JQProgram(text)
        } catch {
            throw SyncError(.invalidPipeline, "The jq program `\(error.program)` cannot be used: \(error.message)")
        }
        (self.text, self.stream, self.showsValues) = (text, stream, showsValues)
    }

    /// A reader of what the program yields for a whole page, each output as a line.
    ///
    /// - Throws: `JSONError` where the page is no JSON, ``SyncError`` where the program fails.
    func makeReader(of bytes: [UInt8], page: String, maximumRecordBytes: Int) throws -> JSONRecordReader {
        let lines = Array(try outputs(for: bytes, page: page).joined(separator: [UInt8(ascii: "\n")]))
        return try JSONRecordReader(of: lines, format: .jsonl, maximumRecordBytes: maximumRecordBytes)
    }

    /// How many levels of a page programs read as they are: as many as jq writes into a string, of which it leaves the deeper ones
    /// out without an error.
    private static let maximumDepth = 256

    /// What the program yields. A record with something in it that no parser takes has it still, so that it alone is refused.
    private func outputs(for bytes: [UInt8], page: String) throws -> [[UInt8]] {
        var marks: JSONMarks?
        let document: JSONDocument
        do {
            document = try JSONDocument(bytes, maximumDepth: Self.maximumDepth)
        } catch  where error.isOfValueAlone {
            // Programs read such a text with marks in the place of what they cannot read, which show what they yield.
            let marked = JSONMarks(bytes, maximumDepth: Self.maximumDepth)
            marks = marked
            do {
                document = try JSONDocument(marked.text, maximumDepth: Self.maximumDepth)
            } catch {
                throw error.placed(in: bytes)
            }
        } catch {
            throw error.placed(in: bytes)
        }
        let result: JQResult<[[UInt8]]>
        do {
            result = try program.evaluate(document.element)
        } catch {
            let reason = showsValues ? ": \(error.message)" : ". \(RecordRedactor.silence)"
            throw SyncError(
                .invalidDocument,
                "The program `\(error.program)` for the records of `\(stream)` failed on \(page)\(reason)"
            )
        }
        if let number = result.lossyNumbers.first {
            let number = showsValues ? "the number \(number)" : "a number"
            throw SyncError(
                .invalidDocument,
                "The program `\(text)` for the records of `\(stream)` would round \(number) of \(page), since jq calculates with doubles. Write `records` as a path instead."
            )
        }
        return try marks.map { try restored(result.output, $0, page: page) } ?? result.output
    }

    /// Outputs with what their marks stand for.
    private func restored(_ outputs: [[UInt8]], _ marks: JSONMarks, page: String) throws -> [[UInt8]] {
        var left = JQLimits.standard.outputBytes
        return try outputs.map { output in
            guard let record = marks.restored(output, limit: left) else {
                throw SyncError(
                    .invalidDocument,
                    "The program `\(text)` for the records of `\(stream)` repeats a value of \(page) that is nested too deeply, in more than \(JQLimits.standard.outputBytes) bytes. Leave the value out of the program, or write `records` as a path."
                )
            }
            left -= record.count
            return record
        }
    }
}

extension JSONError {
    /// The same error with line and column of a text.
    fileprivate func placed(in text: [UInt8]) -> JSONError {
        var error = self
        let before = text.prefix(byteOffset)
        error.line = before.count { $0 == UInt8(ascii: "\n") } + 1
        error.column = before.count - (before.lastIndex(of: UInt8(ascii: "\n")) ?? -1)
        return error
    }
}
