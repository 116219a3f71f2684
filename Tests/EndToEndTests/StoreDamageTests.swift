import Foundation
import SluiceSQLite
import TestSupport
import Testing

/// Whatever happens to one cell, row, index or view of the store's own: `store check` finds it, or the next run of a source
/// that says nothing new does what it does with the store as it was.
@Suite struct StoreDamageTests {
    @Test(arguments: [UInt64(1), 2, 3, 4])
    func aDamageIsFoundOrHarmless(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let scene = try StoreScene()
        try scene.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        let damages = try Damages(Connection(path: scene.folder.file("issues.db"), mode: .existing))
        let sound = try Self.told(scene, after: nil)
        let expected = try Self.outcome(scene)
        var count = 0
        while count < 20 {
            let damage = damages.next(&random)
            guard let told = try Self.told(scene, after: damage) else { continue }
            count += 1
            if told != sound { continue }
            let outcome = try Self.outcome(scene)
            #expect(outcome == expected, "seed \(seed): \(damage.sql) \(damage.values)")
        }
    }

    /// What the check says of a copy of the store; nil where the database refuses the damage.
    private static func told(_ scene: StoreScene, after damage: Damages.Damage?) throws -> String? {
        for suffix in ["", "-wal", "-shm"] {
            try? FileManager.default.removeItem(atPath: scene.folder.file("copy.db" + suffix))
        }
        try FileManager.default.copyItem(
            atPath: scene.folder.file("issues.db"), toPath: scene.folder.file("copy.db"))
        if let damage {
            let connection = try Connection(path: scene.folder.file("copy.db"), mode: .existing)
            do { try connection.run(damage.sql, damage.values) } catch { return nil }
        }
        let checked = try scene.sluice("store", "check", "--format", "json", store: "sqlite:copy.db")
        return "\(checked.code) \(checked.output)"
    }

    /// What a run makes of the copy: its code, the tables of people, and what waits for them. Numbers of conflicts are names.
    private static func outcome(_ scene: StoreScene) throws -> [String: [String]] {
        let run = try scene.sluice("run", "issues.yaml", store: "sqlite:copy.db")
        var outcome = try scene.contents(of: "copy.db").filter { !$0.key.hasPrefix("_sluice_") }
        outcome["code"] = ["\(run.code)"]
        outcome["open"] = try Connection(path: scene.folder.file("copy.db"), mode: .existing).rows(
            """
            SELECT pipeline, stream, entity, key, field, kind, base, local, remote, policy FROM _sluice_conflicts
            WHERE status = 'open' ORDER BY entity, key, field
            """
        ).map { "\($0)" }
        return outcome
    }

    /// What may happen to the tables of a store.
    private struct Damages {
        struct Damage {
            let sql: String
            var values: [SQLiteValue] = []
        }

        struct Column {
            let name: String
            let type: String
            let isKey: Bool
        }

        struct Table {
            let name: String
            let columns: [Column]
            let rows: [[SQLiteValue]]
            /// What tells rows apart that people name by their numbers.
            var isNumbered: Bool { columns.contains { $0.name == "id" && $0.isKey } && !isBase }
            var isBase: Bool { name.hasPrefix("_sluice_base_") }
        }

        private var tables: [Table] = []
        private var drops: [Damage] = []

        init(_ connection: Connection) throws {
            func texts(_ sql: String) throws -> [[String]] {
                try connection.rows(sql).map { row in
                    row.map { value in
                        switch value {
                        case .text(let bytes): String(decoding: bytes, as: UTF8.self)
                        case .integer(let number): "\(number)"
                        default: ""
                        }
                    }
                }
            }
            for row in try texts(
                "SELECT name FROM sqlite_schema WHERE type = 'table' AND name LIKE '\\_sluice\\_%' ESCAPE '\\' ORDER BY 1"
            ) {
                let columns = try texts("SELECT name, type, pk FROM pragma_table_info('\(row[0])') ORDER BY cid").map {
                    Column(name: $0[0], type: $0[1], isKey: $0[2] != "0")
                }
                let rows = try connection.rows("SELECT * FROM \"\(row[0])\"")
                if !rows.isEmpty { tables.append(Table(name: row[0], columns: columns, rows: rows)) }
            }
            drops = try texts(
                """
                SELECT type, name FROM sqlite_schema WHERE type = 'index' AND sql IS NOT NULL AND name <> 'issue_remark'
                OR type = 'view' AND name LIKE 'conflicts%' ORDER BY 2
                """
            ).map { Damage(sql: "DROP \($0[0]) \"\($0[1])\"") }
        }

        func next(_ random: inout SeededGenerator) -> Damage {
            if Int.random(in: 0..<10, using: &random) == 0 {
                return drops[Int.random(in: drops.indices, using: &random)]
            }
            let table = tables[Int.random(in: tables.indices, using: &random)]
            let row = table.rows[Int.random(in: table.rows.indices, using: &random)]
            let keys = table.columns.indices.filter { table.columns[$0].isKey }
            let isRow = keys.enumerated().map { "\"\(table.columns[$0.element].name)\" IS ?\($0.offset + 2)" }
                .joined(separator: " AND ")
            // A row whose base is gone looks like one of people's own.
            if !table.isBase && Int.random(in: 0..<6, using: &random) == 0 {
                return Damage(
                    sql: "DELETE FROM \"\(table.name)\" WHERE \(isRow) AND ?1 IS NULL",
                    values: [.null] + keys.map { row[$0] })
            }
            let places = table.columns.indices.filter { !(table.isNumbered && table.columns[$0].isKey) }
            let place = places[Int.random(in: places.indices, using: &random)]
            let column = table.columns[place]
            let junk = Self.junk(column.type, row[place])
            return Damage(
                sql: "UPDATE \"\(table.name)\" SET \"\(column.name)\" = ?1 WHERE \(isRow)",
                values: [junk[Int.random(in: junk.indices, using: &random)]] + keys.map { row[$0] })
        }

        /// What no program writes in the place of a value.
        private static func junk(_ type: String, _ value: SQLiteValue) -> [SQLiteValue] {
            switch type {
            case "INTEGER": [.null, .integer(-7), .integer(123_456_789_012)]
            case "TEXT": [.null, SQLiteValue(""), SQLiteValue("zap"), SQLiteValue("{")]
            default:
                if case .blob(let bytes) = value {
                    [.null, .blob([]), .blob([0xFF]), .blob(Array(bytes.prefix(bytes.count / 2)))]
                } else {
                    [.null, .blob([0xFF])]
                }
            }
        }
    }
}
