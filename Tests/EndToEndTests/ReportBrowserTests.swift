import Foundation
import SluiceModel
import TestSupport
import Testing

/// The report for a browser in a real one: what a person does with it, compared with the report for programs.
@Suite(.disabled(if: Browser.isMissing, "Chromium is not installed"))
struct ReportBrowserTests {
    /// What the page showed after one step.
    private struct Sight: Decodable {
        let rows: [[String]]
        let told: String
        let marked: [String]
        let more: Bool
    }

    /// Does something with the page and looks at it, step by step.
    private func look(_ page: String, _ steps: [String]) throws -> [Sight] {
        let script = """
            addEventListener('load', async () => {
              const pause = () => new Promise(done => setTimeout(done, 400));
              const byID = id => document.getElementById(id);
              const type = text => {
                byID('search').value = text;
                byID('search').dispatchEvent(new Event('input', { bubbles: true }));
              };
              const choose = kind => document.querySelector(`#kinds button[data-kind=${kind}]`).click();
              const sort = name => document.querySelector(`#entries th[data-sort=${name}] button`).click();
              const sights = [];
              for (const step of [\(steps.map { "async () => { \($0) }" }.joined(separator: ", "))]) {
                await step();
                await pause();
                sights.push({
                  rows: [...byID('entries').tBodies[0].rows].map(row => [...row.cells].map(cell => cell.innerText.trim())),
                  told: byID('shown').textContent, more: !byID('more').hidden,
                  marked: [...document.querySelectorAll('mark')].map(mark => mark.textContent) });
              }
              document.documentElement.dataset.sights = btoa(String.fromCharCode(...new TextEncoder().encode(JSON.stringify(sights))));
            });
            """
        let dump = try Browser.dump(page, script)
        let match = try #require(dump.firstMatch(of: #/data-sights="([A-Za-z0-9+/=]*)"/#), "\(dump.suffix(2_000))")
        let data = try #require(Data(base64Encoded: String(match.1)))
        return try JSONDecoder().decode([Sight].self, from: data)
    }

    @Test func aPersonFindsWhatAProgramIsTold() throws {
        let stage = try ScenarioStage(Scenario(name: "children"))
        try stage.prepare("first")
        #expect(stage.sync("run", "first").code == 0)
        try stage.prepare("second")
        let json = try Report(stage.sync("plan", "second", "--format", "json").text)
        let page = stage.sync("plan", "second", "--format", "html").text
        let sights = try look(
            page,
            [
                "", "type('much')", "type(''); choose('conflict')", "choose('conflict'); choose('insert')",
                "choose('insert'); sort('change')", "sort('change')", "type('no such word')",
            ])
        let all = sights[0]
        #expect(all.rows.count == json.entries && all.told.hasPrefix("\(json.entries) of \(json.entries) entries"))
        // What belongs to a record stands behind it, whatever the run met first.
        let records = all.rows.map { $0[0] }
        #expect(
            records.filter { $0.hasPrefix("Invoice 4") } == [
                "Invoice 4", "Invoice 4 › Line 1", "Invoice 4 › Line 1 › Tax 0", "Invoice 4 › Line 1 › Tax 1",
            ])
        #expect(sights[1].rows.map { $0[0] } == ["Invoice 5"])
        #expect(sights[1].rows[0][3].contains("Expected a decimal number, found the text \"much\"."))
        #expect(sights[2].rows.count == json.count("conflict") && sights[2].rows.allSatisfy { $0[1] == "conflict" })
        // Of base 3, local 77 and remote 3.5 that is marked which is not in the base.
        #expect(sights[2].marked.contains("77") && sights[2].marked.contains(".5"), "\(sights[2].marked)")
        #expect(sights[3].rows.count == json.count("insert") && sights[3].rows.allSatisfy { $0[1] == "insert" })
        #expect(sights[4].rows.count == all.rows.count && sights[4].rows.first?[1] == "insert")
        #expect(sights[5].rows.map { $0[0] } == sights[4].rows.map { $0[0] }.reversed())
        #expect(sights[6].rows == [] && sights[6].told.hasPrefix("None of "))
    }

    @Test func aHundredThousandEntriesAreListedInParts() throws {
        let stage = try ScenarioStage(Scenario(name: "children"))
        try stage.prepare("first")
        let page = stage.sync("plan", "first", "--format", "html").text
        let start = try #require(page.range(of: "data-pipeline=\"shop\">["))
        let end = try #require(page.range(of: "]</script>", range: start.upperBound..<page.endIndex))
        let entries = (1...100_000).map { number in
            #"{"k":"update","t":"book","s":"books","p":["Book \#(number)"],"n":"","m":"","f":[["title",null,"\"old\"","\"old\"","\"new \#(number)\"","\"new \#(number)\"",null]]}"#
        }
        let large = page[..<start.upperBound] + entries.joined(separator: ",\n") + page[end.lowerBound...]
        let sights = try look(String(large), ["", "byID('more').click()", "type('new 99999')"])
        #expect(sights[0].rows.count == 100 && sights[0].more)
        #expect(sights[0].told == "100 of 100,000 entries shown.")
        #expect(sights[1].rows.count == 200)
        #expect(sights[2].rows.map { $0[0] } == ["Book 99999"] && !sights[2].more)
    }

    @Test func thePicturesOfTheManualAreDrawn() throws {
        let folder = try TemporaryDirectory()
        let running = try Running(
            executable: Program.project.appending(path: "scripts/pictures.sh"), arguments: [folder.file("pictures")],
            folder: folder.path,
            environment: ["SLUICE": Program.products.appending(path: "sluice").path, "HOME": folder.path])
        let result = try running.wait()
        #expect(result.code == 0, "\(result.output)\(result.errors)")
        for name in ["plan", "report"] {
            let picture = [UInt8](try Data(contentsOf: URL(filePath: folder.file("pictures/\(name).png"))))
            #expect(picture.starts(with: [0x89, 0x50, 0x4E, 0x47]) && picture.count > 20_000, "\(name)")
        }
    }

    /// What the report for programs says.
    private struct Report {
        private let changes: [[String: Any]]
        private let quarantined: Int

        init(_ text: String) throws {
            let document = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]
            let report = try #require((document?["pipelines"] as? [[String: Any]])?.first)
            changes = try #require(report["changes"] as? [[String: Any]])
            quarantined = try #require(report["quarantine"] as? [Any]).count
        }

        var entries: Int { changes.count + quarantined }

        func count(_ action: String) -> Int { changes.count { $0["action"] as? String == action } }
    }
}

/// A browser without a window.
enum Browser {
    static let path = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"]
        .first { FileManager.default.isExecutableFile(atPath: $0) }
    static var isMissing: Bool { path == nil }

    /// Opens a page, runs a script in it, and gives what the page has become.
    ///
    /// - Parameters:
    ///   - page: The page, whose policy is widened by the script's hash and nothing else.
    ///   - script: What is run once the page is there.
    /// - Returns: HTML.
    /// - Throws: Where the browser does not end as it should.
    static func dump(_ page: String, _ script: String) throws -> String {
        let program = try #require(path)
        let folder = try TemporaryDirectory()
        let digest = Base64.encode(SHA256.bytes(of: Array(script.utf8)))
        let widened = page.replacing("script-src '", with: "script-src 'sha256-\(digest)' '", maxReplacements: 1)
            .replacing("</body>", with: "<script>\(script)</script></body>", maxReplacements: 1)
        try widened.write(toFile: folder.file("page.html"), atomically: true, encoding: .utf8)
        let running = try Running(
            executable: URL(filePath: program),
            arguments: [
                "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
                "--user-data-dir=\(folder.file("profile"))", "--virtual-time-budget=20000", "--timeout=60000",
                "--dump-dom",
                "file://\(folder.file("page.html"))",
            ], folder: folder.path, environment: ["HOME": folder.path])
        let result = try running.wait()
        try #require(result.code == 0, "\(result.errors.suffix(2_000))")
        return result.output
    }
}
