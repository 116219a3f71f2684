internal import SluiceHTTP
internal import SluiceJSON
internal import SluiceModel
internal import SluiceSystem

/// One exchange as a file of a recording has it; `docs/recordings.md` describes the format.
struct RecordedExchange {
    static let format = "sluice.recording/1"

    var request: RecordedRequest
    var response: RecordedResponse

    /// Why a file is no exchange, as the end of a sentence.
    struct Unreadable: Error {
        let reason: String
    }

    // MARK: Writing

    /// The file's text, and what stands beside it.
    ///
    /// - Parameter stem: The file's name without its ending, which the body's file shares.
    /// - Returns: Names and bytes, the exchange itself last.
    func files(stem: String) -> [(name: String, bytes: [UInt8])] {
        var files: [(name: String, bytes: [UInt8])] = []
        func members(_ body: [UInt8], _ part: String) -> String {
            switch RecordedBody(body) {
            case .none: return ""
            case .json(let json): return ",\"json\":" + String(decoding: json, as: UTF8.self)
            case .text(let text): return ",\"text\":" + FieldJSON.quoted(text)
            case .file(let bytes, let suffix):
                files.append(("\(stem).\(part)\(suffix)", bytes))
                return ",\"file\":" + FieldJSON.quoted("\(stem).\(part)\(suffix)")
            }
        }
        var text = "{\"format\":\"\(Self.format)\",\"request\":{\"method\":\(FieldJSON.quoted(request.method))"
        text += ",\"url\":\(FieldJSON.quoted(request.url))" + Self.headers(request.headers)
        text += members(request.body ?? [], "request-") + "},\"response\":{\"status\":\(response.status)"
        text += ",\"http_version\":\(FieldJSON.quoted(response.httpVersion))" + Self.headers(response.headers)
        text += members(response.body, "") + "}}"
        return files + [("\(stem).json", Self.indented(text))]
    }

    /// JSON text with lines for people.
    static func indented(_ text: String) -> [UInt8] {
        guard let root = try? JSONDocument(text).root else { return Array(text.utf8) }
        return root.indentedJSON + [UInt8(ascii: "\n")]
    }

    private static func headers(_ fields: [HTTPField]) -> String {
        if fields.isEmpty { return "" }
        var names: [String] = []
        var values: [String: [String]] = [:]
        for field in fields {
            if values[field.name] == nil { names.append(field.name) }
            values[field.name, default: []].append(FieldJSON.quoted(field.value))
        }
        let members = names.map { name in
            let list = values[name] ?? []
            return "\(FieldJSON.quoted(name)):" + (list.count == 1 ? list[0] : "[\(list.joined(separator: ","))]")
        }
        return ",\"headers\":{" + members.joined(separator: ",") + "}"
    }

    // MARK: Reading

    /// Reads a file.
    ///
    /// - Parameters:
    ///   - name: The file's name.
    ///   - folder: The recording's folder.
    ///   - hasBody: Whether the response's body is wanted.
    /// - Throws: ``Unreadable``.
    init(reading name: String, in folder: String, hasBody: Bool) throws(Unreadable) {
        let bytes: [UInt8]
        do throws(SystemError) {
            bytes = try FileSystem.contents(of: FileSystem.resolve(name, in: folder))
        } catch { throw Unreadable(reason: "cannot be read: \(error.reason)") }
        guard let root = try? JSONDocument(bytes).root else { throw Unreadable(reason: "is not JSON") }
        guard root.member(named: "format")?.string == Self.format else {
            throw Unreadable(reason: "is not of the format `\(Self.format)`")
        }
        guard let asked = root.member(named: "request"), let method = asked.member(named: "method")?.string,
            let url = asked.member(named: "url")?.string
        else { throw Unreadable(reason: "has no `request` with `method` and `url`") }
        guard let answer = root.member(named: "response"), let status = answer.member(named: "status"),
            100...999 ~= status.integer
        else { throw Unreadable(reason: "has no `response` with a `status`") }
        request = RecordedRequest(
            method: method, url: url, headers: Self.fields(asked.member(named: "headers")),
            body: try Self.body(of: asked, in: folder))
        response = RecordedResponse(
            status: Int(status.integer), httpVersion: answer.member(named: "http_version")?.string ?? "2",
            headers: Self.fields(answer.member(named: "headers")),
            body: hasBody ? try Self.body(of: answer, in: folder) ?? [] : [])
    }

    init(request: RecordedRequest, response: RecordedResponse) {
        self.request = request
        self.response = response
    }

    private static func fields(_ headers: JSONValue?) -> [HTTPField] {
        (headers?.members ?? []).flatMap { member in
            ([member.value] + member.value.elements).compactMap(\.string).map { HTTPField(member.name, $0) }
        }
    }

    private static func body(of part: JSONValue, in folder: String) throws(Unreadable) -> [UInt8]? {
        if let json = part.member(named: "json") { return json.json }
        if let text = part.member(named: "text")?.string { return Array(text.utf8) }
        guard let name = part.member(named: "file")?.string else { return nil }
        guard !name.utf8.contains(UInt8(ascii: "/")), !name.hasPrefix(".") else {
            throw Unreadable(reason: "names `\(name)`, which is no file beside it")
        }
        do throws(SystemError) {
            return try FileSystem.contents(of: FileSystem.resolve(name, in: folder))
        } catch { throw Unreadable(reason: "names `\(name)`, which cannot be read: \(error.reason)") }
    }
}
