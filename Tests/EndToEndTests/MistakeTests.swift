import Foundation
import TestSupport
import Testing

/// Mistakes that people make in pipelines: what is said names the mistake, and not what it looks like.
@Suite struct MistakeTests {
    @Test func recordsAreForgotten() throws {
        let scene = try Scene(
            document: #"{"total": 2, "issues": [{"id": 1}, {"id": 2}]}"#, fields: "id: int", key: "id")
        let run = try Program.run("run", "books.yaml", in: scene.path)
        let said = run.output + run.errors
        #expect(
            said.contains("has a list of objects at `$.issues[*]`: if those are the records, set `records`"), "\(said)")
    }

    @Test func aListWithinARecordIsNoMistake() throws {
        let scene = try Scene(
            document: #"[{"name": "a", "parts": [{"id": 1}]}]"#, fields: "id: int", key: "id")
        let run = try Program.run("run", "books.yaml", in: scene.path)
        #expect(!(run.output + run.errors).contains("set `records`"), "\(run.output)\(run.errors)")
    }

    @Test func aKeyThatIsNone() throws {
        let server = try LoopbackServer { request in
            let page = request.query?.contains("page=2") == true ? 2 : 1
            let records = (1...4).map { #"{"id": \#(page * 10 + $0), "kind": "one"}"# }
            return .text("[\(records.joined(separator: ","))]")
        }
        defer { server.stop() }
        let scene = try Scene(url: server.url)
        try scene.write(
            "things.yaml",
            """
            version: 1
            name: things
            store: sqlite:shop.db
            source: {base_url: "\(server.url)"}
            entities: {Thing: {table: things, primary_key: kind, fields: {kind: string, id: int}}}
            streams:
              - {name: things, entity: Thing, path: /things, paginator: {type: page_number}}
            """)
        let run = try Program.run("run", "things.yaml", in: scene.path)
        #expect(run.code == 1)
        #expect(run.errors.contains("have 1 identifier, "), "\(run.errors)")
        #expect(run.errors.contains("Choose another `primary_key`; where it is right"), "\(run.errors)")
    }

    @Test("A 304 that the stream's own header asks for", arguments: [false, true])
    func notModified(isKnown: Bool) throws {
        let server = try LoopbackServer { request in
            request.number == 0 ? .text(#"[{"id": 1}]"#) : ServerResponse(status: 304)
        }
        defer { server.stop() }
        let scene = try Scene(url: server.url)
        try scene.write(
            "things.yaml",
            """
            version: 1
            name: things
            store: sqlite:shop.db
            source:
              base_url: "\(server.url)"
              conditional: none
              on_response: [\(isKnown ? "{status: 304, action: ignore}" : "")]
            entities: {Thing: {table: things, primary_key: id, fields: {id: int}}}
            streams:
              - name: things
                entity: Thing
                path: /things
                headers: {If-Modified-Since: "Mon, 01 Jan 2024 00:00:00 GMT"}
                delete_missing: hard
            """)
        #expect(try Program.run("run", "things.yaml", in: scene.path).code == 0)
        let run = try Program.run("run", "things.yaml", in: scene.path)
        #expect(run.code == (isKnown ? 0 : 1), "\(run.output)\(run.errors)")
        #expect(run.errors.contains("Add `on_response: [{status: 304, action: ignore}]`") == !isKnown, "\(run.errors)")
        #expect(try scene.query("SELECT id FROM things") == ["1"])
    }

    @Test func keysThatAreAbsentHereAndThere() throws {
        let scene = try Scene(records: 1)
        try scene.write(
            "tasks.json",
            #"[{"id":1,"done":true,"owner":"Ann"},{"id":2,"owner":null},{"id":3,"done":true,"owner":"Bo"}]"#)
        let run = try Program.run(
            "import", "tasks.json", "--store", "sqlite:tasks.db", "--write-pipeline", "tasks.yaml", in: scene.path)
        #expect(run.code == 0, "\(run.errors)")
        #expect(run.output.contains("`done` is absent in some records and null in none."), "\(run.output)")
        let written = try String(contentsOfFile: "\(scene.path)/tasks.yaml", encoding: .utf8)
        #expect(written.contains("done: bool  # absent in 1 of 3 records: `on_missing: set_null`"), "\(written)")
        #expect(written.contains("owner: string\n"), "\(written)")
        #expect(try Program.run("validate", "tasks.yaml", in: scene.path).code == 0)
    }

    /// A `string` keeps the digits of amounts in quotes, and a person may want to have them as numbers.
    @Test func decimalsInQuotesAreNoted() throws {
        let scene = try Scene(records: 1)
        try scene.write(
            "bills.json",
            #"[{"id":1,"sum":"472.62","zip":"01099","v":"1.2.3"},{"id":2,"sum":"-0.50","zip":"10115","v":"1.3"}]"#)
        let run = try Program.run(
            "import", "bills.json", "--store", "sqlite:bills.db", "--write-pipeline", "bills.yaml", in: scene.path)
        #expect(run.code == 0, "\(run.errors)")
        let written = try String(contentsOfFile: "\(scene.path)/bills.yaml", encoding: .utf8)
        #expect(
            written.contains("sum: string  # decimal numbers in quotes: `decimal` keeps their digits too"), "\(written)"
        )
        #expect(written.contains("zip: string\n") && written.contains("v: string\n"), "\(written)")
    }
}
