import SluiceSQLite
import Testing

@Suite struct QuarantineDropTests {
    private func makeShop() throws -> Workshop {
        let shop = try Workshop()
        try shop.writePipeline()
        try shop.write(
            #"[{"id":1,"title":"One","price":"x"},{"id":2,"title":"Two","price":"y"},{"id":3,"price":"1"}]"#,
            to: "books.json")
        _ = shop.sluice("run", shop.pipeline)
        return shop
    }

    @Test func recordsAreDroppedByNumber() throws {
        let shop = try makeShop()
        let outcome = shop.sluice("quarantine", "drop", "1", "2", "1")
        #expect(outcome.code == 0 && outcome.output == "2 records dropped from quarantine.\n")
        #expect(try shop.value("SELECT count(*) FROM _sluice_quarantine WHERE status = 'dropped'") == .integer(2))
        #expect(shop.sluice("quarantine", "list").output.hasPrefix("3  Book 3 "))
        #expect(shop.sluice("quarantine", "show", "1").output.contains("since run 1; dropped in run 2)"))
        let again = shop.sluice("quarantine", "drop", "1", "3", "99")
        #expect(again.code == 1)
        #expect(again.output == "1 record dropped from quarantine.\n")
        #expect(again.errors.contains("Record 1 was dropped already."))
        #expect(again.errors.contains("Record 99 was not dropped: the quarantine has no record with this ID."))
    }

    @Test func whoDroppedRecordsAndWhenIsKeptAndTakenBack() throws {
        let shop = try makeShop()
        shop.environment["USER"] = "Ana"
        #expect(shop.sluice("quarantine", "drop", "1", "2").code == 0)
        let shown = shop.sluice("quarantine", "show", "1").output
        #expect(shown.contains("    Dropped by Ana at 2") && shown.contains("; dropped in run 2)"), "\(shown)")
        let history = shop.sluice("history")
        #expect(history.output.contains("records in quarantine given up"), "\(history.output)")
        let json = shop.sluice("history", "--format", "json").output
        #expect(json.contains(#""command":"drop""#) && json.contains(#""who":"Ana""#), "\(json)")
        #expect(shop.sluice("history", "2").code == 0)
        // It is no run over the source.
        #expect(!shop.sluice("status").output.contains("run 2"))
        #expect(shop.sluice("undo", "2").code == 0)
        let open = shop.sluice("quarantine", "list").output
        #expect(open.contains("1  Book 1  ") && open.contains("2  Book 2  "), "\(open)")
    }

    @Test func allAreDroppedAndWhatComesAgainIsTold() throws {
        let shop = try makeShop()
        let outcome = shop.sluice("quarantine", "drop", "--all", "--format", "json")
        #expect(outcome.code == 0)
        #expect(outcome.output.ranges(of: "\"status\":\"dropped\"").count == 3)
        #expect(shop.sluice("quarantine", "drop", "--all").output == "0 records dropped from quarantine.\n")
        #expect(shop.sluice("quarantine", "list").output == "No record is in quarantine.\n")
        _ = shop.sluice("run", shop.pipeline)
        #expect(shop.sluice("quarantine", "list").output.hasPrefix("4  Book 1 "))
    }

    @Test(arguments: [[], ["1", "--all"], ["x"]]) func aCommandLineThatIsUnclearIsRefused(_ words: [String]) throws {
        let shop = try makeShop()
        #expect(shop.run(["quarantine", "drop", "--store", "sqlite:\(shop.store)"] + words).code == 64)
    }
}
