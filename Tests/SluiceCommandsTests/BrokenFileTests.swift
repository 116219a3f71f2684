import Testing

/// One broken file among several hides none of the others.
@Suite struct BrokenFileTests {
    /// Two pipelines that have run, each on a store of its own or on one, and a file that has errors.
    private func shop(stores: [String] = ["shop.db", "shop.db"], broken: String = "name: [") throws -> Workshop {
        let shop = try Workshop()
        try shop.write(#"[{"id":1}]"#, to: "books.json")
        for (name, store) in zip(["one", "two"], stores) {
            try shop.write(
                """
                version: 1
                name: \(name)
                store: sqlite:\(store)
                schedule: {cron: "@daily"}
                source: {base_url: "file:."}
                entities: {Book: {table: \(name), primary_key: id, fields: {id: int}}}
                streams: [{name: books, entity: Book, path: books.json}]
                """, to: "\(name).yaml")
            let run = shop.run(["run", "\(shop.folder)/\(name).yaml", "-q"])
            #expect(run.code == 0, "\(run)")
        }
        try shop.write("version: 1\n" + broken, to: "broken.yaml")
        return shop
    }

    @Test(arguments: ["status", "history", "schedule"])
    func theOthersAreShown(_ command: String) throws {
        let shop = try shop()
        for format in ["text", "json"] {
            let outcome = shop.run([command, shop.folder, "--format", format])
            #expect(outcome.code == 78, "\(outcome)")
            #expect(outcome.output.contains("one") && outcome.output.contains("two"), "\(outcome.output)")
            #expect(outcome.errors.contains("broken.yaml"), "\(outcome.errors)")
            #expect(outcome.errors.hasSuffix("error: What has errors is left out.\n"), "\(outcome.errors)")
        }
        // Where it is the only one there is nothing to show.
        let alone = shop.run([command, "\(shop.folder)/broken.yaml"])
        #expect(alone.code == 78 && alone.output == "", "\(alone)")
    }

    @Test func aFileThatIsNotThereIsLeftOutAsWell() throws {
        let shop = try shop()
        let outcome = shop.run(["status", "\(shop.folder)/one.yaml", "\(shop.folder)/none.yaml"])
        #expect(outcome.code == 78 && outcome.output.hasPrefix("one  run 1 succeeded"), "\(outcome)")
        #expect(outcome.errors.contains("none.yaml"))
        // Where it is the only one, nothing is as though well, and the remedy is none that was taken.
        let alone = shop.run([
            "status", "--check", "\(shop.folder)/none.yaml", "--store", "sqlite:\(shop.folder)/one.db",
        ])
        #expect(alone.code == 78 && alone.output.isEmpty, "\(alone)")
        #expect(
            alone.errors.contains("none.yaml") && alone.errors.contains("leave its file out to see all of the store"))
        #expect(!alone.errors.contains("name the store with"), "\(alone)")
    }

    @Test func ofFilesThatShareANameTheFirstCounts() throws {
        let shop = try shop(broken: "name: broken")
        try shop.write(try shop.read("one.yaml"), to: "broken.yaml")
        let outcome = shop.run(["status", "\(shop.folder)/one.yaml", "\(shop.folder)/broken.yaml"])
        #expect(outcome.code == 78 && outcome.output.split(separator: "one  run 1").count == 1, "\(outcome)")
    }

    @Test func decisionsAreNotMadeBesideABrokenFile() throws {
        let shop = try shop()
        let outcome = shop.run(["conflicts", "resolve", "--all", "--take", "remote", shop.folder])
        #expect(outcome.code == 78 && outcome.errors.contains("Nothing was looked up."), "\(outcome)")
    }

    @Test func aStoreThatCannotBeReadHidesNoOther() throws {
        let shop = try shop(stores: ["one.db", "two.db"], broken: "name: [")
        try shop.write("this is no database at all", to: "one.db")
        let files = ["one", "two"].map { "\(shop.folder)/\($0).yaml" }
        let outcome = shop.run(["status"] + files)
        #expect(outcome.code == 1 && outcome.output.contains("two  run 1 succeeded"), "\(outcome)")
        #expect(outcome.errors.contains("one.db"), "\(outcome.errors)")
        let json = shop.run(["status", "--format", "json"] + files).output
        #expect(json.hasPrefix(#"{"format":"sluice.status/1","store":null,"pipelines":["#), "\(json)")
        #expect(shop.run(["status", files[0]]).code == 1)
    }
}
