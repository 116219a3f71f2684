import SluiceReport
import Testing

/// A run that could take none of its records succeeded in nothing, though each of them has its place in the quarantine.
@Suite struct NothingTakenTests {
    private func shop(_ records: String) throws -> Workshop {
        let shop = try Workshop()
        try shop.write(
            """
            version: 1
            name: shop
            store: sqlite:shop.db
            source: {base_url: "file:."}
            entities: {Book: {table: books, primary_key: [id], fields: {id: int, price: {type: int, required: true}}}}
            streams: [{name: books, entity: Book, path: books.json}]
            """, to: "shop.yaml")
        try shop.write(records, to: "books.json")
        return shop
    }

    @Test(arguments: [
        (#"[{"id":1,"price":null},{"id":2,"price":"dear"}]"#, true),
        (#"[{"id":1,"price":null},{"id":2,"price":1}]"#, false), (#"[{"id":1,"price":null}]"#, false), ("[]", false),
    ])
    func isAWarningThatACheckSees(_ records: String, _ isTold: Bool) throws {
        let shop = try shop(records)
        let file = "\(shop.folder)/shop.yaml"
        let words = "All 2 records that were read are in quarantine, so nothing of them is written."
        for command in ["plan", "run"] {
            let outcome = shop.run([command, file])
            #expect(outcome.code == 0 && outcome.output.contains(words) == isTold, "\(outcome)")
        }
        #expect(shop.run(["status", file]).code == 0)
        #expect(shop.run(["status", "--check", file]).code == (isTold ? 1 : 0))
        #expect(shop.run(["run", file, "--strict", "-q"]).errors.contains(words) == isTold)
        // Once the pipeline is mended, all is well.
        try shop.write(
            try shop.read("shop.yaml").replacing("{type: int, required: true}", with: "string"), to: "shop.yaml")
        #expect(shop.run(["run", file]).code == 0)
        #expect(shop.run(["status", "--check", file]).code == 0)
    }

    /// What becomes of records that are gone is no outcome of one that was read; a deletion that is stated is one.
    @Test func recordsThatAreGoneWereNotTaken() {
        var report = StreamReport(stream: "books", entity: "Book")
        report.read = 2
        report.summary.quarantined = 2
        report.summary.keptLocal = 3
        report.addGoneKept(3)
        report.summary.conflict = 1
        report.goneConflicts = 1
        report.summary.stale = 1
        report.goneStale = 1
        #expect(report.nothingTaken?.message.hasPrefix("All 2 records") == true)
        report.read = 3
        report.summary.delete = 1
        report.statedDeletes = 1
        #expect(report.nothingTaken == nil)
    }
}
