internal import SluiceDecode
internal import SluiceHTTP
internal import SluiceJQ
internal import SluiceJSON
internal import SluiceReport

/// The program of `stop_when`.
struct PageStopCheck {
    private let program: JQProgram
    private let stream: String
    /// Whether messages may quote pages.
    private let showsValues: Bool

    /// - Throws: ``SyncError`` where the text is no program.
    init(_ text: String, stream: String, showsValues: Bool) throws {
        (self.stream, self.showsValues) = (stream, showsValues)
        do {
            program = try JQProgram(text)
        } catch {
            throw SyncError(.invalidPipeline, "`stop_when` of `\(stream)` cannot be used: \(error.message)")
        }
    }

    /// Whether the reading stops after a page.
    func isTrue(_ head: HTTPResponseHead, _ page: PageView, name: String) throws -> Bool {
        var input = ResponseInput.begin(head)
        input += Array(",\"body\":".utf8)
        if let body = page.body { body.appendJSON(to: &input) } else { input += Array("null".utf8) }
        input += Array(",\"records\":".utf8) + page.recordsJSON + [UInt8(ascii: "}")]
        do {
            // A record that cannot be taken does not keep its page from being judged.
            return try program.isTrue(JSONText.tamed(input)).output
        } catch {
            let reason = showsValues ? ": \(error.message)" : ". \(RecordRedactor.silence)"
            throw SyncError(
                .fetchFailed, "`stop_when` of `\(stream)` failed on \(name)\(reason)")
        }
    }
}

/// What programs over a response get to see.
enum ResponseInput {
    /// The beginning of an object, with the members `status` and `headers`.
    static func begin(_ head: HTTPResponseHead) -> [UInt8] {
        var input = Array("{\"status\":\(head.status),\"headers\":{".utf8)
        var names: Set<String> = []
        for field in head.headers.fields where names.insert(field.name.lowercased()).inserted {
            if names.count > 1 { input.append(UInt8(ascii: ",")) }
            JSONWriter.append(field.name.lowercased(), to: &input)
            input.append(UInt8(ascii: ":"))
            JSONWriter.append(head.headers.all(field.name).joined(separator: ", "), to: &input)
        }
        input.append(UInt8(ascii: "}"))
        return input
    }
}
