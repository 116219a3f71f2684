import Foundation
import Testing

/// `history RUN` in the forms that the reports of runs have.
@Suite struct HistoryReportTests {
    /// A store with a second run that changed, deleted and refused something, and met a conflict.
    private func shop() throws -> Workshop {
        let shop = try Workshop()
        try shop.write(
            """
            version: 1
            name: shop
            source: {base_url: "file:."}
            entities:
              Line: {table: lines, primary_key: [no], fields: {no: int, text: string}}
              Book:
                table: books
                primary_key: [id]
                fields: {id: int, title: {type: string, required: true}, price: decimal}
                children: {lines: {entity: Line, from: "lines[*]", key: [no]}}
            streams: [{name: books, entity: Book, path: books.json, delete_missing: {mode: hard, max_delete: 100%}}]
            """, to: "shop.yaml")
        try shop.write(
            #"[{"id":1,"title":"One","price":"1","lines":[{"no":1,"text":"a"}]},{"id":2,"title":"Two"},{"id":3,"title":"Three"}]"#,
            to: "books.json")
        #expect(shop.sluice("run", shop.pipeline, "-q").code == 0)
        try shop.sql("UPDATE books SET title = 'Drei' WHERE id = 3")
        try shop.write(
            #"[{"id":1,"title":"Uno","price":"1","lines":[{"no":1,"text":"b"}]},{"id":3,"title":"Tre"},{"id":4,"title":"Four"},{"id":5}]"#,
            to: "books.json")
        #expect(shop.sluice("run", shop.pipeline, "-q").code == 0)
        return shop
    }

    @Test func markdownTellsWhatTheRunDid() throws {
        let shop = try shop()
        let outcome = shop.sluice("history", "2", "--format", "markdown")
        #expect(outcome.code == 0, "\(outcome)")
        let lines = outcome.output.split(separator: "\n").map(String.init)
        #expect(lines[0].hasPrefix("### Run 2 of shop: 1 inserted, 1 updated, 1 deleted, 1 in conflict, 1 not written"))
        for line in [
            "| `Book 1` | `title` | `\"One\"` | `\"Uno\"` |", "| `Book 1 › Line 1` | `text` | `\"a\"` | `\"b\"` |",
        ] { #expect(lines.contains(line), "\(line)\n\(outcome.output)") }
        for part in ["1 record in conflict in books", "`\"Drei\"`", "`\"Tre\"`", "1 deleted from books", "Book 4"] {
            #expect(outcome.output.contains(part), "\(part)\n\(outcome.output)")
        }
    }

    /// What the run's own sheet says of its updates and deletes, its history says as well. Base and remote are not kept.
    @Test func aSheetHasTheRowsOfTheRun() throws {
        let shop = try shop()
        try shop.write(
            #"[{"id":1,"title":"Eins","price":null,"lines":[{"no":1,"text":"c"}]},{"id":3,"title":"Tre"}]"#,
            to: "books.json")
        let run = shop.sluice("run", shop.pipeline, "--format", "csv")
        let history = shop.sluice("history", "3", "--format", "csv")
        #expect(run.code == 0 && history.code == 0, "\(run)\(history)")
        func rows(_ text: String) throws -> [String] {
            try text.split(separator: "\r\n").dropFirst().map { line in
                // Keys of several fields have commas in quotes.
                let cells = try #require(line.firstMatch(of: #/^([^"]*)("(?:[^"]|"")*"),(.*)$/#), "\(line)")
                let rest = cells.3.split(separator: ",", omittingEmptySubsequences: false)
                return ([cells.1, cells.2] + [0, 2, 5, 7].map { rest[$0] }).joined(separator: "|")
            }
        }
        let told = try rows(run.output).filter { !$0.contains("|insert|") }
        let kept = try rows(history.output)
        #expect(told.count > 4 && Set(told).isSubset(of: Set(kept)), "\(run.output)\n\(history.output)")
        #expect(!kept.contains { $0.contains("|insert|") })
    }

    @Test func aPageHasItsEntriesAndCounts() throws {
        let shop = try shop()
        let outcome = shop.sluice("history", "2", "--format", "html")
        #expect(outcome.code == 0 && outcome.output.hasPrefix("<!DOCTYPE html>"), "\(outcome.errors)")
        for part in [
            "Run 2 of shop: 1 inserted, 1 updated, 1 deleted", "\"p\":[\"Book 1\",\"Line 1\"]", "Records by entity",
        ] { #expect(outcome.output.contains(part), "\(part)") }
        let cut = shop.sluice("history", "2", "--format", "html", "--limit", "1")
        #expect(cut.output.contains("more changes are not on this page"), "\(cut.output.suffix(3000))")
    }

    @Test func aSummaryListsNoRecord() throws {
        let shop = try shop()
        for form in ["text", "markdown", "html"] {
            let outcome = shop.sluice("history", "2", "--format", form, "--summary-only")
            #expect(outcome.code == 0 && outcome.output.contains("1 inserted, 1 updated"), "\(outcome)")
            #expect(!outcome.output.contains("Uno") && !outcome.output.contains("Not everything"), "\(outcome.output)")
        }
    }

    @Test func anUndoAndADecisionAreTold() throws {
        let shop = try shop()
        #expect(shop.sluice("conflicts", "resolve", "1", "--take", "remote").code == 0)
        let decided = shop.sluice("history", "3", "--format", "markdown").output
        #expect(decided.contains("| `Book 3` | `title` | `\"Drei\"` | `\"Tre\"` |"), "\(decided)")
        #expect(shop.sluice("undo", "3").code == 0)
        let undone = shop.sluice("history", "4", "--format", "markdown").output
        #expect(undone.hasPrefix("### Run 4: undo of run 3 of shop: 1 updated"), "\(undone)")
        #expect(shop.sluice("history", "3", "--format", "markdown").output.contains("Run 4 undid this one."))
    }

    /// What ended in a run is told as what began in one is: the note of a decision, why a conflict ended, and what left the
    /// quarantine, be it that its record was taken or that somebody gave it up.
    @Test func whatEndedIsTold() throws {
        let shop = try shop()
        #expect(shop.sluice("conflicts", "resolve", "1", "--take", "local", "--note", "ours it is").code == 0)
        try shop.sql("UPDATE books SET title = 'Vier' WHERE id = 4")
        func list(_ four: String, _ five: String) -> String {
            #"[{"id":1,"title":"Uno","price":"1","lines":[{"no":1,"text":"b"}]},{"id":3,"title":"Tre"},"#
                + #"{"id":4,"title":"\#(four)"},{"id":5\#(five)},{"id":6,"title":"Six","price":"x"}]"#
        }
        for (four, five) in [("Quattro", ""), ("Four", #","title":"Five""#)] {
            try shop.write(list(four, five), to: "books.json")
            #expect(shop.sluice("run", shop.pipeline, "-q").code == 0)
        }
        #expect(shop.sluice("quarantine", "drop", "2").code == 0)
        let cases: [(run: String, markdown: [String], page: [String], sheet: [String])] = [
            (
                "3", ["1 conflict of books no longer open", "1: resolved; ours it is"],
                [#""conflict 1: resolved; ours it is""#], ["closed,edit_edit,title", "1,resolved,ours it is"]
            ),
            (
                "5",
                [
                    "1 entry of books no longer in quarantine", "| `Book 5` | `/title` | – | quarantine 1 closed: ",
                    "2: obsolete; the source took its change back",
                ], [#""k":"released""#, #""m":"quarantine 1 closed: "#, "obsolete; the source took its change back"],
                ["released,missing_value,/title", ",closed,", "quarantine 1 closed: ", "2,obsolete,the source took"]
            ),
            (
                "6", ["1 entry of books no longer in quarantine", "`\"x\"` | quarantine 2 dropped: "],
                [#""m":"quarantine 2 dropped: "#], ["released,", ",dropped,"]
            ),
        ]
        for told in cases {
            for (form, parts) in [("markdown", told.markdown), ("html", told.page), ("csv", told.sheet)] {
                let outcome = shop.sluice("history", told.run, "--format", form)
                #expect(outcome.code == 0, "\(outcome.errors)")
                for part in parts {
                    #expect(outcome.output.contains(part), "run \(told.run): \(part)\n\(outcome.output)")
                }
                #expect(!outcome.output.contains(#""n":"edit_edit""#))
            }
        }
    }

    @Test func theListIsTextOrData() throws {
        let shop = try shop()
        for arguments in [["--format", "markdown"], ["--format", "csv", "--trends"], ["--summary-only"]] {
            let outcome = shop.sluice(["history"] + arguments)
            #expect(outcome.code == 64 && outcome.errors.contains("one run did"), "\(outcome)")
        }
        let data = shop.sluice("history", "2", "--format", "json", "--summary-only")
        #expect(data.code == 64 && data.errors.contains("`--summary-only` does not go with"), "\(data)")
    }
}
