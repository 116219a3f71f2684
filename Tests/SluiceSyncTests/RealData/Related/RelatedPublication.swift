import Foundation
import SluicePipeline
import SluiceSQLite
import Testing

/// Published data in several versions, and the tables that refer to each other which a pipeline makes of it.
struct RelatedPublication: CustomTestStringConvertible, Sendable {
    /// A table, and the statement that finds its rows in the publisher's own files.
    struct Table: Sendable {
        /// Whose counts tell of its rows.
        enum Origin: Sendable, Hashable {
            case stream(String)
            /// What belongs to the records of a stream, and goes with them.
            case children(String, of: String)
            /// What the records of a stream mention; nothing says that it is gone.
            case embedded(String, in: String)
            /// Links, whose changes are those of their owners.
            case links
        }

        let origin: Origin
        /// How many of the columns are the key.
        let key: Int
        /// The rows of the store.
        let stored: String
        /// The rows of `published`, whose columns are `file`, `stem` and `body`.
        let published: String
    }

    let name: String
    /// The pipeline file, with `BASE` where the place of a version is put.
    let pipeline: String
    let tables: [Table]
    /// Records whose key is missing, version by version.
    var keyless: [Int] = []
    /// The fields that may wait for records which are not there, each with the table and column where they would be.
    var waiting: [String: (table: String, column: String)] = [:]

    var testDescription: String { name }
    var publication: Publication { Publication(name: name, folder: name, pipeline: pipeline, collections: []) }

    /// The files of a version as they are, in a database of their own.
    func files(at place: String) throws -> Connection {
        let connection = try Connection(path: "", mode: .temporary)
        try connection.execute("CREATE TABLE published (file TEXT PRIMARY KEY, stem TEXT, body TEXT)")
        let paths = FileManager.default.enumerator(atPath: place)?.compactMap { $0 as? String } ?? []
        for path in paths.sorted() where path.hasSuffix(".json") {
            let bytes = Array(try Data(contentsOf: URL(fileURLWithPath: "\(place)/\(path)")))
            let folder = path.split(separator: "/").dropLast().dropLast().joined(separator: "/")
            try connection.run(
                "INSERT INTO published VALUES (?1, ?2, ?3)",
                [.text(Array(path.utf8)), .text(Array(folder.utf8)), .text(bytes)])
        }
        return connection
    }
}
