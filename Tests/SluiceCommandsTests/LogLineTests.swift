import SluiceCommands
import SluiceReport
import SluiceSystem
import Testing

/// What standard error tells of runs: each line with its pipeline and its stream, and with the time where nobody watches.
@Suite struct LogLineTests {
    private let shop: Workshop

    init() throws {
        shop = try Workshop()
        for name in ["books", "films"] {
            try shop.write(
                """
                version: 1
                name: \(name)
                store: sqlite:\(shop.store)
                source: {base_url: "file:."}
                entities:
                  Item: {table: \(name), primary_key: [id], fields: {id: int, title: string}}
                  Shelf: {table: \(name)_shelves, primary_key: [id], fields: {id: int}}
                streams:
                  - {name: items, entity: Item, path: \(name).json, delete_missing: {mode: hard, max_delete: 1}}
                  - {name: shelves, entity: Shelf, path: shelves.json}
                """, to: "\(name).yaml")
            try shop.write(#"[{"id":1,"title":"a"},{"id":2,"title":"b"}]"#, to: "\(name).json")
        }
        try shop.write("[]", to: "shelves.json")
    }

    private func lines(_ command: String, _ options: String..., isTerminal: Bool = false) -> [String] {
        let paths = ["books", "films"].map { "\(shop.folder)/\($0).yaml" }
        return shop.run([command] + paths + options, errors: MemorySink(isTerminal: isTerminal)).errors
            .split(separator: "\n").map(String.init)
    }

    @Test func aQuietRunTellsNothingWhereAllIsWell() {
        #expect(lines("run", "-q") == [])
        #expect(lines("run", "-q", isTerminal: true) == [])
    }

    @Test func refusedDeletesNameTheirStreams() throws {
        _ = lines("run", "-q")
        for name in ["books", "films"] { try shop.write("[]", to: "\(name).json") }
        for (line, pipeline) in zip(lines("run", "-q"), ["books", "films"]) {
            #expect(line.contains(try Regex("^[-0-9T:]+Z error: \(pipeline)/items: ")), "\(line)")
        }
        #expect(lines("run", "-q").count == 2)
        for (line, pipeline) in zip(lines("run", "-q", isTerminal: true), ["books", "films"]) {
            #expect(line.hasPrefix("error: \(pipeline)/items: "), "\(line)")
        }
    }

    @Test func aStreamThatFailsIsNamed() throws {
        FileSystem.remove("\(shop.folder)/shelves.json")
        let told = lines("plan", "-q")
        #expect(told.count == 2)
        for (line, pipeline) in zip(told, ["books", "films"]) {
            #expect(line.contains(try Regex("^[-0-9T:]+Z error: \(pipeline)/shelves: ")), "\(line)")
        }
    }

    @Test func whatAnErrorSaysOfItsStreamIsInTheReportForPrograms() throws {
        FileSystem.remove("\(shop.folder)/shelves.json")
        let outcome = shop.run(["plan", "\(shop.folder)/books.yaml", "--format", "json"])
        #expect(outcome.output.contains(#","stream":"shelves"}"#), "\(outcome.output)")
    }

    @Test func theLogTellsOfEachPipelineAndStream() {
        let told = lines("run", "--log-level", "info", "-q").map { String($0.drop { $0 != " " }.dropFirst()) }
        for pipeline in ["books", "films"] {
            #expect(told.contains { $0.hasPrefix("info: \(pipeline): run of `") })
            #expect(told.contains("info: \(pipeline)/items: 1 page, 43 bytes, 2 records"), "\(told)")
        }
    }

    @Test func aLineCannotBeForgedByAName() throws {
        let sink = MemorySink()
        let line = ProgressLine(
            sink: nil, pipeline: "a\nerror: b", log: Log(level: .info, sink: sink) { "2026-01-01T00:00:00Z" })
        line.show(.init(stage: .waiting(seconds: 1, until: "x", reason: "y\nz", cause: .retry), stream: "s"))
        #expect(sink.text.split(separator: "\n").count == 1)
    }
}
