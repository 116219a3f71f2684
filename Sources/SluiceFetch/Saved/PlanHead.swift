internal import SluiceHTTP
internal import SluiceJSON
internal import SluiceModel
internal import SluicePipeline

/// What a saved plan says of itself at its beginning.
package struct PlanHead: Sendable, Equatable {
    /// The pipeline's name.
    package var pipeline: String
    /// When the plan was made, RFC 3339 in UTC.
    package var startedAt: String
    /// The version of the program.
    package var version: String
    /// The pipeline's file.
    package var file: String
    /// A digest of that file, of what it includes, and of the variables.
    package var fingerprint: String
    /// What was asked for besides, as options and their values.
    package var options: [String: String]
    /// Whether it holds what the source answered. Without that, the source is asked again to carry it out.
    package var keepsAnswers = true

    /// Makes a head of its parts.
    package init(
        pipeline: String, startedAt: String, version: String, file: String, fingerprint: String,
        options: [String: String], keepsAnswers: Bool = true
    ) {
        (self.pipeline, self.startedAt, self.version) = (pipeline, startedAt, version)
        (self.file, self.fingerprint, self.options) = (file, fingerprint, options)
        self.keepsAnswers = keepsAnswers
    }

    /// What tells the plan from others.
    package var name: String { "\(startedAt) \(fingerprint)" }

    fileprivate static let isAskedAgain = "asked again"

    var json: [UInt8] {
        SavedJSON.object(
            [
                ("pipeline", pipeline), ("started_at", startedAt), ("sluice", version), ("file", file),
                ("fingerprint", fingerprint), ("answers", keepsAnswers ? nil : Self.isAskedAgain),
            ] + options.sorted { $0.key < $1.key }.map { ("option \($0.key)", $0.value) })
    }

    init?(_ root: JSONValue) {
        func text(_ name: String) -> String? { root.member(named: name)?.string }
        guard let pipeline = text("pipeline"), let startedAt = text("started_at"), let version = text("sluice"),
            let file = text("file"), let fingerprint = text("fingerprint")
        else { return nil }
        var options: [String: String] = [:]
        for member in root.members where member.name.hasPrefix("option ") {
            options[String(member.name.dropFirst(7))] = member.value.string
        }
        self.init(
            pipeline: pipeline, startedAt: startedAt, version: version, file: file, fingerprint: fingerprint,
            options: options, keepsAnswers: text("answers") != Self.isAskedAgain)
    }
}

/// What a saved plan says once it is made.
package struct PlanEnd: Sendable, Equatable {
    /// What tells the store from others; nil where it was not there yet.
    package var store: String?
    /// The last run that the store knew, and when it began; nil where it knew none.
    package var lastRun: Int64?
    package var lastRunAt: String?
    /// The statements of the changes of tables.
    package var schema: [String]
    /// The marks of records that do not get all that they were to hold, since the table does not take it.
    package var lacking: [String]
    /// Whether the answers that it holds are not what the source said, since they repeat a secret.
    var hidesData = false

    /// Makes an end of its parts.
    package init(
        store: String? = nil, lastRun: Int64?, lastRunAt: String?, schema: [String], lacking: [String] = []
    ) {
        (self.store, self.lastRun, self.lastRunAt) = (store, lastRun, lastRunAt)
        (self.schema, self.lacking) = (schema, lacking)
    }

    var json: [UInt8] {
        SavedJSON.object(
            [
                ("store", store), ("last_run", lastRun.map { String($0) }), ("last_run_at", lastRunAt),
                ("answers", hidesData ? PlanHead.isAskedAgain : nil),
            ]
                + schema.enumerated().map { ("schema \($0)", $1) }
                + lacking.enumerated().map { ("lacking \($0)", $1) })
    }

    init(_ root: JSONValue) {
        store = root.member(named: "store")?.string
        lastRun = root.member(named: "last_run")?.string.flatMap { Int64($0) }
        lastRunAt = root.member(named: "last_run_at")?.string
        schema = root.members.filter { $0.name.hasPrefix("schema ") }.compactMap(\.value.string)
        lacking = root.members.filter { $0.name.hasPrefix("lacking ") }.compactMap(\.value.string)
        hidesData = root.member(named: "answers")?.string == PlanHead.isAskedAgain
    }
}

/// An exchange without the body of the response.
struct SavedExchange {
    let request: RecordedRequest
    let status: Int
    let httpVersion: String
    let headers: [HTTPField]

    init(_ request: RecordedRequest, _ response: RecordedResponse) {
        self.request = request
        (status, httpVersion, headers) = (response.status, response.httpVersion, response.headers)
    }

    var json: [UInt8] {
        SavedJSON.object(
            [
                ("method", request.method), ("url", request.url),
                ("body", request.body.map { String(decoding: $0, as: UTF8.self) }), ("status", String(status)),
                ("http", httpVersion),
            ] + headers.map { ("header \($0.name)", $0.value) })
    }

    init?(_ root: JSONValue) {
        func text(_ name: String) -> String? { root.member(named: name)?.string }
        guard let method = text("method"), let url = text("url"), let status = text("status").flatMap({ Int($0) }),
            let httpVersion = text("http")
        else { return nil }
        request = RecordedRequest(method: method, url: url, body: text("body").map { Array($0.utf8) })
        (self.status, self.httpVersion) = (status, httpVersion)
        headers = root.members.filter { $0.name.hasPrefix("header ") }.map {
            HTTPField(String($0.name.dropFirst(7)), $0.value.string ?? "")
        }
    }
}

/// The name of a file that a stream read.
struct SavedFile {
    /// What asked for a file: a stream may ask for others in each window of time.
    struct Request: Hashable {
        let stream: String
        let path: String

        init(_ stream: StreamDefinition) { (self.stream, path) = (stream.name, stream.path?.description ?? "") }

        fileprivate init(stream: String, path: String) { (self.stream, self.path) = (stream, path) }
    }

    let request: Request
    /// Its path, for messages.
    let name: String
    /// What templates call it.
    let stem: String

    var json: [UInt8] {
        SavedJSON.object([("stream", request.stream), ("path", request.path), ("name", name), ("stem", stem)])
    }

    init(request: Request, name: String, stem: String) {
        (self.request, self.name, self.stem) = (request, name, stem)
    }

    init?(_ root: JSONValue) {
        func text(_ name: String) -> String? { root.member(named: name)?.string }
        guard let stream = text("stream"), let path = text("path"), let name = text("name"), let stem = text("stem")
        else { return nil }
        self.init(request: Request(stream: stream, path: path), name: name, stem: stem)
    }
}

enum SavedJSON {
    /// An object of texts; what is nil is left out.
    static func object(_ members: [(String, String?)]) -> [UInt8] {
        let texts = members.compactMap { name, value in
            value.map { "\(FieldJSON.quoted(name)):\(FieldJSON.quoted($0))" }
        }
        return Array("{\(texts.joined(separator: ","))}".utf8)
    }
}
