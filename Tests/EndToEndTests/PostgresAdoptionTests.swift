import TestSupport
import Testing

/// Tables and columns of people on PostgreSQL.
@Suite struct PostgresAdoptionTests {
    private func pipeline(_ fields: String, _ more: String = "", streams: String = "") -> String {
        """
        version: 1
        name: shop
        source: {base_url: "file:."}
        entities:
          B: {table: b, primary_key: id, fields: {id: int, \(fields)}}
        \(more)
        streams:
        - {name: b, entity: B, path: b.json, delete_missing: {mode: hard, max_delete: 100%}}
        \(streams)
        """
    }

    @Test(
        "Columns of pairs whose names differ in capital and small letters alone are refused",
        arguments: [
            #"b_id bigint, "B_id" bigint, g_id bigint"#, #"b_id bigint, g_id bigint, "G_ID" bigint"#,
        ])
    func refusesPairs(_ columns: String) throws {
        let scene = try TableScene(.postgres)
        try scene.execute("CREATE TABLE b_gs (\(columns), PRIMARY KEY (b_id, g_id))")
        try scene.write(
            "shop.yaml",
            pipeline(
                #"gs: {refs: G, from: "gs[*]"}"#, "  G: {table: g, primary_key: id, fields: {id: int}}",
                streams: "- {name: g, entity: G, path: g.json}"))
        try scene.write("b.json", #"[{"id": 1, "gs": [1]}]"#)
        try scene.write("g.json", #"[{"id": 1}]"#)
        let run = try scene.sluice("run", "shop.yaml")
        #expect(run.code == 4, "\(run)")
        #expect(run.errors.contains("differ in capital and small letters alone"), "\(run)")
        #expect(try scene.sluice("validate", "shop.yaml").code != 0)
    }

    @Test(
        "A text that `jsonb` does not take is refused or kept in the quarantine",
        arguments: [
            "1e400000", #"{\"a\":[1e-20000]}"#, #"{\"a\":\"\\u0000\"}"#,
        ])
    func convertsToJSON(_ text: String) throws {
        let scene = try TableScene(.postgres)
        try scene.write("shop.yaml", pipeline("v: string"))
        try scene.write("b.json", #"[{"id": 1, "v": "[1]"}, {"id": 2, "v": "\#(text)"}]"#)
        #expect(try scene.sluice("run", "shop.yaml").code == 0)
        try scene.write("shop.yaml", pipeline("v: json"))
        try scene.write("b.json", #"[{"id": 1, "v": [1]}, {"id": 2, "v": 7}]"#)
        let refused = try scene.sluice("run", "shop.yaml")
        #expect(refused.code == 4, "\(refused)")
        #expect(refused.errors.contains("1 of the 2 values of the column `v` of `b`"), "\(refused)")
        let run = try scene.sluice("run", "shop.yaml", "--allow-schema", "quarantine")
        #expect(run.code == 0, "\(run)")
        #expect(try scene.query("SELECT v::text FROM b ORDER BY id") == ["[1]", "7"])
    }

    @Test("A record with a number that `jsonb` does not take goes to quarantine alone")
    func quarantinesLongNumbers() throws {
        let scene = try TableScene(.postgres)
        try scene.write("shop.yaml", pipeline("v: json"))
        try scene.write(
            "b.json", #"[{"id": 1, "v": 1e131071}, {"id": 2, "v": {"a": 1e131072}}, {"id": 3, "v": "1e400000"}]"#)
        let run = try scene.sluice("run", "shop.yaml")
        #expect(run.output.contains("2 inserted, 1 not written"), "\(run)")
        #expect(run.output.contains("at most 131072 digits of a number before the point"), "\(run)")
        #expect(try scene.query("SELECT id::text FROM b ORDER BY id") == ["1", "3"])
    }

    @Test("A column `json` of people's own comes back as it was written")
    func keepsOwnJSON() throws {
        let scene = try TableScene(.postgres)
        try scene.execute("CREATE TABLE b (id bigint PRIMARY KEY, n text, own json, data json)")
        try scene.write("shop.yaml", pipeline("n: string, data: json"))
        try scene.write("b.json", #"[{"id": 1, "n": "x", "data": {"a": 1}}, {"id": 2, "n": "y", "data": null}]"#)
        #expect(try scene.sluice("run", "shop.yaml").code == 0)
        let text = #"{ "b" :  1.0,   "a": 2, "b": "\u0000" }"#
        try scene.execute("UPDATE b SET own = '\(text)'")
        try scene.write("b.json", #"[{"id": 2, "n": "z", "data": null}]"#)
        #expect(try scene.sluice("run", "shop.yaml").code == 0)
        let undo = try scene.sluice("undo", "2")
        #expect(undo.code == 0, "\(undo)")
        #expect(try scene.query("SELECT n, own::text FROM b ORDER BY id") == ["x|\(text)", "y|\(text)"])
    }

    @Test("A column of a domain takes what its type takes, and the domain's rules hold")
    func takesDomains() throws {
        let scene = try TableScene(.postgres)
        try scene.execute(
            """
            CREATE DOMAIN amount AS integer CHECK (value > 0);
            CREATE DOMAIN price AS numeric(10, 2) NOT NULL;
            CREATE DOMAIN discount AS price CHECK (value < 100);
            CREATE DOMAIN label AS varchar(20);
            CREATE TABLE b (id bigint PRIMARY KEY, n amount, p discount, l label, own amount)
            """)
        try scene.write("shop.yaml", pipeline("n: int, p: decimal, l: string"))
        try scene.write(
            "b.json",
            """
            [{"id": 1, "n": 5, "p": "1.50", "l": "a"}, {"id": 2, "n": -1, "p": "2", "l": "b"},
             {"id": 3, "n": 7, "p": "100", "l": "c"}, {"id": 4, "n": 7, "p": null, "l": "d"}]
            """)
        let run = try scene.sluice("run", "shop.yaml")
        #expect(run.output.contains("1 inserted, 3 not written"), "\(run)")
        #expect(try scene.query("SELECT concat_ws('|', id, n, p, l) FROM b ORDER BY id") == ["1|5|1.50|a"])
        #expect(try scene.sluice("run", "shop.yaml").output.contains("nothing changed"))
        try scene.execute("UPDATE b SET n = 6, own = 9")
        try scene.write("b.json", #"[{"id": 1, "n": 8, "p": "1.5", "l": "A"}]"#)
        let conflict = try scene.sluice("run", "shop.yaml")
        #expect(conflict.output.contains("base 5") && conflict.output.contains("remote 8"), "\(conflict)")
        #expect(try scene.sluice("conflicts", "resolve", "1", "--take", "remote").code == 0)
        #expect(try scene.query("SELECT concat_ws('|', n, p, l, own) FROM b") == ["8|1.50|A|9"])
        #expect(try scene.sluice("undo", "4").code == 0)
        #expect(try scene.sluice("undo", "3").code == 0)
        #expect(try scene.query("SELECT concat_ws('|', n, p, l, own) FROM b") == ["6|1.50|a|9"])
        #expect(try scene.sluice("store", "check").code == 0)
    }

    @Test("A function that finds its table by the search path alone is named, and what helps")
    func namesTheFunction() throws {
        let scene = try TableScene(.postgres)
        try scene.write("shop.yaml", pipeline("n: string"))
        try scene.write("b.json", #"[{"id": 1, "n": "x"}]"#)
        #expect(try scene.sluice("run", "shop.yaml").code == 0)
        try scene.execute(
            """
            CREATE TABLE audit (id bigint);
            CREATE FUNCTION note_change() RETURNS trigger LANGUAGE plpgsql AS
                $$ BEGIN INSERT INTO audit VALUES (new.id); RETURN new; END $$;
            CREATE TRIGGER noted BEFORE UPDATE ON b FOR EACH ROW EXECUTE FUNCTION note_change()
            """)
        try scene.write("b.json", #"[{"id": 1, "n": "y"}]"#)
        let run = try scene.sluice("run", "shop.yaml")
        #expect(run.code == 1, "\(run)")
        #expect(run.errors.contains("note_change()` of the database, which a trigger calls, fails"), "\(run)")
        #expect(run.errors.contains(#"relation "audit" does not exist"#), "\(run)")
        try scene.execute("ALTER FUNCTION note_change() SET search_path FROM CURRENT")
        #expect(try scene.sluice("run", "shop.yaml").code == 0)
        #expect(try scene.query("SELECT id::text FROM audit") == ["1"])
    }
}
