import Foundation
import SluiceCommands
import SluiceServeModel
import Testing

/// `docs/report.md` has every key of every JSON document, with its type: whoever writes another one writes it there too.
@Suite struct ReportPageTests {
    private static let project = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    private func text(_ path: String) throws -> String {
        try String(contentsOf: Self.project.appending(path: path), encoding: .utf8)
    }

    // MARK: What the program writes

    @Test func theDocumentsOfAStoreHaveTheKeysOfThePage() throws {
        let page = try ReportPage(try text("docs/report.md"))
        let shop = try Workshop()
        try Self.live(in: shop)
        let pipeline = shop.pipeline
        for command in [
            ["plan", pipeline], ["run", pipeline], ["edits"], ["conflicts", "list", "--all"],
            ["conflicts", "show", "1"],
            ["quarantine", "list", "--all"], ["quarantine", "show", "1"], ["quarantine", "retry", "--all", pipeline],
            ["history"], ["history", "2"], ["history", "--since", "7d", "--trends"], ["history", "--failed"],
            ["status"], ["inspect", "record", "Book", "1"], ["inspect", "schema"], ["inspect", "drift", pipeline],
            ["inspect", "drift", pipeline, "--offline"], ["validate", pipeline],
            ["validate", pipeline, "--explain"],
            ["validate", "\(shop.folder)/wrong.yaml"], ["conflicts", "resolve", "1", "99", "--take", "local"],
            ["history", "4"], ["undo", "2"], ["record", pipeline, "--to", "\(shop.folder)/kept"],
            ["import", "\(shop.folder)/books.json", "--table", "found", "--key", "id", "--plan"],
            ["quarantine", "drop", "--all"], ["store", "check"],
        ] {
            let outcome = shop.sluice(command + ["--format", "json"])
            let problems = try page.problems(of: outcome.output)
            #expect(
                problems.isEmpty, "\(command.joined(separator: " ")): \(problems) \(outcome.output)\(outcome.errors)")
        }
    }

    @Test func theDocumentOfACopyHasTheKeysOfThePage() throws {
        let page = try ReportPage(try text("docs/report.md"))
        let shop = try Workshop()
        try Self.live(in: shop)
        _ = shop.sluice("run", shop.pipeline, "-q")
        let copied = shop.run([
            "store", "copy", "sqlite:\(shop.store)", "sqlite:\(shop.folder)/copy.db", "--verify", "--format", "json",
        ])
        #expect(copied.code == 0 && copied.output.hasPrefix(#"{"format":"sluice.store-copy/1""#), "\(copied)")
        #expect(try page.problems(of: copied.output) == [], "\(copied)")
    }

    @Test func theDocumentsOfSchedulesHaveTheKeysOfThePage() throws {
        let page = try ReportPage(try text("docs/report.md"))
        let shop = try Workshop()
        try shop.writePipeline()
        let lines = try shop.read("shop.yaml")
        for (name, schedule) in [("daily", "{cron: \"@daily\", after: [often]}"), ("often", "{every: 1h}")] {
            let text = lines.replacing("name: shop\n", with: "name: \(name)\nschedule: \(schedule)\n")
            try shop.write(text, to: "\(name).yaml")
        }
        for command in [["schedule", shop.folder], ["schedule", "next", "@daily"]] {
            let outcome = shop.run(command + ["--format", "json"])
            #expect(try page.problems(of: outcome.output) == [], "\(outcome.output)\(outcome.errors)")
        }
    }

    @Test func theWorkersHaveTheKeysOfThePage() throws {
        let page = try ReportPage(try text("docs/report.md"))
        var worker = ServedWorker(id: "a1", place: "db1, process 7", slots: 2, startedAt: 60, seenAt: 120)
        worker.lease = 60
        worker.tasks = [
            .init(pipeline: "books", due: 60, since: 61), .init(pipeline: "films", due: nil, since: 62, helps: true),
        ]
        let text = WorkersJSON.text([worker], store: "postgres://db/shop", now: 121)
        #expect(try page.problems(of: text) == [], "\(text)")
    }

    @Test func aNoticeHasTheKeysOfThePage() throws {
        let page = try ReportPage(try text("docs/report.md"))
        let shop = try Workshop()
        shop.environment["PATH"] = "/usr/bin:/bin"
        try Self.live(in: shop)
        let notify = "\nnotify: [{on: [attention], command: [sh, -c, 'cat > \(shop.folder)/told']}]\n"
        try shop.write(try shop.read("shop.yaml") + notify, to: "shop.yaml")
        _ = shop.sluice("run", shop.pipeline, "--full", "-q")
        let told = try shop.read("told")
        #expect(try page.problems(of: told) == [], "\(told)")
        #expect(told.contains(#""events":["attention"],"text":"#) && told.contains(#""changes":[]"#), "\(told)")
    }

    @Test func theStatusOfALatePipelineHasTheKeysOfThePage() throws {
        let page = try ReportPage(try text("docs/report.md"))
        let shop = try Workshop()
        try shop.writePipeline()
        try shop.write(try shop.read("shop.yaml") + "\nschedule: {every: 1h}\n", to: "shop.yaml")
        for count in [9, 9, 9, 9, 9, 1] {
            let books = (1...count).map { #"{"id":\#($0),"title":"t"}"# }
            try shop.write("[\(books.joined(separator: ","))]", to: "books.json")
            _ = shop.sluice("run", shop.pipeline, "-q")
        }
        try shop.sql("UPDATE _sluice_runs SET started_at = '2026-01-01T00:00:00Z'")
        let outcome = shop.sluice("status", shop.pipeline, "--format", "json")
        #expect(try page.problems(of: outcome.output) == [], "\(outcome.output)\(outcome.errors)")
        for key in ["last_success", "usual_records_read", "short_run", "next_due", "due_since"] {
            #expect(outcome.output.contains("\"\(key)\":"), "\(key)")
        }
    }

    /// A store with conflicts, edits, quarantine, parts, refused deletes and a scan that is not complete.
    private static func live(in shop: Workshop) throws {
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
                fields: {id: int, title: {type: string, required: true}, tags: {type: json, compare: json}, at: datetime}
                children: {lines: {entity: Line, from: "lines[*]", key: [no]}}
            streams:
              - name: books
                entity: Book
                path: books.json
                delete_missing: {mode: hard, max_delete: 1}
                incremental: {cursor_field: at, initial_value: 2020-01-01T00:00:00Z, client_side: true, on_cursor_missing: include}
            """, to: "shop.yaml")
        try shop.write("version: 1\nname: Wrong\nstream: []\n", to: "wrong.yaml")
        func book(_ id: Int, _ title: String, _ tags: String = "{}") -> String {
            #"{"id":\#(id),"title":"\#(title)","tags":\#(tags),"at":"2024-01-0\#(id)T00:00:00Z","lines":[{"no":1,"text":"\#(title)"}]}"#
        }
        try shop.write("[\(book(1, "One")),\(book(2, "Two")),\(book(3, "Three")),\(book(4, "Four"))]", to: "books.json")
        _ = shop.sluice("run", shop.pipeline, "--full", "-q")
        try shop.sql(
            """
            UPDATE books SET title = 'Eins', tags = '{"a":1}' WHERE id = 1; DELETE FROM books WHERE id = 4;
            INSERT INTO books (id, title) VALUES (9, 'Nine')
            """)
        let changed = book(1, "Uno", #"{"a":2}"#)
        try shop.write("[\(changed),{\"id\":2},\(book(4, "Vier"))]", to: "books.json")
        _ = shop.sluice("run", shop.pipeline, "--full", "-q")
    }

    // MARK: The example

    @Test func theExampleIsWhatTheProgramWrites() throws {
        let source = try text("docs/report.md")
        let page = try ReportPage(source)
        let shop = try Workshop()
        let script = try #require(source.block("sh"))
        for (start, end, file) in [("books.yaml <<'YAML'\n", "YAML\n", "books.yaml"), ("echo '", "' >", "books.json")] {
            let tail = try #require(script.components(separatedBy: start).dropFirst().first)
            let content = try #require(tail.components(separatedBy: end).first)
            try shop.write(content + "\n", to: file)
        }
        let words = try #require(script.split(separator: "\n").last { $0.hasPrefix("sluice ") }).split(separator: " ")
        let written = shop.sluice(
            words.dropFirst().map { $0 == "books.yaml" ? "\(shop.folder)/books.yaml" : String($0) })
        let example = try #require(source.block("json"))
        #expect(try page.problems(of: example) == [])
        #expect(try ReportPage.shape(of: example) == ReportPage.shape(of: written.output), "\(written.output)")
    }

    // MARK: What the program could write

    /// Rare keys are on the page as well: every one that the sources of the program name.
    @Test func everyKeyThatTheEncodersNameIsOnThePage() throws {
        let page = try text("docs/report.md")
        let known = try ReportPage(page).keys
        var named: Set<String> = []
        var formats: Set<String> = []
        for file in try swiftFiles(in: "Sources") {
            let source = try String(contentsOf: file, encoding: .utf8)
            for match in source.matches(of: #/sluice\.[a-z_-]+\/1/#) { formats.insert(String(match.0)) }
            let path = file.path
            guard
                path.contains("/Views/JSON/") || path.hasSuffix("/ResolutionReport.swift")
                    || path.hasSuffix("/DueTimeList.swift") || path.hasSuffix("/PipelineScheduleList.swift")
                    || path.hasSuffix("/Diagnostic+Fields.swift")
                    || path.contains("/SluiceCommands/Commands/") && source.contains(#"{\"format\""#)
            else { continue }
            let isEncoder = !path.contains("/SluiceCommands/Commands/")
            for match in source.matches(of: #/\\"([a-z_]+)\\":/#) { named.insert(String(match.1)) }
            guard isEncoder else { continue }
            for match in source.matches(of: #/(?:add|Field)\(\s*(?:name: )?"([a-z_]+)",/#) {
                named.insert(String(match.1))
            }
            for match in source.matches(of: #/[\[(,]\s*\("([a-z_]+)", /#) { named.insert(String(match.1)) }
        }
        #expect(named.count > 100)
        #expect(named.subtracting(known).sorted() == [])
        #expect(formats.filter { !page.contains("`\($0)`") }.sorted() == [])
    }

    private func swiftFiles(in folder: String) throws -> [URL] {
        let root = Self.project.appending(path: folder)
        let files = FileManager.default.enumerator(at: root, includingPropertiesForKeys: nil)
        return (files?.allObjects as? [URL] ?? []).filter { $0.pathExtension == "swift" }
    }
}

/// The tables of the page.
private struct ReportPage {
    /// By format and path the types of the keys.
    private var tables: [String: [String: String]] = [:]

    /// Every key of every table.
    var keys: Set<String> { Set(tables.values.flatMap(\.keys)) }

    init(_ text: String) throws {
        for part in text.components(separatedBy: "\nPlace").dropFirst() {
            let head = try #require(part.components(separatedBy: "\n\n").first)
            let places = head.components(separatedBy: "`").enumerated().filter { $0.offset % 2 == 1 }.map(\.element)
            var types: [String: String] = [:]
            for line in part.components(separatedBy: "\n") where line.hasPrefix("| `") {
                let cells = line.components(separatedBy: "|").map { $0.trimmingCharacters(in: .whitespaces) }
                types[cells[1].replacingOccurrences(of: "`", with: "")] = cells[2]
            }
            #expect(!types.isEmpty && !places.isEmpty, "\(head)")
            for place in places {
                #expect(tables[place] == nil, "\(place) is there twice")
                tables[place] = types
            }
        }
    }

    /// What a document has that the page has not.
    func problems(of document: String) throws -> [String] {
        let value = try JSONSerialization.jsonObject(with: Data(document.utf8), options: .fragmentsAllowed)
        let root = try #require(value as? [String: Any])
        let format = try #require(root["format"] as? String)
        var problems: [String] = []
        visit(root, format, "", &problems)
        return problems
    }

    private func visit(_ value: Any, _ format: String, _ path: String, _ problems: inout [String]) {
        if let elements = value as? [Any] {
            for element in elements { visit(element, format, path + "[]", &problems) }
            return
        }
        guard let object = value as? [String: Any] else { return }
        let place = path.isEmpty ? format : "\(format) \(path)"
        guard let table = tables[place] else {
            if tables["\(place).*"] != nil {
                for member in object.values { visit(member, format, path + ".*", &problems) }
            } else {
                problems.append("no table for \(place)")
            }
            return
        }
        for (key, member) in object {
            guard let type = table[key] else {
                problems.append("\(place) has no key \(key)")
                continue
            }
            if !fits(member, type) { problems.append("\(place) \(key) is no \(type): \(member)") }
            // Within values and keys are the names of fields.
            if type == "value" || type.hasPrefix("key") || key == "keys" || ["waits_for", "emptied"].contains(key) {
                continue
            }
            visit(member, format, path.isEmpty ? key : "\(path).\(key)", &problems)
        }
    }

    private func fits(_ value: Any, _ type: String) -> Bool {
        if type == "value" { return true }
        if value is NSNull { return type.hasSuffix(" or null") }
        switch type.split(separator: " ").first {
        case "string": return value is String
        case "integer", "boolean": return value is NSNumber || value is Int || value is Bool
        case "array": return value is [Any]
        case "object", "key": return value is [String: Any]
        default: return false
        }
    }

    /// The paths of a document.
    static func shape(of document: String) throws -> Set<String> {
        var paths: Set<String> = []
        func visit(_ value: Any, _ path: String) {
            paths.insert(path)
            for element in value as? [Any] ?? [] { visit(element, path + "[]") }
            for (key, member) in value as? [String: Any] ?? [:] { visit(member, "\(path).\(key)") }
        }
        visit(try JSONSerialization.jsonObject(with: Data(document.utf8)), "")
        return paths
    }
}

extension String {
    /// The first fenced block of a language.
    fileprivate func block(_ language: String) -> String? {
        components(separatedBy: "```\(language)\n").dropFirst().first?.components(separatedBy: "```").first
    }
}
