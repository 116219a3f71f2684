import SluiceSQLite
import SluiceSystem
import TestSupport
import Testing

/// Whatever the table, its pipeline is one that adopts it as it is, or there is none.
@Suite struct RandomTableTests {
    private static let types = [
        "", "ANY", "TEXT", "VARCHAR(20)", "char(32)", "CLOB", "NUMERIC", "DECIMAL(5,2)", "STRING", "DATETIME",
        "TIMESTAMP WITH TIME ZONE", "DATE", "TIME", "JSON", "JSONB", "UUID", "INT", "BIGINT", "BOOLEAN", "bool", "REAL",
        "DOUBLE PRECISION", "FLOATING POINT", "BLOB", "INTEGER", "POINT TEXT", "MONEY",
    ]
    private static let defaults = [
        "NULL", "0", "1", "-2.50", "'x'", "'it''s ${x}'", "''", "TRUE", "CURRENT_TIMESTAMP", "(1 + 1)", "\"y\"",
        "x'00'",
        "1e3", "'2024-01-02'", "'0'",
    ]
    private static let names = [
        "id", "a b", "q\"q", "select", "Größe", "$x", "${y}", "a.b[0]", "null", "n", "#c", "0", "{z}",
    ]

    /// The definition of a table, with an index at times.
    private static func table(_ random: inout SeededGenerator) -> String {
        let isStrict = random.chance(20)
        let types = isStrict ? ["INT", "INTEGER", "REAL", "TEXT", "BLOB", "ANY"] : types
        let names = Array(names.shuffled(using: &random).prefix(Int.random(in: 1...7, using: &random)))
        var columns = names.map { name in
            var column = "\(SQLName.quoted(name)) \(random.pick(types))"
            if random.chance(30) { column += " NOT NULL" }
            if random.chance(30) { column += " DEFAULT \(random.pick(defaults))" }
            if random.chance(15) { column += " UNIQUE" }
            if random.chance(8) { column += " COLLATE NOCASE" }
            if random.chance(12) { column += " REFERENCES others" }
            return column
        }
        if random.chance(20) { columns.append("made INT AS (1)\(random.chance(50) ? " STORED" : "")") }
        let key = names.shuffled(using: &random).prefix(random.chance(70) ? 1 : 2)
        let hasKey = random.chance(75)
        if hasKey { columns.append("PRIMARY KEY (\(SQLName.list(Array(key))))") }
        let options = (isStrict ? ["STRICT"] : []) + (hasKey && random.chance(20) ? ["WITHOUT ROWID"] : [])
        let others = "CREATE TABLE others (id INTEGER PRIMARY KEY, name TEXT NOT NULL)"
        let index = random.chance(20) ? "; CREATE UNIQUE INDEX i ON items (\(SQLName.list(Array(key))))" : ""
        return
            "\(others); CREATE TABLE items (\(columns.joined(separator: ", "))) \(options.joined(separator: ", "))\(index)"
    }

    @Test func everyPipelineAdoptsItsTable() throws {
        let shop = try Workshop()
        try shop.write("[]", to: "items.json")
        try shop.write("[]", to: "others.json")
        var adopted = 0
        for seed in UInt64(1)...150 {
            var random = SeededGenerator(seed: seed)
            let sql = Self.table(&random)
            for file in shop.files where file.hasPrefix("shop.") { FileSystem.remove("\(shop.folder)/\(file)") }
            // Not everything that is made up is a table.
            guard (try? shop.make(sql)) != nil else { continue }
            let others = random.chance(50) ? ["--from-table", "others"] : []
            let outcome = shop.sluice(
                ["generate", "pipeline", "--from-table", "items", "--url", "file:.", "-o", shop.pipeline] + others)
            if outcome.code != 0 {
                #expect(
                    outcome.code == 1 && outcome.errors.contains("No pipeline can adopt"), "\(seed): \(outcome)\n\(sql)"
                )
                continue
            }
            adopted += 1
            let yaml = try shop.read("shop.yaml")
            let validate = shop.sluice("validate", shop.pipeline, "--strict")
            #expect(validate.code == 0, "\(seed): \(validate.output)\(validate.errors)\n\(sql)\n\(yaml)")
            let run = shop.sluice("run", shop.pipeline)
            #expect(run.code == 0 && !run.output.contains("ADD COLUMN"), "\(seed): \(run)\n\(sql)\n\(yaml)")
            let drift = shop.sluice("inspect", "drift", shop.pipeline, "--format", "json")
            // What no field fills is told as the user's own.
            let kinds = drift.output.matches(of: #/"kind": ?"(\w+)"/#).map { String($0.output.1) }
            #expect(
                drift.code == 0 && kinds.allSatisfy { $0 == "own" },
                "\(seed): \(drift.output)\(drift.errors)\n\(sql)\n\(yaml)")
        }
        #expect(adopted > 60, "\(adopted) tables say little")
    }
}
