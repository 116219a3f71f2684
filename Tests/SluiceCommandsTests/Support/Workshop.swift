import Glibc
import SluiceCommands
import SluiceSQLite
import SluiceServe
import SluiceSystem
import Testing

/// A temporary folder with a pipeline over a file, and the program run within this process.
final class Workshop {
    /// What a command said and how it ended.
    struct Outcome {
        let code: Int32
        let output: String
        let errors: String
    }

    let folder: String
    var environment: [String: String] = [:]

    init() throws {
        var template = Array("/tmp/sluice-commands-XXXXXX".utf8CString)
        let made = unsafe mkdtemp(&template) != nil
        try #require(made)
        folder = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    deinit {
        for path in FileSystem.matches(of: "\(folder)/*") + FileSystem.matches(of: "\(folder)/.*") {
            FileSystem.remove(path)
        }
        unsafe rmdir(folder)
    }

    var store: String { "\(folder)/shop.db" }
    var pipeline: String { "\(folder)/shop.yaml" }

    func write(_ text: String, to name: String) throws { try OutputStream(writing: "\(folder)/\(name)").write(text) }

    func read(_ name: String) throws -> String {
        let file = try ByteFile(reading: "\(folder)/\(name)")
        var bytes = [UInt8](repeating: 0, count: file.byteCount)
        let count = try unsafe bytes.withUnsafeMutableBytes { try unsafe file.read(into: $0, at: 0) }
        return String(decoding: bytes.prefix(count), as: UTF8.self)
    }

    var files: [String] {
        FileSystem.matches(of: "\(folder)/*").map { String($0.dropFirst(folder.utf8.count + 1)) }
    }

    /// A pipeline of books in `books.json`.
    func writePipeline(deleteMissing: String = "{mode: hard, max_delete: 1}") throws {
        try write(
            """
            version: 1
            name: shop
            source: {base_url: "file:."}
            entities:
              Book:
                table: books
                primary_key: [id]
                fields: {id: int, title: {type: string, required: true}, price: decimal}
            streams:
              - {name: books, entity: Book, path: books.json, delete_missing: \(deleteMissing)}
            """, to: "shop.yaml")
    }

    /// A pipeline of books in `books.json` with other keys of their entity, such as `fields: {id: int}`.
    func writePipeline(book keys: String) throws {
        try write(
            """
            version: 1
            name: shop
            source: {base_url: "file:."}
            entities:
              Book: {table: books, primary_key: [id], \(keys)}
            streams:
              - {name: books, entity: Book, path: books.json}
            """, to: "shop.yaml")
    }

    /// Runs a command on the folder's store.
    func sluice(_ arguments: String...) -> Outcome { run(arguments + ["--store", "sqlite:\(store)"]) }

    /// Runs a command on the folder's store.
    func sluice(_ arguments: [String]) -> Outcome { run(arguments + ["--store", "sqlite:\(store)"]) }

    func run(
        _ arguments: [String], output: MemorySink = MemorySink(), errors: MemorySink = MemorySink(),
        cancellation: Cancellation = Cancellation(), signal: Int32 = 0, told: ToldFailure? = nil
    ) -> Outcome {
        var context = CommandContext(
            output: output, errors: errors, environment: environment, cancellation: cancellation, signal: { signal })
        context.toldFailure = told
        let code = Sluice.run(arguments: arguments, context: context)
        ReportCheck.check(output.text, arguments)
        return Outcome(code: code, output: output.text, errors: errors.text)
    }

    func sql(_ statement: String) throws {
        try Connection(path: store, mode: .existing).execute(statement)
    }

    /// Makes the store with what others put into it before the first run.
    func make(_ statement: String) throws { try Connection(path: store, mode: .create).execute(statement) }

    func value(_ query: String) throws -> SQLiteValue {
        let rows = try Connection(path: store, mode: .existing).rows(query)
        return try #require(rows.first?.first)
    }

    func hasTable(_ name: String) throws -> Bool {
        if FileSystem.kind(of: store) == nil { return false }
        return try value("SELECT count(*) FROM sqlite_schema WHERE name = '\(name)'") == .integer(1)
    }

    /// The rows of a query, as text.
    func rows(_ query: String) throws -> [[String]] {
        try Connection(path: store, mode: .existing).rows(query).map { row in
            row.map { value in
                switch value {
                case .text(let bytes): String(decoding: bytes, as: UTF8.self)
                default: "\(value)"
                }
            }
        }
    }
}
