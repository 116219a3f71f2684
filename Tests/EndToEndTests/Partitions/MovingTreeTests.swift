import SluicePostgres
import TestSupport
import Testing

/// Whatever moves at a source, and whatever of it cannot be read: nothing that it still lists is ever deleted, and once all can
/// be read, the store has what the source has.
///
/// A failure names its seed; see ``Seeds``.
@Suite struct MovingTreeTests {
    static let seeds = Seeds.first(6)

    @Test(arguments: seeds)
    func nothingThatIsListedIsDeleted(seed: UInt64) throws { try live(seed, nil) }

    @Test(arguments: [3, 8, 11] as [UInt64])
    func nothingThatIsListedIsDeletedOnPostgreSQL(seed: UInt64) throws { try live(seed, StoreSchema()) }

    private func live(_ seed: UInt64, _ schema: StoreSchema?) throws {
        let tree = MovingTree(seed: seed)
        let server = try LoopbackServer { tree.answer($0) }
        defer { server.stop() }
        let scene = try Scene(forge: tree.pipeline(server.url))
        func run(_ arguments: String...) throws -> Program.Result {
            try Program.start(
                ["run", "forge.yaml", "--format", "json", "--store", schema?.store ?? "sqlite:shop.db"] + arguments,
                in: scene.path
            ).wait()
        }
        func keys(_ level: Int) throws -> Set<String> {
            let key = tree.levels[level].mark == .key ? "up || '/' || id" : "CAST(id AS TEXT)"
            let sql = "SELECT \(key) AS k FROM t\(level)"
            guard let schema else { return Set(try scene.query(sql)) }
            return Set(
                try schema.connection.run(sql).values.compactMap { row -> String? in
                    guard case .text(let text)? = row.first else { return nil }
                    return String(decoding: text, as: UTF8.self)
                })
        }
        let all = tree.levels.indices
        let first = try run()
        try #require(first.code == 0, "seed \(seed): \(first.output)\(first.errors)")
        for round in 1...6 {
            let before = try all.map(keys)
            tree.change()
            let asked = server.requests.count
            let result = try tree.chance(15) ? run("--full") : run()
            let lost = try all.map { try before[$0].subtracting(keys($0)).intersection(tree.keys($0)).sorted() }
            let requests = server.requests.dropFirst(asked).map(\.target)
            let place = Comment(
                rawValue:
                    "seed \(seed), round \(round), \(tree.commit), \(tree.levels): \(tree.trouble), \(requests)\n\(result.output)\(result.errors)"
            )
            #expect(result.code == 0 || result.code == 5, place)
            try #require(lost.allSatisfy { $0.isEmpty }, "\(lost) \(place)")
        }
        tree.change(isCalm: true)
        _ = try run()
        let there = try all.map { try tree.keys($0).subtracting(keys($0)).sorted() }
        #expect(there.allSatisfy { $0.isEmpty }, "seed \(seed), \(tree.commit), \(tree.levels): missing \(there)")
        // What counted pages do not show is gone once two runs did not see it.
        _ = try run("--full")
        let last = try run("--full")
        for level in all {
            #expect(try keys(level) == tree.keys(level), "seed \(seed), level \(level): \(last.output)")
        }
    }
}
