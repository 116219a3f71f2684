import SluiceCommands
import Testing

/// A value that waits in the quarantine since a change of type is not said to stand in the table.
@Suite("Commands say where a value waits")
struct WaitingValueTextTests {
    private static func pipeline(_ due: String) -> String {
        """
        version: 1
        name: shop
        source: {base_url: "file:."}
        entities: {Item: {table: items, primary_key: id, fields: {id: int, due: \(due)}}}
        streams: [{name: items, entity: Item, path: items.json}]
        """
    }

    private static func items(_ second: String) -> String {
        #"[{"id":1,"due":"2026-12-01T10:00:00+01:00"},{"id":2,"due":"\#(second)"}]"#
    }

    /// Item 2 was edited to a text that is no time, and is in conflict; what was written into item 3 is a time in another zone.
    private func shop() throws -> Workshop {
        let shop = try Workshop()
        try shop.write(Self.pipeline("string"), to: "shop.yaml")
        try shop.write(Self.items("2026-12-02T00:00:00Z"), to: "items.json")
        _ = shop.sluice("run", shop.pipeline, "-q")
        try shop.sql(
            """
            UPDATE items SET due = 'soon' WHERE id = 2;
            INSERT INTO items (id, due) VALUES (3, '2026-12-25T12:00:00+01:00')
            """)
        try shop.write(Self.pipeline("datetime"), to: "shop.yaml")
        return shop
    }

    private func changed() throws -> Workshop {
        let shop = try shop()
        try shop.write(Self.items("2026-12-09T00:00:00Z"), to: "items.json")
        let run = shop.sluice("run", shop.pipeline, "-q", "--allow-schema", "quarantine")
        #expect(run.code == 0, "\(run)")
        return shop
    }

    @Test("The refusal says what values would become, and what `format` is for")
    func refusal() throws {
        let shop = try shop()
        let run = shop.sluice("run", shop.pipeline)
        #expect(run.code == 4)
        for words in [
            #""2026-12-01T10:00:00+01:00" in {"id":1} (would become "2026-12-01T09:00:00Z"), "soon" in {"id":2}, "#,
            #"only those pass that are written like "2026-12-01T00:00:00Z": `format` and `timezone` are for what the source says."#,
        ] {
            #expect(run.errors.contains(words) || run.output.contains(words), "\(run)")
        }
    }

    @Test("A refusal names all columns at once")
    func severalColumns() throws {
        let shop = try Workshop()
        func pipeline(_ fields: String) -> String {
            Self.pipeline("string").replacing("due: string", with: fields)
        }
        try shop.write(pipeline("due: string, n: string, at: string"), to: "shop.yaml")
        try shop.write(#"[{"id":1,"due":"soon","n":"many","at":"2026-12-01T00:00:00Z"}]"#, to: "items.json")
        #expect(shop.sluice("run", shop.pipeline, "-q").code == 0)
        try shop.write(pipeline("due: datetime, n: int, at: datetime"), to: "shop.yaml")
        let refused = shop.sluice("run", shop.pipeline)
        #expect(refused.code == 4)
        #expect(
            refused.errors.contains("`due` of `Item` is now datetime")
                && refused.errors.contains("`n` of `Item` is now int"), "\(refused)")
        #expect(!refused.errors.contains("`at` of `Item`"), "\(refused)")
    }

    @Test("A plan names the values, and what a field's format makes of them")
    func plan() throws {
        let shop = try shop()
        try shop.write(
            Self.pipeline(#"{type: datetime, format: [rfc3339, "%d.%m.%Y"], timezone: UTC}"#), to: "shop.yaml")
        try shop.sql("UPDATE items SET due = '24.12.2026' WHERE id = 2")
        let words = #""24.12.2026" in {"id":2} (would become "2026-12-24T00:00:00Z")"#
        let plan = shop.sluice("plan", shop.pipeline, "--allow-schema", "quarantine")
        #expect(plan.output.contains("due: to the quarantine, and null\n") && plan.output.contains(words), "\(plan)")
        #expect(!plan.output.contains("in quarantine"), "\(plan)")
        let markdown = shop.sluice("plan", shop.pipeline, "--allow-schema", "quarantine", "--format", "markdown")
        #expect(markdown.output.contains(words), "\(markdown)")
        let json = shop.sluice("plan", shop.pipeline, "--allow-schema", "quarantine", "--format", "json")
        #expect(json.output.contains(#""examples":["#), "\(json)")
    }

    @Test("Redaction waits until they are settled")
    func redaction() throws {
        let shop = try changed()
        let redacted = Self.pipeline("{type: string, redact: hash}")
        try shop.write(redacted, to: "shop.yaml")
        let refused = shop.sluice("run", shop.pipeline)
        #expect(
            refused.code == 4 && refused.errors.contains("in the quarantine since a change of its type"), "\(refused)")
        #expect(shop.sluice("quarantine", "list").output.contains("soon"))
        try shop.write(Self.pipeline("string"), to: "shop.yaml")
        #expect(shop.sluice("run", shop.pipeline, "-q").code == 0)
        #expect(try shop.rows("SELECT due FROM items WHERE id = 2") == [["soon"]])
        try shop.write(redacted, to: "shop.yaml")
        #expect(shop.sluice("run", shop.pipeline, "-q").code == 0)
        #expect(try shop.rows("SELECT due FROM items WHERE id = 2") == [["soon"]])
    }

    @Test("An entry says why its value did not pass")
    func entries() throws {
        let shop = try changed()
        let list = shop.sluice("quarantine", "list").output.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        #expect(list.contains(#"`due` is datetime now, and "soon" is no datetime. The column is null"#), "\(list)")
        #expect(
            list.contains(
                #"`due` is datetime now. "2026-12-25T12:00:00+01:00" would become "2026-12-25T11:00:00Z", and not be the same"#
            ),
            "\(list)")
        let status = shop.sluice("status").output
        #expect(status.contains("1 conflict open, 2 values in quarantine"), "\(status)")
        // What the source says it wrote itself.
        #expect(!list.contains("Item 1 "))
    }

    @Test("Conflicts, edits and the record name the entry")
    func places() throws {
        let shop = try changed()
        let show = shop.sluice("conflicts", "show", "1").output
        #expect(show.contains("(in quarantine 2, null in the table)"), "\(show)")
        #expect(show.contains(#"keeps "soon" in quarantine 2"#), "\(show)")
        let edits = shop.sluice("edits").output
        #expect(edits.contains("local in quarantine 2; conflict 1"), "\(edits)")
        let record = shop.sluice("inspect", "record", "Item", "2").output
        #expect(record.contains("in quarantine 2, null in the table; edited here"), "\(record)")
        #expect(record.contains(#"due  "soon" → null, to quarantine 2"#), "\(record)")
        // Its value came with the run that changed the type.
        let first = shop.sluice("inspect", "record", "Item", "1").output
        #expect(!first.contains("to quarantine"), "\(first)")
        let resolved = shop.sluice("conflicts", "resolve", "1", "--take", "local").output
        #expect(resolved.contains(#"resolved: "soon" stays in quarantine 2, and its column null"#), "\(resolved)")
    }

    @Test("A conflict over a whole record names the fields whose values wait, with their entries")
    func wholeRecord() throws {
        let shop = try shop()
        let gone = #"path: items.json, delete_missing: {mode: hard, max_delete: 100%, min_records: 0}"#
        try shop.write(Self.pipeline("string").replacing("path: items.json", with: gone), to: "shop.yaml")
        try shop.write("[]", to: "items.json")
        #expect(shop.sluice("run", shop.pipeline, "-q").code == 0)
        #expect(shop.sluice("conflicts", "show", "1").output.contains("edit_delete"))
        #expect(!shop.sluice("conflicts", "show", "1").output.contains("quarantine"))
        try shop.write(Self.pipeline("datetime").replacing("path: items.json", with: gone), to: "shop.yaml")
        let run = shop.sluice("run", shop.pipeline, "-q", "--allow-schema", "quarantine")
        #expect(run.code == 0, "\(run)")
        #expect(try shop.rows("SELECT coalesce(due, 'null') FROM items WHERE id = 2") == [["null"]])
        let entry = try #require(
            shop.rows("SELECT CAST(id AS text) FROM _sluice_quarantine WHERE status = 'open' AND key LIKE '%2%'")
                .first?.first)
        let shown = shop.sluice("conflicts", "show", "1")
        #expect(shown.output.contains("(due in quarantine \(entry), null in the table)"), "\(shown)")
        let json = shop.sluice("conflicts", "show", "1", "--format", "json")
        #expect(json.output.contains(#""fields_in_quarantine":{"due":\#(entry)}"#), "\(json)")
        try shop.sql("UPDATE items SET due = '2026-12-24T00:00:00Z' WHERE id = 2")
        #expect(shop.sluice("run", shop.pipeline, "-q").code == 0)
        let after = shop.sluice("conflicts", "show", "1")
        #expect(!after.output.contains("quarantine"), "\(after)")
    }

    @Test("Who drops an entry is told that its value does not come back")
    func drop() throws {
        let shop = try changed()
        let one = shop.sluice("quarantine", "drop", "2").output
        let run = try shop.rows("SELECT 'run ' || max(id) FROM _sluice_runs")[0][0]
        let back = "not come back with the type of before. To take that back, undo \(run).\n"
        #expect(one == "1 value dropped from quarantine.\nThe value does \(back)")
    }

    @Test("So do documents for programs, and all goes once the column holds a value")
    func documents() throws {
        let shop = try changed()
        let member = #""waits_in_quarantine":2"#
        let commands = [["conflicts", "show", "1"], ["edits"], ["inspect", "record", "Item", "2"]]
        for command in commands {
            #expect(shop.sluice(command + ["--format", "json"]).output.contains(member), "\(command)")
        }
        let decided = shop.sluice("conflicts", "resolve", "1", "--take", "local", "--format", "json").output
        #expect(decided.contains(member), "\(decided)")
        try shop.sql("UPDATE items SET due = '2026-12-24T00:00:00Z' WHERE id = 2")
        _ = shop.sluice("run", shop.pipeline, "-q")
        for command in commands {
            let outcome = shop.sluice(command + ["--format", "json"])
            #expect(!outcome.output.contains("waits_in_quarantine"), "\(outcome)")
        }
        #expect(!shop.sluice("quarantine", "list").output.contains("Item 2"))
    }
}
