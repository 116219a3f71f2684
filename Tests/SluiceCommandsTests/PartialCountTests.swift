import Foundation
import Testing

/// What is counted of records in conflict that are written in part, and of deletes that are refused.
@Suite struct PartialCountTests {
    @Test func aRecordInConflictThatIsWrittenInPartIsCounted() throws {
        let shop = try Workshop()
        try shop.writePipeline()
        try shop.write(#"[{"id":1,"title":"One","price":"1"}]"#, to: "books.json")
        _ = shop.sluice("run", shop.pipeline, "-q")
        try shop.sql("UPDATE books SET title = 'Eins'")
        try shop.write(#"[{"id":1,"title":"Uno","price":"1"}]"#, to: "books.json")
        let first = shop.sluice("run", shop.pipeline, "--format", "json").output
        #expect(first.contains(#""conflict":1,"conflict_written":0"#), "\(first)")
        // The conflict is no news, and the price is.
        try shop.write(#"[{"id":1,"title":"Uno","price":"2"}]"#, to: "books.json")
        let plan = shop.sluice("plan", shop.pipeline, "--detailed-exitcode")
        #expect(plan.code == 2)
        #expect(plan.output.hasPrefix("Plan for shop: 1 in conflict (1 to write in part)\n"), "\(plan.output)")
        #expect(plan.output.contains("Nothing was written yet."), "\(plan.output)")
        let run = shop.sluice("run", shop.pipeline).output
        #expect(run.hasPrefix("Run 3 of shop: 1 in conflict (1 written in part)  ("), "\(run)")
        #expect(try shop.rows("SELECT title, price FROM books") == [["Eins", "2"]])
        #expect(
            shop.sluice("status").output.contains("1 in conflict (1 written in part)\n"),
            "\(shop.sluice("status").output)")
        #expect(shop.sluice("status", "--format", "json").output.contains(#""conflict":1,"conflict_written":1"#))
        #expect(shop.sluice("history", "--limit", "1").output.contains("1 in conflict (1 written in part)"))
        #expect(shop.sluice("plan", shop.pipeline, "--detailed-exitcode").code == 0)
    }

    @Test func aNewRecordWhoseValueIsTakenIsWrittenInPart() throws {
        let shop = try Workshop()
        try shop.writePipeline(book: "unique: [[isbn]], fields: {id: int, isbn: string, title: string}")
        try shop.write(#"[{"id":1,"isbn":"a"}]"#, to: "books.json")
        _ = shop.sluice("run", shop.pipeline, "-q")
        try shop.write(#"[{"id":1,"isbn":"a"},{"id":2,"isbn":"a","title":"Two"}]"#, to: "books.json")
        let run = shop.sluice("run", shop.pipeline).output
        #expect(run.contains("1 in conflict (1 written in part)"), "\(run)")
    }

    @Test func refusedDeletesAreCountedEverywhere() throws {
        let shop = try Workshop()
        try shop.writePipeline()
        try shop.write(#"[{"id":1,"title":"One"},{"id":2,"title":"Two"},{"id":3,"title":"Three"}]"#, to: "books.json")
        _ = shop.sluice("run", shop.pipeline, "-q")
        try shop.write(#"[{"id":1,"title":"One"}]"#, to: "books.json")
        let plan = shop.sluice("plan", shop.pipeline)
        #expect(plan.code == 4 && plan.output.hasPrefix("Plan for shop: nothing to change, 2 deletes refused, 1 unch"))
        let json = shop.sluice("run", shop.pipeline, "--format", "json").output
        #expect(json.contains(#""delete":0,"#) && json.contains(#""delete_refused":2"#), "\(json)")
        #expect(shop.sluice("status").output.contains("2 deletes refused"), "\(shop.sluice("status").output)")
        #expect(shop.sluice("status", "--format", "json").output.contains(#""delete_refused":2"#))
        #expect(shop.sluice("history", "--limit", "1").output.contains("2 deletes refused"))
        #expect(shop.sluice("history", "--format", "json").output.contains(#""delete_refused":2"#))
    }

    @Test func duplicatesAndWhatIsOnlyReportedAsGoneAreCountedEverywhere() throws {
        let shop = try Workshop()
        try shop.writePipeline(deleteMissing: "{mode: report}")
        try shop.write(#"[{"id":1,"title":"One"},{"id":2,"title":"Two"}]"#, to: "books.json")
        _ = shop.sluice("run", shop.pipeline, "-q")
        try shop.write(#"[{"id":1,"title":"One"},{"id":1,"title":"One"}]"#, to: "books.json")
        let words = "1 unchanged, 1 duplicate, 1 gone from the source"
        let plan = shop.sluice("plan", shop.pipeline).output
        #expect(plan.hasPrefix("Plan for shop: nothing to change, \(words)\n"), "\(plan)")
        let json = shop.sluice("run", shop.pipeline, "--format", "json").output
        let told = #""delete_refused":0,"delete_reported":1,"duplicates":1}"#
        // Of the stream and of the run; a delete is none of them, though the row is listed as one.
        #expect(json.components(separatedBy: told).count == 3 && json.contains(#""delete":0,"#), "\(json)")
        #expect(json.contains(#""action":"delete","kind":"delete","deletion":"report""#), "\(json)")
        #expect(shop.sluice("status").output.contains("  \(words)\n"), "\(shop.sluice("status").output)")
        #expect(shop.sluice("history", "--limit", "1").output.contains(words))
        let run = shop.sluice("history", "2").output
        #expect(run.contains(words), "\(run)")
        for command in [["status"], ["history", "--limit", "1"], ["history", "2"]] {
            let output = shop.sluice(command + ["--format", "json"]).output
            #expect(output.contains(told), "\(command): \(output)")
        }
    }

    @Test func whatATableDoesNotLetGoIsARefusedDelete() throws {
        let shop = try Workshop()
        try shop.writePipeline()
        try shop.write(#"[{"id":1,"title":"One"},{"id":2,"title":"Two"}]"#, to: "books.json")
        _ = shop.sluice("run", shop.pipeline, "-q")
        try shop.sql("CREATE TRIGGER stay BEFORE DELETE ON books BEGIN SELECT RAISE(ABORT, 'stays'); END")
        try shop.write(#"[{"id":1,"title":"One"}]"#, to: "books.json")
        let run = shop.sluice("run", shop.pipeline)
        #expect(run.code == 0 && run.output.contains("1 delete refused"), "\(run.output)\(run.errors)")
        #expect(shop.sluice("status").output.contains("1 delete refused"))
    }

    @Test func theStreamThatFailedIsNamed() throws {
        let shop = try Workshop()
        try shop.write(
            """
            version: 1
            name: shop
            source: {base_url: "file:."}
            entities:
              Book: {table: books, primary_key: [id], fields: {id: int}}
              Author: {table: authors, primary_key: [id], fields: {id: int}}
            streams:
              - {name: books, entity: Book, path: books.json}
              - {name: authors, entity: Author, path: authors.json}
            """, to: "shop.yaml")
        try shop.write(#"[{"id":1}]"#, to: "books.json")
        try shop.write("[{", to: "authors.json")
        let run = shop.sluice("run", shop.pipeline)
        #expect(run.code != 0)
        let line = run.output.split(separator: "\n").first { $0.hasPrefix("error: ") } ?? ""
        #expect(line.contains("`authors`"), "\(run.output)")
    }
}
