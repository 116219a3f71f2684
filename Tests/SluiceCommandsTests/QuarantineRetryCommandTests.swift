import SluiceSQLite
import Testing

@Suite struct QuarantineRetryCommandTests {
    /// A shop whose books 1 to 3 are in quarantine, and whose pipeline then forgives two of them.
    private func makeShop() throws -> Workshop {
        let shop = try Workshop()
        try shop.writePipeline()
        try shop.write(
            #"[{"id":1,"title":"One","price":"x"},{"id":2,"title":"Two","price":"y"},{"id":3,"price":"1"}]"#,
            to: "books.json")
        _ = shop.sluice("run", shop.pipeline)
        let text = try shop.read("shop.yaml")
        try shop.write(
            text.replacing("price: decimal", with: "price: {type: decimal, on_type_mismatch: set_null}"),
            to: "shop.yaml")
        return shop
    }

    @Test func allThatFitsIsTakenAndReported() throws {
        let shop = try makeShop()
        let plan = shop.sluice("quarantine", "retry", "--all", "--plan", shop.pipeline)
        #expect(plan.code == 0)
        #expect(plan.output.hasPrefix("Plan: retry of quarantined records of shop: 2 to insert, 1 not written\n"))
        #expect(plan.output.contains("2 records would leave the quarantine, 1 stays.\n"))
        #expect(try shop.value("SELECT count(*) FROM books") == .integer(0))
        let outcome = shop.sluice("quarantine", "retry", "--all", shop.pipeline)
        #expect(outcome.code == 0)
        #expect(outcome.output.hasPrefix("Run 2: retry of quarantined records of shop: 2 inserted, 1 not written  ("))
        #expect(outcome.output.contains("\n+ Book 1  title \"One\"\n"))
        #expect(outcome.output.contains("2 records left the quarantine, 1 stays.\n"))
        #expect(shop.sluice("quarantine", "list").output.hasPrefix("3  Book 3 "))
        #expect(try shop.value("SELECT group_concat(title) FROM books") == SQLiteValue("One,Two"))
        #expect(shop.sluice("quarantine", "retry", "--all", "--strict", shop.pipeline).code == 3)
    }

    @Test func whoTriedAgainIsKept() throws {
        let shop = try makeShop()
        shop.environment["USER"] = "ada"
        #expect(shop.sluice("quarantine", "retry", "--all", shop.pipeline).code == 0)
        #expect(shop.sluice("history", "2").output.hasPrefix("Run 2 of shop  (retry by ada, at "))
    }

    @Test func theReportForProgramsTellsWhatWasRefused() throws {
        let shop = try makeShop()
        _ = shop.sluice("quarantine", "drop", "2")
        let outcome = shop.sluice("quarantine", "retry", "1", "2", shop.pipeline, "--format", "json")
        #expect(outcome.code == 1)
        #expect(outcome.output.contains(#""command":"run","status":"succeeded","run":3"#))
        #expect(
            outcome.output.contains(
                "\"retry\":{\"left\":1,\"stayed\":0,\"refused\":[\n{\"id\":2,\"reason\":\"it was dropped from the quarantine.\"}\n]}"
            ))
        #expect(
            outcome.errors.hasSuffix(
                "Z warning: shop: Record 2 was not tried again: it was dropped from the quarantine.\n"))
        let unknown = shop.sluice("quarantine", "retry", "99", shop.pipeline, "-q")
        #expect(unknown.code == 1)
        #expect(unknown.errors.hasPrefix("error: Record 99 was not tried again: no pipeline that was named has"))
    }

    @Test func recordsAreChosenByEntityStreamAndReason() throws {
        let shop = try makeShop()
        func left(_ words: String...) -> String {
            let outcome = shop.run(
                ["quarantine", "retry", shop.pipeline, "--store", "sqlite:\(shop.store)", "--plan"] + words)
            return outcome.output.split(separator: "\n").first { $0.contains("would leave") }.map(String.init)
                ?? outcome.errors
        }
        #expect(left("--entity", "Book") == "2 records would leave the quarantine, 1 stays.")
        #expect(left("--stream", "books") == "2 records would leave the quarantine, 1 stays.")
        #expect(left("--reason", "missing_value") == "0 records would leave the quarantine, 1 stays.")
        #expect(
            left("--entity", "Book", "--reason", "type_mismatch") == "2 records would leave the quarantine.")
        #expect(left("1") == "1 record would leave the quarantine.")
        #expect(
            left("--entity", "Bock").hasPrefix(
                "error: No pipeline has a stream of the entity `Bock`. Did you mean `Book`?\n"))
    }

    @Test(arguments: [
        ([], "error: Name records by their IDs, or choose them"), (["1", "--all"], "error: Name records by their IDs"),
        (["1", "--entity", "Book"], "error: Name records by their IDs"),
        (["--reason", "type"], "error: The option `--reason`"),
        (["--all", "--field", "title"], "error: `--field` is not an option"),
    ]) func aCommandLineThatIsUnclearIsRefused(_ words: [String], _ message: String) throws {
        let shop = try makeShop()
        let outcome = shop.run(["quarantine", "retry", shop.pipeline, "--store", "sqlite:\(shop.store)"] + words)
        #expect(outcome.code == 64 && outcome.errors.hasPrefix(message))
    }

    @Test func anIDNamesARecordOfOneStore() throws {
        let shop = try makeShop()
        let text = try shop.read("shop.yaml")
        for name in ["one", "two"] {
            try shop.write(
                text.replacing("name: shop", with: "name: \(name)\nstore: sqlite:\(shop.folder)/\(name).db"),
                to: "\(name).yaml")
        }
        let words = ["quarantine", "retry", "1", "\(shop.folder)/one.yaml", "\(shop.folder)/two.yaml"]
        let outcome = shop.run(words)
        #expect(outcome.code == 64 && outcome.errors.contains("An ID names a record of one store"))
        #expect(shop.run(words + ["--store", "sqlite:\(shop.store)"]).code == 1)
        #expect(shop.files.filter { $0.hasSuffix(".db") } == ["shop.db"])
    }

    @Test func aPipelineWithErrorsIsNotUsed() throws {
        let shop = try makeShop()
        try shop.write("version: 1\nname: shop\nstreams: 5\n", to: "shop.yaml")
        #expect(shop.sluice("quarantine", "retry", "--all", shop.pipeline).code == 78)
    }
}
