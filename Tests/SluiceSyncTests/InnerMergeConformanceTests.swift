import Foundation
import SluiceJSON
import SluiceMerge
import SluiceModel
import SluicePipeline
import SluicePlans
import SluiceReconcile
import SluiceReport
import TestSupport
import Testing

/// The merge within JSON and the merge of rows, against the tables of other programs.
@Suite(.enabled(if: Conformance.isAvailable, "the conformance suites are not there"))
struct InnerMergeConformanceTests {
    private static func cases(_ file: String) throws -> [[String: Tree]] {
        try Tree(parsing: Conformance.bytes("three-way-merge/\(file)")).elements.map { element in
            guard case .object(let members) = element else { return [:] }
            return Dictionary(members.map { ($0.name, $0.value) }) { $1 }
        }
    }

    private static func merge(_ base: Tree?, _ local: Tree, _ remote: Tree) throws -> (result: Tree, paths: [String]) {
        func tree(_ tree: Tree) throws -> MergeTree {
            MergeTree(try JSONDocument(tree.compact).root)
        }
        let merge = MemberMerge(base: try base.map(tree), local: try tree(local), remote: try tree(remote))
        var text: [UInt8] = []
        merge.result.appendJSON(to: &text)
        let paths = merge.divergences.map { path in path.map { "/" + String(decoding: $0, as: UTF8.self) }.joined() }
        return (try Tree(parsing: text), paths.sorted())
    }

    /// Whether two trees are the same, whatever the order of members.
    private static func same(_ left: Tree?, _ right: Tree?) -> Bool {
        func sorted(_ tree: Tree) -> Tree {
            switch tree {
            case .array(let elements): .array(elements.map(sorted))
            case .object(let members):
                .object(
                    members.map { Tree.Member(name: $0.name, value: sorted($0.value)) }.sorted { $0.name < $1.name })
            default: tree
            }
        }
        return left.map(sorted) == right.map(sorted)
    }

    @Test("Documents of Dolt, row by row through the store, in both directions")
    func documents() throws {
        let cases = try Self.cases("dolt-json.json")
        #expect(cases.count == 29)
        for example in cases {
            let name = "\(example["name"] ?? .null)"
            let base = try #require(example["base"])
            for (ours, theirs) in [("local", "incoming"), ("incoming", "local")] {
                let local = try #require(example[ours])
                let incoming = try #require(example[theirs])
                let shop = try Workshop(fields: [
                    field("id", .int), field("a", .int), field("b", .int), Self.document("j"),
                ])
                try shop.put("[\(base.compact)]")
                _ = shop.sync()
                try shop.sql(
                    "UPDATE items SET a = \(Self.sql(local["a"])), b = \(Self.sql(local["b"])), j = \(Self.sql(local["j"]))"
                )
                let (report, _) = try shop.syncPlanned("[\(incoming.compact)]")
                let (_, written) = try shop.quietRun()
                #expect(written == [], "\(name)")
                if example["conflict"] == .bool(true) {
                    #expect(report.summary.text == "conflict 1", "\(name)")
                    let conflicts = try shop.rows("SELECT field, status FROM _sluice_conflicts")
                    #expect(conflicts == ["'j'|'open'"], "\(name)")
                    let kept = try shop.rows("SELECT j FROM items")
                    #expect(kept == [Self.sql(local["j"])], "\(name)")
                } else {
                    let result = try #require(example["result"])
                    let row = try shop.rows("SELECT a, b FROM items")
                    #expect(row == ["\(Self.sql(result["a"]))|\(Self.sql(result["b"]))"], "\(name)")
                    let merged = try shop.rows("SELECT j FROM items")[0].dropFirst().dropLast()
                    #expect(Self.same(try Tree(String(merged)), result["j"]), "\(name)")
                }
            }
        }
    }

    @Test("Where documents of Dolt diverge")
    func divergences() throws {
        for example in try Self.cases("dolt-json.json") {
            let sides = ["base", "local", "incoming"].compactMap { example[$0]?["j"] }
            try #require(sides.count == 3)
            let expected = example["reference_conflicts"]?.elements.map { "\($0)" } ?? []
            let paths = try Self.merge(sides[0], sides[1], sides[2]).paths
            #expect(paths.map { "\(Tree.string("/j" + $0))" } == expected, "\(example["name"] ?? .null)")
        }
    }

    @Test("Rows of Dolt, cell by cell, in both directions")
    func rows() throws {
        let cases = try Self.cases("dolt-rows.json")
        #expect(cases.count == 8)
        for example in cases {
            for (ours, theirs) in [("local", "incoming"), ("incoming", "local")] {
                let name = "\(example["name"] ?? .null), \(ours)"
                let base = example["base"].map(\.elements) ?? []
                let local = example[ours].map(\.elements) ?? []
                let incoming = example[theirs].map(\.elements) ?? []
                let isConflict = example["conflict"] == .bool(true)
                let shop = try Workshop(
                    fields: [field("id", .int), field("c0", .int), field("c1", .int), field("c2", .int)],
                    rule: DeleteRule(mode: .hard, maximum: .percent(100), minimumRecords: 0))
                // A column that one side does not have is no key of its records, and null in the store.
                func record(_ cells: [Tree]) -> String {
                    let keys = cells.enumerated().map { ",\"c\($0)\":\($1.compact)" }.joined()
                    return cells.isEmpty ? "[]" : "[{\"id\":1\(keys)}]"
                }
                _ = try shop.syncPlanned(record(base))
                try shop.sql("DELETE FROM items")
                if !local.isEmpty {
                    let cells = (0..<3).map { $0 < local.count ? local[$0].compact : "NULL" }
                    try shop.sql("INSERT INTO items VALUES (1, \(cells.joined(separator: ", ")))")
                }
                let (report, _) = try shop.syncPlanned(record(incoming))
                #expect((report.summary.conflict > 0) == isConflict, "\(name): \(report.summary.text)")
                guard let result = example["result"], !result.elements.isEmpty else { continue }
                let cells = result.elements.map(\.compact)
                #expect(
                    try shop.rows("SELECT c0, c1, c2 FROM items")[0].split(separator: "|").prefix(cells.count).map(
                        String.init) == cells, "\(name)")
            }
        }
    }

    @Test("Configurations of kubectl, by the rule of a true three-way merge")
    func configurations() throws {
        let cases = try Self.cases("json-merge-three-way.json")
        #expect(cases.count == 23)
        for example in cases {
            let name = "\(example["description"] ?? .null)"
            let local = try #require(example["local"])
            let incoming = try #require(example["incoming"])
            let pure = try #require(example["pure"])
            let (result, paths) = try Self.merge(example["base"], local, incoming)
            #expect(Set(paths.map { Tree.string($0) }) == Set(pure["conflicts"]?.elements ?? []), "\(name)")
            // Where it diverges the local part stays.
            #expect(Self.same(result, pure["local_wins"]), "\(name)")
        }
    }

    private static func document(_ name: String) throws -> FieldDefinition {
        var document = try field(name, .json)
        document.comparison = .json
        return document
    }

    private static func sql(_ value: Tree?) -> String {
        switch value {
        case nil, .null?: "NULL"
        case .number(let text)?: text
        case .some(let tree): "'" + tree.compact + "'"
        }
    }
}
