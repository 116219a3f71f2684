import Foundation
import TestSupport
import Testing

/// Children whose record people deleted in a database that does not look at its foreign keys, as the shell of SQLite does.
@Suite struct OrphanTests {
    private static func project(_ id: Int, owner: Int) -> String {
        #"{"id":\#(id),"name":"P","owner":\#(owner),"tasks":[{"id":1,"title":"t"}]}"#
    }

    @Test func theyStandInNoRunsWay() throws {
        let scene = try Scene()
        try scene.write(
            "p.yaml",
            """
            version: 1
            name: p
            store: sqlite:shop.db
            source: {base_url: "file:."}
            entities:
              Member: {table: members, primary_key: id, fields: {id: int, name: string}}
              Project:
                table: projects
                primary_key: id
                fields: {id: int, name: string, owner: {ref: Member}}
                children: {tasks: {entity: Task, from: "tasks[*]", key: [id]}}
              Task: {table: tasks, fields: {id: int, title: string}}
            streams:
              - {name: members, entity: Member, path: m.json}
              - {name: projects, entity: Project, path: p.json, delete_missing: {mode: hard, max_delete: 100%}}
            """)
        func run(_ projects: String...) throws -> Program.Result {
            try scene.write("p.json", "[" + projects.joined(separator: ",") + "]")
            return try Program.run("run", "p.yaml", in: scene.path)
        }
        try scene.write("m.json", #"[{"id":1,"name":"a"},{"id":2,"name":"b"}]"#)
        #expect(try run(Self.project(1, owner: 1), Self.project(2, owner: 2)).code == 0)
        try scene.execute("DELETE FROM projects WHERE id = 1")
        #expect(try run(Self.project(1, owner: 1), Self.project(2, owner: 2)).code == 0)
        // A reference that waits has all of them looked at.
        let waiting = try run(Self.project(1, owner: 1), Self.project(2, owner: 9))
        #expect(waiting.code == 0, "\(waiting)")
        let decided = try run(Self.project(1, owner: 7), Self.project(2, owner: 8))
        #expect(decided.code == 0, "\(decided)")
        let checked = try Program.run("store", "check", "--store", "sqlite:shop.db", in: scene.path)
        #expect(checked.output.contains("belongs to rows of `projects` that are not there"), "\(checked)")
        let gone = try run(Self.project(2, owner: 8))
        #expect(gone.code == 0, "\(gone)")
        let after = try run(Self.project(2, owner: 9))
        #expect(after.code == 0, "\(after)")
        #expect(try scene.query("SELECT id FROM projects WHERE owner_id IS NULL") == ["2"])
    }
}
