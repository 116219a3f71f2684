import TestSupport
import Testing

/// Columns that a foreign key of people's own makes null (`ON DELETE SET NULL`) with rows that are deleted.
@Suite struct EmptiedAlongTests {
    private static let pipeline = """
        version: 1
        name: p
        source: {base_url: "file:."}
        entities:
          T: {table: t, primary_key: [id], fields: {id: int, n: string}}
          W: {table: w, primary_key: [id], fields: {id: int}}
        streams:
          - {name: t, entity: T, path: t.json, delete_missing: {mode: hard, max_delete: 100%, min_records: 0}}
          - {name: w, entity: W, path: w.json}
        """

    private func scene(_ kind: TableScene.Kind) throws -> TableScene {
        let scene = try TableScene(kind)
        try scene.write("p.yaml", Self.pipeline)
        try scene.write("t.json", #"[{"id":1,"n":"x"},{"id":2,"n":"y"},{"id":3,"n":"z"}]"#)
        try scene.write("w.json", #"[{"id":1}]"#)
        #expect(try scene.sluice("run", "p.yaml").code == 0)
        return scene
    }

    /// The table is people's own: nothing has what it held.
    @Test(arguments: TableScene.Kind.allCases) func ofATableOfTheirOwn(_ kind: TableScene.Kind) throws {
        let scene = try scene(kind)
        try scene.execute(
            "CREATE TABLE notes (k bigint PRIMARY KEY, t_id bigint REFERENCES t (id) ON DELETE SET NULL)")
        try scene.execute("INSERT INTO notes VALUES (1, 1), (2, 2), (3, 2), (4, 3), (5, NULL)")
        try scene.write("t.json", #"[{"id":3,"n":"z"}]"#)
        let told =
            "3 values of `notes.t_id` become null with rows that are deleted, through a foreign key of the database (`ON DELETE SET NULL`). `sluice undo` does not bring them back."
        for command in ["plan", "run"] {
            let result = try scene.sluice(command, "p.yaml")
            #expect(result.output.contains(told), "\(result.output)\(result.errors)")
        }
        #expect(try scene.query("SELECT CAST(count(t_id) AS text) FROM notes") == ["1"])
        #expect(!(try scene.sluice("run", "p.yaml").output.contains("notes")))
    }

    /// What the table refuses to let go empties nothing.
    @Test(arguments: Seeds.some(of: TableScene.Kind.allCases, oneOf: 2)) func ofRefusedDeletions(
        _ kind: TableScene.Kind
    ) throws {
        let scene = try scene(kind)
        try scene.execute(
            "CREATE TABLE notes (k bigint PRIMARY KEY, t_id bigint REFERENCES t (id) ON DELETE SET NULL)")
        try scene.execute("INSERT INTO notes VALUES (1, 1), (2, 2), (3, 3)")
        try scene.execute("CREATE TABLE firm (k bigint PRIMARY KEY, t_id bigint REFERENCES t (id) ON DELETE RESTRICT)")
        try scene.execute("INSERT INTO firm VALUES (1, 1), (2, 3)")
        try scene.write("t.json", "[]")
        for command in ["plan", "run"] {
            let result = try scene.sluice(command, "p.yaml").output
            #expect(result.contains("1 value of `notes.t_id` becomes null"), "\(result)")
        }
        #expect(try scene.query("SELECT CAST(count(t_id) AS text) FROM notes") == ["2"])
        #expect(!(try scene.sluice("run", "p.yaml").output.contains("notes")))
    }

    /// The table is one of records, and no field fills the column.
    @Test(arguments: Seeds.some(of: TableScene.Kind.allCases, oneOf: 2)) func ofATableOfRecords(_ kind: TableScene.Kind)
        throws
    {
        let scene = try scene(kind)
        try scene.execute("ALTER TABLE w ADD COLUMN t_id INT REFERENCES t (id) ON DELETE SET NULL")
        try scene.execute("UPDATE w SET t_id = 1")
        try scene.write("t.json", #"[{"id":2,"n":"y"},{"id":3,"n":"z"}]"#)
        let run = try scene.sluice("run", "p.yaml").output
        #expect(run.contains("1 value of `w.t_id` becomes null"), "\(run)")
        #expect(run.contains("brings it back; the next runs leave it null.\n"), "\(run)")
        #expect(try scene.sluice("undo", "2").code == 0)
        #expect(try scene.query("SELECT CAST(t_id AS text) FROM w") == ["1"])
    }
}
