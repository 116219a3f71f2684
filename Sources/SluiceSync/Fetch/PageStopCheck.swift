internal import SluiceHTTP
internal import SluiceJQ
internal import SluiceJSON
internal import SluicePipeline

/// The program of `stop_when`.
struct PageStopCheck {
    private let program: JQProgram
    private let stream: String

    init(_ text: String, stream: String) throws {
        self.stream = stream
        do {
            program = try JQProgram(text)
        } catch {
            throw SyncError(.fetchFailed, "`stop_when` of `\(stream)` is no jq program: \(error)")
        }
    }

    /// Whether the reading stops after a page.
    func isTrue(_ head: HTTPResponseHead, _ body: PageBody, stream definition: StreamDefinition) throws -> Bool {
        var input = Array("{\"status\":\(head.status),\"headers\":{".utf8)
        var names: Set<String> = []
        for field in head.headers.fields where names.insert(field.name.lowercased()).inserted {
            if names.count > 1 { input.append(UInt8(ascii: ",")) }
            JSONWriter.append(field.name.lowercased(), to: &input)
            input.append(UInt8(ascii: ":"))
            JSONWriter.append(head.headers.all(field.name).joined(separator: ", "), to: &input)
        }
        input += Array("},\"body\":".utf8)
        body.appendJSON(to: &input)
        input += Array(",\"records\":".utf8)
        body.appendRecords(of: definition, to: &input)
        input.append(UInt8(ascii: "}"))
        do {
            return try program.isTrue(input).output
        } catch {
            throw SyncError(
                .fetchFailed,
                "`stop_when` of `\(stream)` failed after \(head.url.redacted()): \(error.message) Nothing was written.")
        }
    }
}
