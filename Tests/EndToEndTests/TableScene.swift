import SluicePostgres
import SluiceSQLite
import TestSupport

/// A folder, and a store beside it on either kind of database, whose tables people make and change with SQL.
final class TableScene {
    enum Kind: CaseIterable { case sqlite, postgres }

    let scene: Scene
    /// The store, as the program is told of it.
    let store: String
    private let connection: PostgresConnection?
    private let place: PostgresSchemaURL?

    init(_ kind: Kind) throws {
        scene = try Scene()
        switch kind {
        case .sqlite: (store, connection, place) = ("sqlite:shop.db", nil, nil)
        case .postgres:
            let place = try PostgresSchemaURL()
            let connection = try PostgresConnection(PostgresAddress(place.server))
            try connection.execute(
                """
                SET client_min_messages = warning; CREATE SCHEMA \(place.schema); SET search_path = \(place.schema)
                """)
            (store, self.connection, self.place) = (place.store, connection, place)
        }
    }

    deinit { if let place { try? connection?.execute("DROP SCHEMA IF EXISTS \(place.schema) CASCADE") } }

    /// Runs statements; `INT` is the type of identifiers.
    func execute(_ sql: String) throws {
        guard let connection else {
            return try Connection(path: scene.store, mode: .create).execute(
                sql.replacing("INT ", with: "INTEGER "))
        }
        try connection.execute(sql.replacing("INT ", with: "bigint "))
    }

    /// The rows of a query that gives texts, each with bars between its values.
    func query(_ sql: String) throws -> [String] {
        guard let connection else { return try scene.query(sql) }
        return try connection.run(sql).values.map { row in
            row.map { if case .text(let text) = $0 { String(decoding: text, as: UTF8.self) } else { "" } }
                .joined(separator: "|")
        }
    }

    func write(_ name: String, _ text: String) throws { try scene.write(name, text) }

    func sluice(_ arguments: String...) throws -> Program.Result {
        try Program.start(arguments + ["--store", store], in: scene.path).wait()
    }
}
