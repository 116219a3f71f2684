import TestSupport
import Testing

/// Where the first run of an incremental stream begins.
@Suite struct InitialValueTests {
    @Test(arguments: [
        (#""%Y-%m-%dT%H:%M:%S%z""#, "2020-01-01T00:00:00Z"),
        (#""%Y-%m-%dT%H:%M:%S%z""#, #""2020-01-01T01:00:00+0100""#),
        ("unix", "2020-01-01T00:00:00Z"), ("unix", "1577836800"), ("rfc3339", "2020-01-01T00:00:00Z"),
    ])
    func isWrittenAsTheStoreOrTheSourceDoes(_ format: String, _ initial: String) throws {
        let server = try LoopbackServer { _ in .text("[]") }
        defer { server.stop() }
        let scene = try Scene(url: server.url)
        try scene.write(
            "books.yaml",
            """
            version: 1
            name: books
            store: sqlite:shop.db
            source: {base_url: "\(server.url)"}
            entities: {Book: {table: books, primary_key: id, fields: {id: int, at: {type: datetime, format: \(format)}}}}
            streams:
              - name: books
                entity: Book
                path: /books
                params: {since: "{{ cursor.start }}"}
                incremental: {cursor_field: at, initial_value: \(initial), format: unix}
            """)
        let run = try Program.run("run", "books.yaml", in: scene.path)
        #expect(run.code == 0, "\(run.output)\(run.errors)")
        #expect(server.requests.map(\.query) == ["since=1577836800"])
    }
}
