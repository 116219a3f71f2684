import Foundation
import TestSupport
import Testing

/// A folder with pipelines, and `sluice serve` over it as a user starts it.
final class ServedShop {
    private let folder: TemporaryDirectory
    private let process = Process()
    /// Where its page is, with a slash at its end; empty until it is started.
    private(set) var address = ""

    var path: String { folder.path }

    /// An empty folder.
    init() throws { folder = try TemporaryDirectory() }

    /// The pipeline of the shop: books, which people correct.
    static func books(_ more: String = "") -> String {
        """
        version: 1
        name: shop
        description: Books of the shop
        store: sqlite:../shop.db
        source: {base_url: "file:.."}
        entities:
          Book:
            table: books
            primary_key: [id]
            history: changes
            fields: {id: int, title: {type: string, required: true}, price: decimal}
        streams:
          - {name: books, entity: Book, path: books.json}
        \(more)
        """
    }

    deinit {
        // Whoever starts it here may have SIGTERM blocked, and then it has too. Its runs end with it.
        if process.isRunning { kill(process.processIdentifier, SIGKILL) }
    }

    /// Writes a file.
    func put(_ text: String, to name: String) throws {
        let file = "\(path)/\(name)"
        try FileManager.default.createDirectory(
            atPath: (file as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
        try text.write(toFile: file, atomically: true, encoding: .utf8)
    }

    /// Runs the pipeline of the shop, as somebody did before.
    func sync() throws { try Self.run(WebShop.program, ["run", "pipelines/shop.yaml", "--quiet"], in: path) }

    /// What a statement of SQL finds in a store.
    @discardableResult
    func sql(_ statement: String, store: String = "shop.db") throws -> String {
        try Self.run("/usr/bin/sqlite3", [store, statement], in: path)
    }

    /// Starts the service, and waits until it answers.
    func start() throws {
        process.executableURL = URL(filePath: WebShop.program)
        process.arguments = ["serve", "pipelines", "--listen", "127.0.0.1:0"]
        process.currentDirectoryURL = URL(filePath: path)
        let errors = Pipe()
        (process.standardError, process.standardOutput) = (errors, FileHandle.nullDevice)
        try process.run()
        var said = ""
        while address.isEmpty {
            let more = errors.fileHandleForReading.availableData
            try #require(!more.isEmpty, "the service ended: \(said)")
            said += String(decoding: more, as: UTF8.self)
            address = said.firstMatch(of: #/The page is at (http:\S+/)\./#).map { String($0.1) } ?? ""
        }
        // What it says further is not to stop it.
        errors.fileHandleForReading.readabilityHandler = { _ = $0.availableData }
    }

    /// What the service answers, with its head.
    func get(_ target: String) throws -> String { try ask("GET", target, "") }

    /// Does something, and waits until the service tells of an event.
    func awaiting(_ event: String, after action: () throws -> Void) throws {
        let client = try connection()
        defer { client.close() }
        client.send("GET /api/v1/events HTTP/1.1\r\nHost: localhost\r\n\r\n")
        try #require(client.receive(until: "retry: ").contains("text/event-stream"))
        try action()
        let told = client.receive(until: "event: \(event)\n")
        try #require(told.contains("event: \(event)\n"), "\(told)")
    }

    /// Sends JSON as a program does.
    @discardableResult
    func post(_ target: String, _ json: String) throws -> String { try ask("POST", target, json) }

    private func ask(_ method: String, _ target: String, _ body: String) throws -> String {
        let client = try connection()
        defer { client.close() }
        client.send(
            "\(method) \(target) HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Type: application/json\r\n"
                + "Content-Length: \(body.utf8.count)\r\n\r\n\(body)")
        return client.receiveAll()
    }

    private func connection() throws -> RawConnection {
        try RawConnection(port: try #require(UInt16(address.split(separator: ":").last?.dropLast() ?? "")))
    }

    @discardableResult
    private static func run(_ program: String, _ arguments: [String], in folder: String) throws -> String {
        let process = Process()
        process.executableURL = URL(filePath: program)
        process.arguments = arguments
        process.currentDirectoryURL = URL(filePath: folder)
        let output = Pipe()
        (process.standardOutput, process.standardError) = (output, output)
        try process.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        try #require(process.terminationStatus == 0, "\(arguments): \(text)")
        return text.trimmingCharacters(in: .newlines)
    }
}
