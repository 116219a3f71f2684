internal import SluiceDiscovery
internal import SluicePipeline
internal import SluiceSystem

/// The method and body that `--method` and `--body` give.
enum RequestBodies {
    /// The options that only requests have.
    static let options = OptionSpec.all.filter { [.header, .method, .body].contains($0.id) }

    private static let largestFile = 16 << 20

    /// The method and body of a command line.
    ///
    /// - Throws: ``Failure`` where the body is no JSON.
    static func of(
        _ arguments: ParsedArguments
    ) throws -> (method: StreamDefinition.Method, body: StreamDefinition.Body?) {
        let text = arguments.text(.body)
        let method = arguments.text(.method).flatMap { StreamDefinition.Method(rawValue: $0) }
        guard let text else { return (method ?? .get, nil) }
        if method == .get {
            throw Failure(.usage, "`--method GET` sends no body. Leave out `--body`, or name another method.")
        }
        if !text.hasPrefix("@") { try RequestReferences.refuse(in: text, "`--body`") }
        let bytes = text.hasPrefix("@") ? try file(String(text.dropFirst())) : Array(text.utf8)
        guard let body = StreamDefinition.Body.json(text: bytes) else {
            let place = text.hasPrefix("@") ? "the file `\(text.dropFirst())`" : "`--body`"
            throw Failure(
                .usage,
                "The text of \(place) is not JSON. For example: `--body '{\"query\": {}}'` or `--body @query.json`.")
        }
        return (method ?? .post, body)
    }

    private static func file(_ path: String) throws -> [UInt8] {
        guard FileSystem.kind(of: path) == .file else {
            throw Failure(.usage, "`--body` names the file `\(path)`, which does not exist.")
        }
        let file = try ByteFile(reading: path)
        guard file.byteCount <= largestFile else {
            throw Failure(.usage, "The file `\(path)` is larger than 16 MiB, too large for the body of a request.")
        }
        let bytes = try file.bytes(at: 0, count: file.byteCount)
        try RequestReferences.refuse(in: String(decoding: bytes, as: UTF8.self), "the file of `--body`")
        return bytes
    }
}
