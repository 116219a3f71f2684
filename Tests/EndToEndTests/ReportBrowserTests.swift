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
        #expect(all.rows.count == json.entries && all.told == "\(json.entries) entries shown.")
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
        #expect(sights[5].rows.map { $0[1] } == sights[4].rows.map { $0[1] }.reversed())
        #expect(sights[6].rows == [] && sights[6].told.hasPrefix("None of "))
    }

    /// Records stand by entity and key from the beginning, whatever the order in which the run met them.
    @Test func recordsAreSortedByTheirKeys() throws {
        let sorted = [
            "Customer 4", "Customer 4 › Line 2", "Customer 4 › Line 10", "Customer 9", "Customer 9 › Line 1",
            "Customer 99",
            "Group -30", "Group -5", "Group 1.25", "Group 1.5", "Group 9", "Group 9223372036854775806",
            "Group 9223372036854775807", #"Match round="2", team="B""#, #"Match round="10", team="A""#,
            #"Match round="10", team="a 2""#, #"Match round="10", team="a 10""#, "Part 7", "Part a2", "Part a10",
            "Part b10", #"Part "b 11""#,
        ]
        // No two neighbours stay together.
        let met = sorted.indices.sorted { ($0 * 5 % sorted.count, $0) < ($1 * 5 % sorted.count, $1) }.map { sorted[$0] }
        let entries = try met.map { record in
            let path = String(decoding: try JSONEncoder().encode(record.components(separatedBy: " › ")), as: UTF8.self)
            return #"{"k":"insert","t":"t","s":"s","p":\#(path),"n":"","m":"","f":[]}"#
        }
        let sights = try look(
            try page(with: entries.joined(separator: ",\n")), ["", "sort('record')", "sort('record')"])
        // What belongs to a record stands below it downwards, too.
        var families: [[String]] = []
        for record in sorted {
            if let first = families.last?.first, record.hasPrefix(first + " › ") {
                families[families.count - 1].append(record)
            } else {
                families.append([record])
            }
        }
        #expect(sights.map { $0.rows.map { $0[0] } } == [sorted, Array(families.reversed().joined()), sorted])
    }

    @Test func recordsOfASourceOutOfOrderAreSorted() throws {
        let scene = try Scene()
        let ids = [30, 5, 12, 100, 9, 2, 77]
        let records = ids.map { #"{"id": \#($0), "title": "T", "price": 1}"# }
        try scene.write("books.json", "[\(records.joined(separator: ","))]")
        let plan = try Program.run("plan", "books.yaml", "--format", "html", in: scene.path)
        #expect(plan.code == 0, "\(plan.errors)")
        let sights = try look(plan.output, [""])
        #expect(sights[0].rows.map { $0[0] } == ids.sorted().map { "Book \($0)" })
    }

    @Test func aHundredThousandEntriesAreListedInParts() throws {
        let entries = (1...100_000).map { number in
            #"{"k":"update","t":"book","s":"books","p":["Book \#(number)"],"n":"","m":"","f":[["title",null,"\"old\"","\"old\"","\"new \#(number)\"","\"new \#(number)\"",null]]}"#
        }
        let sights = try look(
            try page(with: entries.joined(separator: ",\n")), ["", "byID('more').click()", "type('new 99999')"])
        #expect(sights[0].rows.count == 100 && sights[0].more)
        #expect(sights[0].told == "100 of 100,000 entries shown.")
        #expect(sights[1].rows.count == 200)
        #expect(sights[2].rows.map { $0[0] } == ["Book 99999"] && !sights[2].more)
    }

    /// The page of a plan in which each kind of change is there.
    private func page(_ step: String = "second") throws -> String {
        let stage = try ScenarioStage(Scenario(name: "children"))
        try stage.prepare("first")
        if step == "first" { return stage.sync("plan", "first", "--format", "html").text }
        #expect(stage.sync("run", "first").code == 0)
        try stage.prepare("second")
        return stage.sync("plan", "second", "--format", "html").text
    }

    /// A page with other entries than its own.
    private func page(with entries: String) throws -> String {
        let page = try page("first")
        let start = try #require(page.range(of: "data-pipeline=\"shop\">["))
        let end = try #require(page.range(of: "]</script>", range: start.upperBound..<page.endIndex))
        return page[..<start.upperBound] + entries + page[end.lowerBound...]
    }

    private static let focus =
        "(document.activeElement.id || document.activeElement.dataset.kind || document.activeElement.textContent)"

    /// All of it by keyboard: each tool is reached with the tab key, in order, and used with letters, blank and return.
    @Test func theKeyboardReachesEverything() throws {
        let browser = try BrowserSession(try page())
        let all = try browser.value("document.querySelectorAll('#entries > tbody > tr').length")
        let tools = try browser.value(
            "document.querySelectorAll('a[href], button:not([hidden]), input, select, summary').length")
        var places: [String] = []
        for _ in 0..<40 {
            try browser.press("Tab")
            let place = try browser.value(Self.focus)
            let isOutside = try browser.value("document.activeElement === document.body") == "true"
            if isOutside || place == places.first { break }
            places.append(place)
            // Where the focus is, is seen.
            #expect(try browser.value("getComputedStyle(document.activeElement).outlineStyle") != "none", "\(place)")
        }
        #expect(places.first == "Skip to the changes")
        for tool in ["search", "table", "insert", "conflict", "invalid", "Record", "Change", "Table"] {
            #expect(places.contains(tool), "\(tool): \(places)")
        }
        let hidden = try browser.value(
            "document.querySelectorAll('[hidden] select').length")
        #expect(places.count == (Int(tools) ?? 0) - (Int(hidden) ?? 0), "\(places) of \(tools)")

        func go(to place: String) throws {
            for _ in 0..<40 where try browser.value(Self.focus) != place { try browser.press("Tab") }
            #expect(try browser.value(Self.focus) == place)
        }
        try go(to: "search")
        try browser.type("much")
        try browser.wait(for: "document.querySelectorAll('#entries > tbody > tr').length === 1")
        for _ in 0..<4 { try browser.press("Backspace") }
        try browser.wait(for: "document.querySelectorAll('#entries > tbody > tr').length === \(all)")
        try go(to: "conflict")
        try browser.press(" ")
        try browser.wait(for: "document.activeElement.getAttribute('aria-pressed') === 'true'")
        #expect(
            try browser.value(
                "[...document.querySelectorAll('#entries > tbody > tr')].every(row => row.cells[1].textContent === 'conflict')"
            ) == "true")
        try go(to: "Change")
        try browser.press("Enter")
        try browser.wait(for: "document.activeElement.parentElement.getAttribute('aria-sort') === 'ascending'")
    }

    /// What a screen reader is told, on a wide screen and on a phone, where the cells stand below each other.
    @Test(arguments: [1200, 390])
    func aScreenReaderIsToldOfAllOfIt(width: Int) throws {
        let browser = try BrowserSession(try page(), size: (width, 800))
        let things = try browser.accessibleThings()
        func names(_ role: String) -> [String] { things.filter { $0.role == role }.map(\.name) }
        #expect(names("heading").contains("Sluice report") && names("heading").contains("Changes"))
        #expect(names("searchbox") == ["Search"], "\(names("searchbox"))")
        #expect(names("status").count == 1 && names("group").contains("Show only"))
        #expect(names("columnheader").contains { $0.hasPrefix("Record") } && names("columnheader").contains("base"))
        #expect(names("rowheader").contains { $0.hasPrefix("Invoice 4") }, "\(names("rowheader"))")
        let rows = Int(try browser.value("document.querySelectorAll('tr').length")) ?? 0
        let shown =
            Int(try browser.value("[...document.querySelectorAll('tr')].filter(row => row.offsetParent).length")) ?? 0
        #expect(names("row").count == shown && shown > 20 && rows >= shown, "\(names("row").count) of \(shown)")
        // Nothing that can be pressed or filled in has no name.
        for role in ["button", "combobox", "searchbox", "link", "image", "table"] {
            for name in names(role) where role != "table" { #expect(!name.isEmpty, "\(role)") }
        }
        // Nothing stands beside the screen.
        #expect(try browser.value("document.documentElement.scrollWidth <= innerWidth") == "true")
    }

    /// Text can be read in both schemes: as WCAG 2 says, 4.5 to 1.
    @Test(arguments: ["light", "dark"])
    func coloursAreFarEnoughApart(scheme: String) throws {
        let browser = try BrowserSession(try page())
        try browser.prefer(scheme)
        let worst = try browser.value(
            """
            (() => {
              const light = color => {
                const [r, g, b] = color.match(/[0-9.]+/g).map(Number).map(part => {
                  const share = part / 255;
                  return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
                });
                return 0.2126 * r + 0.7152 * g + 0.0722 * b;
              };
              const paper = element => {
                for (let at = element; at; at = at.parentElement) {
                  const color = getComputedStyle(at).backgroundColor;
                  if (!/, 0\\)$|^transparent$/.test(color)) return color;
                }
                return 'rgb(255, 255, 255)';
              };
              let worst = [99, ''];
              for (const element of document.querySelectorAll('body *')) {
                if (!element.offsetParent || ![...element.childNodes].some(node => node.nodeType === 3 && node.data.trim())) continue;
                const [a, b] = [light(getComputedStyle(element).color), light(paper(element))];
                const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
                if (ratio < worst[0]) worst = [ratio, element.outerHTML.slice(0, 200)];
              }
              return worst[0].toFixed(2) + ' ' + worst[1];
            })()
            """)
        #expect((Double(worst.prefix { $0 != " " }) ?? 0) >= 4.5, "\(worst)")
        let paper = try browser.value("getComputedStyle(document.body).backgroundColor")
        #expect((paper == "rgb(255, 255, 255)") == (scheme == "light"), "\(paper)")
    }

    /// Values that would act, hide or reverse what stands beside them, and one of ten million characters.
    @Test func hostileValuesDoNothing() throws {
        let values = [
            "</script><script>window.acted = 1</script>", "<img src=x onerror='window.acted = 2'>",
            "javascript:window.acted = 3", "\u{202E}txt.exe", "a\u{2066}b\u{200B}c\u{0}d", "<!--", "]]>",
        ]
        let large = String(repeating: "0123456789", count: 1_000_000)
        func quoted(_ text: String) throws -> String {
            String(decoding: try JSONEncoder().encode(text), as: UTF8.self)
        }
        let scene = try Scene()
        let records = try (values + [large]).enumerated().map {
            "{\"id\": \($0.offset), \"title\": \(try quoted($0.element)), \"price\": 1}"
        }
        try scene.write("books.json", "[\(records.joined(separator: ","))]")
        let plan = try Program.run("plan", "books.yaml", "--format", "html", in: scene.path)
        #expect(plan.code == 0, "\(plan.errors)")
        let browser = try BrowserSession(plan.output)
        #expect(try browser.value("typeof window.acted") == "undefined")
        #expect(try browser.value("document.querySelectorAll('img, iframe, a[href^=javascript]').length") == "0")
        #expect(try browser.value("document.querySelectorAll('#entries > tbody > tr').length") == "\(values.count + 1)")
        let text = try browser.value("document.querySelector('#entries > tbody').innerText")
        #expect(
            text.contains("\\u{202E}txt.exe") && text.contains("a\\u{2066}b\\u{200B}c\\u0000d"), "\(text.prefix(900))")
        #expect(!text.unicodeScalars.contains { ["\u{202E}", "\u{2066}", "\u{200B}"].contains($0) })
        #expect(text.contains("Show all 10,000,002 characters") && text.utf8.count < 10_000, "\(text.utf8.count)")
        #expect(try browser.value("document.documentElement.scrollWidth <= innerWidth") == "true")
        // All of it is there for who asks.
        let length = try browser.value(
            "(() => { document.querySelector('td button').click(); return [...document.querySelectorAll('bdi.value')].map(place => place.textContent.length).reduce((a, b) => Math.max(a, b)); })()"
        )
        #expect(length == "10000002")
        _ = try browser.value("document.getElementById('search').value = '0123456789'")
        _ = try browser.value("document.getElementById('search').dispatchEvent(new Event('input', { bubbles: true }))")
        try browser.wait(for: "document.querySelectorAll('#entries > tbody > tr').length === 1")
    }

    /// Searching, filtering and sorting a hundred thousand changes takes less than a person notices as waiting.
    @Test func aHundredThousandEntriesAreQuick() throws {
        let entries = (1...100_000).map { number in
            #"{"k":"\#(["insert", "update", "delete"][number % 3])","t":"book","s":"books","p":["Book \#(number)"],"n":"","m":"","f":[["title",null,"\"old\"","\"old\"","\"new \#(number)\"","\"new \#(number)\"",null]]}"#
        }
        let browser = try BrowserSession(try page(with: entries.joined(separator: ",\n")))
        func milliseconds(_ action: String) throws -> Double {
            Double(
                try browser.value(
                    "(() => { const start = performance.now(); \(action); document.body.offsetHeight; return performance.now() - start; })()"
                )) ?? .infinity
        }
        for (name, action) in [
            ("sort", "document.querySelector('th[data-sort=change] button').click()"),
            ("filter", "document.querySelector('#kinds button').click()"),
            ("all again", "document.querySelector('#kinds button').click()"),
            ("back", "document.querySelector('th[data-sort=record] button').click()"),
        ] {
            let taken = try milliseconds(action)
            // On a machine that does nothing else it is a tenth of this.
            #expect(taken < 2_500, "\(name): \(taken) ms")
        }
        _ = try browser.value("document.getElementById('search').value = 'new 99999'")
        _ = try browser.value("document.getElementById('search').dispatchEvent(new Event('input', { bubbles: true }))")
        try browser.wait(for: "document.querySelectorAll('#entries > tbody > tr').length === 1")
    }

    @Test func thePicturesOfTheManualAreDrawn() throws {
        let folder = try TemporaryDirectory()
        let running = try Running(
            executable: Program.project.appending(path: "scripts/pictures.sh"), arguments: [folder.file("pictures")],
            folder: folder.path,
            environment: ["SLUICE": Program.products.appending(path: "sluice").path, "HOME": folder.path])
        let result = try running.wait()
        #expect(result.code == 0, "\(result.output)\(result.errors)")
        // The one of lines is the same each time, so that the manual shows what the program does now.
        let drawn = try String(contentsOfFile: folder.file("pictures/merge.svg"), encoding: .utf8)
        let shown = try String(
            contentsOf: Program.project.appending(path: "docs/pictures/merge.svg"), encoding: .utf8)
        #expect(drawn == shown && drawn.contains("title: base \"Dune\""), "make pictures")
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
