import Foundation
import TestSupport
import Testing

/// What people do to a store between runs, besides editing rows.
@Suite struct StoreChangeTests {
    private func rewrite(_ scene: Scene, _ old: String, _ new: String) throws {
        let file = scene.folder.file("books.yaml")
        try scene.write("books.yaml", String(contentsOfFile: file, encoding: .utf8).replacing(old, with: new))
    }

    @Test func aTableThatWasDroppedIsFilledAgain() throws {
        let scene = try Scene(records: 3)
        #expect(try Program.run("run", "books.yaml", in: scene.path).code == 0)
        try scene.execute("DROP TABLE books")
        #expect(try Program.run("run", "books.yaml", in: scene.path).code == 0)
        #expect(try scene.query("SELECT count(*), count(title) FROM books") == ["3|3"])
    }

    @Test func anotherTableIsFilledFromTheStart() throws {
        let scene = try Scene(records: 3)
        #expect(try Program.run("run", "books.yaml", in: scene.path).code == 0)
        try rewrite(scene, "table: books", "table: volumes")
        #expect(try Program.run("run", "books.yaml", in: scene.path).code == 0)
        #expect(try scene.query("SELECT count(*), count(title) FROM volumes") == ["3|3"])
        let again = try Program.run("run", "books.yaml", in: scene.path)
        #expect(again.output.contains("nothing changed"), "\(again.output)")
    }

    @Test(arguments: ["ALTER TABLE books DROP COLUMN title", ""])
    func aColumnThatIsNewIsFilled(sql: String) throws {
        let scene = try Scene(records: 3)
        #expect(try Program.run("run", "books.yaml", in: scene.path).code == 0)
        if sql.isEmpty {
            try rewrite(scene, "title: string", "title: {type: string, column: name}")
        } else {
            try scene.execute(sql)
        }
        #expect(try Program.run("run", "books.yaml", in: scene.path).code == 0)
        let column = sql.isEmpty ? "name" : "title"
        #expect(try scene.query("SELECT count(\(column)) FROM books") == ["3"])
        // And it goes on from there.
        try scene.writeBooks(3, edition: 2)
        #expect(try Program.run("run", "books.yaml", in: scene.path).code == 0)
        #expect(try scene.query("SELECT DISTINCT substr(\(column), -1) FROM books") == ["2"])
        #expect(try scene.query("SELECT count(*) FROM _sluice_conflicts") == ["0"])
    }

    @Test func aCollisionHoldsItsFieldAlone() throws {
        let scene = try Scene(records: 2)
        try rewrite(scene, "primary_key: [id]", "primary_key: [id]\n    unique: [[title]]")
        #expect(try Program.run("run", "books.yaml", in: scene.path).code == 0)
        try scene.execute("INSERT INTO books (id, title) VALUES (99, 'taken')")
        try scene.write(
            "books.json", #"[{"id": 1, "title": "taken"}, {"id": 2, "title": "free"}, {"id": 3, "title": "taken"}]"#)
        for command in ["plan", "run"] {
            let result = try Program.run(command, "books.yaml", "--format", "json", in: scene.path)
            #expect(result.code == 0)
            let report = try #require(JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [String: Any])
            let pipeline = try #require((report["pipelines"] as? [[String: Any]])?.first)
            let changes = try #require(pipeline["changes"] as? [[String: Any]])
            let keys = changes.compactMap { ($0["key"] as? [String: Any])?["id"] as? Int }
            #expect(keys.sorted() == [1, 2, 3], "what waits for its value is listed as a conflict")
            let open = changes.filter { $0["action"] as? String == "conflict" }
            #expect(open.count == 2)
        }
        #expect(
            try scene.query("SELECT id, coalesce(title, 'none') FROM books ORDER BY id") == [
                "1|Book 1, edition 1", "2|free", "3|none", "99|taken",
            ])
        let again = try Program.run("run", "books.yaml", "--format", "json", in: scene.path)
        #expect(again.output.contains(#""changes":[]"#), "it is told once")
    }

    @Test func secretsInPathsAndNamesAreHidden() throws {
        let scene = try Scene(records: 1)
        try rewrite(scene, "path: books.json", "path: '${env:BOOKS_SECRET}.json'")
        let environment = ["BOOKS_SECRET": "hunter2-very-long"]
        for arguments in [["run", "books.yaml"], ["run", "books.yaml", "--format", "json"]] {
            let result = try Program.start(arguments, in: scene.path, environment: environment).wait()
            #expect(result.code == 1)
            #expect(!(result.output + result.errors).contains("hunter2"), "\(result.output)\(result.errors)")
        }
        try rewrite(scene, "entity: Book", "entity: '${env:BOOKS_SECRET}'")
        let result = try Program.start(["validate", "books.yaml"], in: scene.path, environment: environment).wait()
        #expect(result.code == 78)
        #expect(!(result.output + result.errors).contains("hunter2"), "\(result.output)\(result.errors)")
    }
}
