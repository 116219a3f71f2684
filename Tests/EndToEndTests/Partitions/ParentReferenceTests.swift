import TestSupport
import Testing

/// A reference to the record of the parent stream, whose key the child's records do not have.
@Suite struct ParentReferenceTests {
    private static func pipeline(_ url: String, field: String = #"repo: {ref: Repo, value: "{{ parent.id }}"}"#)
        -> String
    {
        """
        version: 1
        name: forge
        store: sqlite:shop.db
        source: {base_url: "\(url)", retry: {max_attempts: 1}}
        entities:
          Repo: {table: repos, primary_key: [id], fields: {id: int, name: string}}
          Issue: {table: issues, primary_key: [id], fields: {id: int, title: string, \(field)}}
        streams:
          - {name: repos, entity: Repo, path: /repos, delete_missing: {mode: hard, max_delete: 100%}}
          - name: issues
            entity: Issue
            path: "/repos/{{ parent.id }}/issues"
            parent: {stream: repos}
            delete_missing: {mode: hard, max_delete: 100%}
        """
    }

    @Test func isTheParentsKey() throws {
        let server = try LoopbackServer { request in
            switch request.path {
            case "/repos": .text(#"[{"id": 1, "name": "a"}, {"id": 2, "name": "b"}]"#)
            // What stands under the field's own name is not meant.
            case "/repos/1/issues": .text(#"[{"id": 10, "title": "x", "repo": {"id": 9}}, {"id": 11, "title": "y"}]"#)
            default: .text(#"[{"id": 20, "title": "z"}]"#)
            }
        }
        defer { server.stop() }
        let scene = try Scene(url: server.url)
        try scene.write("forge.yaml", Self.pipeline(server.url))
        let run = try Program.run("run", "forge.yaml", in: scene.path)
        #expect(run.code == 0, "\(run.output)\(run.errors)")
        #expect(try scene.query("SELECT id, repo_id FROM issues ORDER BY id") == ["10|1", "11|1", "20|2"])
        #expect(try scene.query("SELECT id FROM repos ORDER BY id") == ["1", "2"])
        #expect(
            try scene.query("SELECT \"from\", \"table\", \"to\" FROM pragma_foreign_key_list('issues')")
                == ["repo_id|repos|id"])
        let again = try Program.run("plan", "forge.yaml", "--detailed-exitcode", in: scene.path)
        #expect(again.code == 0, "\(again.output)\(again.errors)")
    }

    @Test(arguments: [
        (#"repo: {ref: Repo, from: r, value: "{{ parent.id }}"}"#, "has both `from` and `value`"),
        (#"repo: {refs: Repo, value: "{{ parent.id }}"}"#, "`value` does not go with `refs`"),
        (#"repo: {ref: Repo, value: "{{ parent.number }}"}"#, "`number`, which is no field of `Repo`"),
    ])
    func isRefusedWhereItCannotBe(field: String, word: String) throws {
        let scene = try Scene(url: "http://127.0.0.1:9")
        try scene.write("forge.yaml", Self.pipeline("http://127.0.0.1:9", field: field))
        let result = try Program.run("validate", "forge.yaml", in: scene.path)
        #expect(result.code == 78 && (result.output + result.errors).contains(word), "\(result.output)\(result.errors)")
    }
}
