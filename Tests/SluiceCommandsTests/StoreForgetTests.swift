import SluiceSQLite
import Testing

/// A pipeline whose file is gone keeps nothing once it is forgotten.
@Suite struct StoreForgetTests {
    /// A shop with two pipelines that fill the same table, of which `old` alone has user 2 by now, and user 3 ever.
    private func makeShop() throws -> Workshop {
        let shop = try Workshop()
        for name in ["old", "new"] {
            try shop.write(
                """
                version: 1
                name: \(name)
                source: {base_url: "file:."}
                entities: {User: {table: users, primary_key: [id], fields: {id: int, name: string}}}
                streams:
                  - {name: users, entity: User, path: \(name).json, delete_missing: {mode: hard, max_delete: 100%}}
                """, to: "\(name).yaml")
        }
        try shop.write(#"[{"id":1,"name":"Ann"},{"id":2,"name":"Bob"},{"id":3,"name":"Eve"}]"#, to: "old.json")
        try shop.write(#"[{"id":1,"name":"Ann"},{"id":2,"name":"Bob"}]"#, to: "new.json")
        for name in ["old", "new"] { #expect(shop.sluice("run", "\(shop.folder)/\(name).yaml").code == 0) }
        try shop.write(#"[{"id":1,"name":"Ann"}]"#, to: "new.json")
        #expect(shop.sluice("run", "\(shop.folder)/new.yaml").output.contains("another source still has it"))
        return shop
    }

    private func users(_ shop: Workshop) throws -> [[String]] {
        try shop.rows("SELECT CAST(id AS text) FROM users ORDER BY id")
    }

    @Test func itsRecordsAreThoseOfTheOthersAgain() throws {
        let shop = try makeShop()
        #expect(try users(shop) == [["1"], ["2"], ["3"]])
        let forgotten = shop.sluice("store", "forget", "old")
        #expect(
            forgotten.code == 0
                && forgotten.output == "The pipeline `old` is forgotten.\n- old/users User, whose table users stays\n",
            "\(forgotten)")
        #expect(try users(shop) == [["1"], ["2"], ["3"]])
        #expect(shop.sluice("run", "\(shop.folder)/new.yaml").code == 0)
        #expect(try users(shop) == [["1"], ["3"]])
        #expect(shop.sluice("store", "check").output.hasSuffix("Nothing is wrong.\n"))
    }

    @Test func statusListsItNoLongerAndHistoryDoes() throws {
        let shop = try makeShop()
        #expect(shop.sluice("status").output.contains("old"))
        #expect(shop.sluice("store", "forget", "old").code == 0)
        let status = shop.sluice("status").output
        #expect(status.contains("new  run") && !status.contains("old  run"), "\(status)")
        #expect(shop.sluice("history").output.contains("the pipeline forgotten"))
        let undo = shop.sluice("undo", "4")
        #expect(undo.code == 4 && (undo.output + undo.errors).contains("cannot be taken back"), "\(undo)")
        // Where its file is back, it begins anew.
        #expect(shop.sluice("run", "\(shop.folder)/old.yaml").code == 0)
        #expect(shop.sluice("status").output.contains("old"))
    }

    @Test func aPlanLeavesTheStoreAsItIs() throws {
        let shop = try makeShop()
        let plan = shop.sluice("store", "forget", "old", "--plan")
        #expect(plan.code == 0 && plan.output.hasPrefix("The pipeline `old` would be forgotten.\n"), "\(plan)")
        #expect(shop.sluice("status").output.contains("old"))
        #expect(try shop.value("SELECT max(id) FROM _sluice_runs") == .integer(3))
    }

    @Test func whatHasAFileOrIsUnknownIsRefused() throws {
        let shop = try makeShop()
        let unknown = shop.sluice("store", "forget", "other")
        #expect(unknown.code == 1 && unknown.errors.contains("knows no pipeline `other`"), "\(unknown)")
        let filed = shop.sluice("store", "forget", "old", "\(shop.folder)/old.yaml")
        #expect(filed.code == 1 && filed.errors.contains("has a file"), "\(filed)")
        #expect(shop.run(["store", "forget", "--store", "sqlite:\(shop.store)"]).code == 64)
    }
}
