import Foundation
import SluiceDiagnostics
import SluiceHTTPServer
import SluiceServeModel
import SluiceStores
import SluiceWeb
import TestSupport
import Testing

/// A bookshop whose pipeline ran some times, with a conflict, a record in quarantine, and a page to look at it.
final class WebShop: Sendable {
    let folder: TemporaryDirectory
    let control: BenchControl
    let site: WebSite
    let pipeline: String

    static let program = products.appending(path: "sluice").path

    private static var products: URL {
        for argument in CommandLine.arguments where argument.hasSuffix(".xctest") {
            return URL(filePath: argument).deletingLastPathComponent()
        }
        return URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
    }

    /// What the source says at first, and then.
    struct Books: Sendable {
        var first =
            #"[{"id": 1, "title": "Dune", "price": "9.50"}, {"id": 2, "title": "Emma", "price": "7"}, {"id": 3, "title": "Ulysses", "price": "12"}]"#
        var edit = "UPDATE books SET title = 'Dune, first edition' WHERE id = 1"
        var then =
            #"[{"id": 1, "title": "Dune (new)", "price": "9.90"}, {"id": 2, "title": "Emma", "price": "much"}, {"id": 3, "title": "Ulysses", "price": "13"}]"#
        /// The type of the key.
        var key = "int"
        /// Further fields, each with a comma before it.
        var fields = ""
    }

    /// Makes the shop.
    ///
    /// - Parameters:
    ///   - books: What its source says.
    ///   - pipeline: The pipeline's name.
    ///   - tokens: The lines of the token file.
    /// - Throws: Where the program does not run as it should.
    init(_ books: Books = Books(), pipeline: String = "shop", tokens: String? = nil) throws {
        folder = try TemporaryDirectory()
        self.pipeline = pipeline
        control = BenchControl()
        let path = folder.path
        func write(_ text: String, _ name: String) throws {
            try text.write(toFile: "\(path)/\(name)", atomically: true, encoding: .utf8)
        }
        let name = String(decoding: try JSONEncoder().encode(pipeline), as: UTF8.self)
        try write(
            """
            version: 1
            name: \(name)
            source: {base_url: "file:."}
            entities:
              Book:
                table: books
                primary_key: [id]
                history: changes
                fields: {id: \(books.key), title: {type: string, required: true}, price: decimal\(books.fields)}
            streams:
              - {name: books, entity: Book, path: books.json}
            """, "shop.yaml")
        try write(books.first, "books.json")
        try Self.run(["run", "shop.yaml"], in: path, allowed: [0])
        try Self.sql(books.edit, in: path)
        try write(books.then, "books.json")
        try Self.run(["run", "shop.yaml"], in: path, allowed: [0])
        var served = ServedPipeline(
            name: pipeline, file: ServedFile(path: "\(path)/shop.yaml", problems: []),
            store: StoreAddress(file: "\(path)/shop.db"))
        served.arguments = ["--store", "sqlite:\(path)/shop.db", "\(path)/shop.yaml"]
        served.description = "Books of the shop"
        served.schedule = "every 15m"
        served.nextDue = control.status().now + 900
        let ready = served
        control.change { $0.status.pipelines = [ready] }
        var listening = ServeListening(address: "127.0.0.1:0")
        listening.environment = ["PATH": "/usr/bin:/bin", "HOME": path]
        if let tokens {
            try write(tokens, "tokens")
            try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: "\(path)/tokens")
            listening.tokenFile = "\(path)/tokens"
        }
        self.listening = listening
        site = try WebSite(control: control, listening: listening, program: Self.program)
    }

    let listening: ServeListening

    /// Runs the program on the shop's store.
    @discardableResult
    static func run(_ arguments: [String], in folder: String, allowed: [Int32]) throws -> String {
        let process = Process()
        process.executableURL = URL(filePath: program)
        process.arguments = arguments + ["--store", "sqlite:\(folder)/shop.db"]
        process.currentDirectoryURL = URL(filePath: folder)
        let output = Pipe()
        process.standardOutput = output
        process.standardError = output
        try process.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        try #require(allowed.contains(process.terminationStatus), "\(arguments): \(text)")
        return text
    }

    @discardableResult
    static func sql(_ statement: String, in folder: String) throws -> String {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/sqlite3")
        process.arguments = ["\(folder)/shop.db", statement]
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        try #require(process.terminationStatus == 0)
        return text.trimmingCharacters(in: .newlines)
    }

    func sql(_ statement: String) throws -> String { try Self.sql(statement, in: folder.path) }

    // MARK: Requests

    /// Asks the site.
    func ask(
        _ method: String, _ target: String, host: String = "127.0.0.1:7788", headers: [(String, String)] = [],
        body: String = ""
    ) throws -> Answer {
        let fields = [HeaderField("Host", host)] + headers.map { HeaderField($0.0, $0.1) }
        let request = try #require(
            IncomingRequest(method: method, target: target, headers: fields, body: Array(body.utf8)))
        return Answer(site.answer(request))
    }

    func get(_ target: String, headers: [(String, String)] = []) throws -> Answer {
        try ask("GET", target, headers: headers)
    }

    /// Sends JSON as a program does.
    func post(_ target: String, _ json: String, headers: [(String, String)] = []) throws -> Answer {
        try ask("POST", target, headers: [("Content-Type", "application/json")] + headers, body: json)
    }

    /// Sends a form of a page as a browser does that has loaded it.
    func send(_ target: String, from page: String, _ fields: [(String, String)], cookie: String? = nil) throws -> Answer
    {
        let loaded = try get(page, headers: cookie.map { [("Cookie", $0)] } ?? [])
        let session = try #require(cookie ?? loaded.cookie)
        let token = try #require(loaded.formToken)
        let body = ([("form_token", token)] + fields)
            .map { "\(PercentText.encoded($0.0))=\(PercentText.encoded($0.1))" }.joined(separator: "&")
        return try ask(
            "POST", target,
            headers: [
                ("Content-Type", "application/x-www-form-urlencoded"), ("Cookie", session),
                ("Origin", "http://127.0.0.1:7788"), ("Sec-Fetch-Site", "same-origin"),
            ], body: body)
    }
}

/// What a site answers.
struct Answer {
    let status: Int
    let headers: [HeaderField]
    let text: String

    init(_ response: OutgoingResponse) {
        (status, headers) = (response.status, response.headers)
        switch response.body {
        case .bytes(let bytes): text = String(decoding: bytes, as: UTF8.self)
        case .file(let path): text = (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
        case .events: text = ""
        }
    }

    func header(_ name: String) -> String? { headers.first { $0.isNamed(name) }?.value }

    /// The session that it sets, as a browser sends it back.
    var cookie: String? { header("Set-Cookie")?.split(separator: ";").first.map(String.init) }

    var formToken: String? {
        text.firstMatch(of: #/name="form_token" value="([0-9a-f]+)"/#).map { String($0.1) }
    }

    var json: Any? { try? JSONSerialization.jsonObject(with: Data(text.utf8), options: .fragmentsAllowed) }

    func json(_ path: String...) -> Any? {
        path.reduce(json) { value, name in
            if let index = Int(name) {
                let list = value as? [Any] ?? []
                return index < list.count ? list[index] : nil
            }
            return (value as? [String: Any])?[name]
        }
    }
}
