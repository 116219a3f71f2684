import TestSupport
import Testing

/// One record that three streams list and lose as they like, and that nobody edits.
@Suite("Values of the first stream that has a record")
struct StandingValueTests {
    static let seeds = Seeds.first(8, and: [26, 53, 55, 194])
    private static let names = ["a", "b", "c"]

    /// What a stream says of the record.
    private struct Said {
        let value: String?
        let targets: [Int]

        init(_ chance: inout SeededGenerator) {
            value = ["s", "z", nil].randomElement(using: &chance) ?? nil
            targets = [3, 4].filter { _ in Bool.random(using: &chance) }
        }

        var json: String { #"[{"id":3,"x":\#(value.map { "\"\($0)\"" } ?? "null"),"t":\#(targets)}]"# }
        var rows: [String] { ["'x'|" + (value.map { "'\($0)'" } ?? "NULL")] + targets.map { "'t'|\($0)" } }
    }

    @Test("They stand after each run, whoever changed and whoever lost it", arguments: seeds)
    func standing(_ seed: UInt64) throws {
        var chance = SeededGenerator(seed: seed)
        let precedence = Self.names.shuffled(using: &chance)
        let streams = Self.names.shuffled(using: &chance).map {
            "{name: \($0), entity: R, path: \($0).json, delete_missing: {mode: hard, max_delete: 100%, min_records: 0}}"
        }
        let shop = try Workshop()
        try shop.define(
            "shared",
            """
            merge: {precedence: [\(precedence.joined(separator: ", "))]}
            entities:
              R: {table: r, primary_key: id, fields: {id: int, x: string, t: {refs: T, from: "t[*]", via: pairs}}}
              T: {table: t, primary_key: id, fields: {id: int}}
            streams: [\(streams.joined(separator: ", ")), {name: t, entity: T, path: t.json}]
            """)
        try shop.put(#"[{"id":3},{"id":4}]"#, as: "t.json")
        var said: [String: Said] = [:]
        for round in 1...5 {
            for name in Self.names where round == 1 || Bool.random(using: &chance) {
                said[name] = Int.random(in: 0..<3, using: &chance) == 0 ? nil : Said(&chance)
            }
            for name in Self.names { try shop.put(said[name]?.json ?? "[]", as: "\(name).json") }
            print(
                "DBG", seed, round, precedence, streams.map { $0.prefix(9) }, Self.names.map { said[$0]?.json ?? "-" })
            _ = try shop.syncPlanned()
            let rows = try shop.rows("SELECT 'x', x FROM r") + shop.rows("SELECT 't', t_id FROM pairs ORDER BY t_id")
            let first = precedence.lazy.compactMap { said[$0] }.first
            #expect(rows == first?.rows ?? [], "seed \(seed), round \(round)")
            #expect(try shop.openConflicts.isEmpty, "seed \(seed), round \(round)")
        }
    }
}
