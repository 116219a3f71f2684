import Foundation
import TestSupport
import Testing

/// The pipelines that come with the program, each on a recording of invented answers.
@Suite struct ShippedPipelineTests {
    struct Case: CustomTestStringConvertible, Sendable {
        let name: String
        /// Its table, and how many rows it gets.
        let rows: (table: String, count: Int)
        /// A query and what it gives: one thing that this source does in its own way.
        let detail: (sql: String, row: String)
        var testDescription: String { name }
    }

    private static let cases = [
        Case(
            name: "bookshop", rows: ("books", 36),
            detail: ("SELECT count(DISTINCT stock_id) FROM books", "36")),
        Case(
            name: "datacite-dois", rows: ("dois", 4),
            detail: (
                "SELECT title, creators, state FROM dois WHERE doi = '10.5555/fog-1'",
                #"A model of fog|["Sund, Mo"]|registered"#
            )),
        Case(
            name: "gbif-species", rows: ("taxa", 5),
            detail: (
                "SELECT canonical_name, extinct, vernacular_names FROM taxa WHERE key = 2",
                #"Nebulofelis|0|["fog cat","mist cat"]"#
            )),
        Case(
            name: "github-issues", rows: ("github_issues", 4),
            detail: (
                "SELECT author, labels, body FROM github_issues WHERE number = 1",
                #"odalys|["bug","lamp"]|It happens below 4 °C."#
            )),
        Case(
            name: "hacker-news", rows: ("stories", 4),
            detail: ("SELECT id, url FROM stories WHERE text IS NOT NULL", "700105|null")),
        Case(
            name: "notion-tasks", rows: ("tasks", 4),
            detail: (
                "SELECT title, status, due FROM tasks WHERE tags = '[\"tower\"]'", "Oil the hinges|Done|2026-02-03"
            )),
        Case(
            name: "open-library", rows: ("library_books", 4),
            detail: ("SELECT id, first_published FROM library_books WHERE languages IS NULL", "/works/OL103W|null")),
        Case(
            name: "openalex-works", rows: ("works", 4),
            detail: ("SELECT doi, source, open_access FROM works WHERE cited_by = 3", "null|null|0")),
        Case(
            name: "publishers", rows: ("publishers", 5),
            detail: ("SELECT count(*) FROM publishers WHERE slug = 'harbour-lane'", "1")),
        Case(
            name: "spotify-albums", rows: ("albums", 3),
            detail: ("SELECT kind, released FROM albums WHERE name = 'Bell'", "single|2024")),
        Case(
            name: "stripe-invoices", rows: ("invoices", 3),
            detail: (
                "SELECT count(*), sum(amount), max(period_start) FROM invoice_lines WHERE invoice_id = 'in_1LampFog'",
                "5|13000|2026-01-06T00:00:00Z"
            )),
        Case(
            name: "world-bank", rows: ("observations", 6),
            detail: ("SELECT value FROM observations WHERE country = 'QB' AND year = 2022", "null")),
    ]

    @Test(arguments: cases)
    func itRunsOnItsRecording(_ item: Case) throws {
        let scene = try Scene()
        let file = "pipelines/\(item.name).yaml"
        func sluice(_ command: String, _ more: String...) throws -> Program.Result {
            try Program.start(
                [command, file, "--replay", "fixtures/recordings", "--store", "sqlite:\(scene.store)"] + more,
                in: Program.project.path
            ).wait()
        }
        let valid = try Program.run("validate", file, "--strict", in: Program.project.path)
        #expect(valid.code == 0, "\(valid.output)")
        let plan = try sluice("plan", "--detailed-exitcode")
        #expect(plan.code == 2, "\(plan.errors)")
        #expect(!FileManager.default.fileExists(atPath: scene.store), "a plan writes nothing")
        let first = try sluice("run", "--strict")
        #expect(first.code == 0, "\(first.output)\n\(first.errors)")
        #expect(try scene.query("SELECT count(*) FROM \(item.rows.table)") == [String(item.rows.count)])
        #expect(try scene.query(item.detail.sql) == [item.detail.row])
        let before = try scene.contents()
        let second = try sluice("run", "--strict")
        #expect(second.code == 0, "\(second.output)\n\(second.errors)")
        #expect(second.output.contains("nothing changed"), "\(second.output)")
        #expect(try scene.contents() == before, "a quiet run writes only its run row")
    }

    @Test func everyShippedPipelineIsTried() throws {
        let names = try FileManager.default.contentsOfDirectory(atPath: Program.project.path + "/pipelines")
            .filter { $0.hasSuffix(".yaml") }.map { String($0.dropLast(5)) }
        #expect(names.sorted() == Self.cases.map(\.name).sorted())
        let cookbook = try String(
            contentsOf: Program.project.appending(path: "docs/cookbook.md"), encoding: .utf8)
        for name in names { #expect(cookbook.contains("(../pipelines/\(name).yaml)"), "\(name)") }
    }

    @Test func theRecordingsHoldNoSecretsAndNobodysNames() throws {
        let folder = Program.project.appending(path: "fixtures/recordings")
        let files = try FileManager.default.subpathsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".json") }
        #expect(files.count > 30)
        for file in files {
            let data = try Data(contentsOf: folder.appending(path: file))
            let object = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any], "\(file)")
            #expect(object["format"] as? String == "sluice.recording/1", "\(file)")
            let headers = (object["request"] as? [String: Any])?["headers"] as? [String: String]
            #expect(headers?["Authorization"] ?? "***" == "***", "\(file)")
        }
    }
}
