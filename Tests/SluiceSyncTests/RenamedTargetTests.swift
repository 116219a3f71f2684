import SluiceReport
import SluiceSync
import TestSupport
import Testing

/// Entities that others refer to and that no stream fills get another name: people fill their tables, and runs make
/// rows of them that only have a key.
@Suite("Renamed entities that no stream fills")
struct RenamedTargetTests {
    struct Names: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var team = "Team"
        var teams = "team"
        /// What the entity says of its earlier names.
        var former = ""
        /// The fields of a team besides its organisation.
        var fields = "nr: int, name: string"
        var number = "nr"
        var org = "Org"
        var orgs = "org"
        var formerOrg = ""
        var label = "Label"
        var formerLabel = ""
    }

    static let before = Names(testDescription: "before")
    static let cases = [
        Names(testDescription: "with its table", team: "Squad", teams: "squad", former: "renamed_from: Team"),
        Names(testDescription: "its table alone", teams: "squads", former: "table_renamed_from: team"),
        Names(
            testDescription: "a field of its key", fields: "number: {type: int, renamed_from: nr}, name: string",
            number: "number"),
        Names(
            testDescription: "what it refers to itself", org: "Company", orgs: "company",
            formerOrg: "renamed_from: Org"),
        Names(testDescription: "what a set refers to", label: "Tag", formerLabel: "renamed_from: Label"),
        Names(
            testDescription: "all of them", team: "Squad", teams: "squad", former: "renamed_from: Team",
            fields: "number: {type: int, renamed_from: nr}, name: string", number: "number", org: "Company",
            orgs: "company", formerOrg: "renamed_from: Org", label: "Tag", formerLabel: "renamed_from: Label"),
    ]

    /// Takes the pipeline under some names. Whether streams fill the entities must not make a difference.
    private func define(_ names: Names, in shop: Workshop, isFilled: Bool) throws {
        let streams =
            isFilled
            ? """
            - {name: teams, entity: \(names.team), path: nothing.json}
              - {name: orgs, entity: \(names.org), path: nothing.json}
              - {name: labels, entity: \(names.label), path: nothing.json}
            """ : ""
        try shop.define(
            "shop",
            """
            entities:
              Issue:
                table: issues
                primary_key: id
                fields:
                  id: int
                  title: string
                  team: {ref: \(names.team), upsert: false, on_dangling: stub}
                  checker: {ref: \(names.team), upsert: false}
                  labels: {refs: \(names.label), upsert: false, on_dangling: stub}
              \(names.team):
                \(names.former.isEmpty ? "table: \(names.teams)" : "table: \(names.teams)\n    \(names.former)")
                primary_key: \(names.number)
                fields: {\(names.fields), org: {ref: \(names.org), upsert: false}}
              \(names.org):
                primary_key: id
                \(names.formerOrg)
                fields: {id: int, title: string}
              \(names.label):
                primary_key: id
                \(names.formerLabel)
                fields: {id: int}
            streams:
              - {name: issues, entity: Issue, path: issues.json, \(Tracker.deletes)}
              \(streams)
            """)
    }

    /// All rows, in words that do not depend on names.
    private func state(_ shop: Workshop, _ names: Names) throws -> [String] {
        let label = "\(names.label.lowercased())_id"
        return try shop.rows("SELECT * FROM issues ORDER BY id")
            + shop.rows(
                "SELECT \(names.number), name, org_id FROM \(names.teams) ORDER BY 1")
            + shop.rows("SELECT id, title FROM \(names.orgs) ORDER BY 1")
            + shop.rows("SELECT id FROM \(names.label.lowercased()) ORDER BY 1")
            + shop.rows("SELECT issue_id, \(label) FROM issues_labels ORDER BY 1, 2")
            + shop.rows("SELECT field, key, target_key, rule FROM _sluice_pending ORDER BY 1, 2")
    }

    private static func issues(_ title: String, _ team: Int, _ label: Int) -> String {
        """
        [{"id":1,"title":"\(title)","team":7,"checker":7,"labels":[1]},
         {"id":2,"title":"two","team":\(team),"checker":42,"labels":[1,\(label)]}]
        """
    }

    /// A store in which people filled a team, an organisation and a label, runs made rows for others, and something waits.
    private func scene(_ adjust: (Workshop) throws -> Void, isFilled: Bool) throws -> Workshop {
        let shop = try Workshop()
        try adjust(shop)
        try define(Self.before, in: shop, isFilled: isFilled)
        try shop.put("[]", as: "nothing.json")
        try shop.put("[]", as: "issues.json")
        #expect(shop.sync().report.status == .succeeded)
        try shop.sql(
            "INSERT INTO org (id, title) VALUES (1, 'one'); INSERT INTO team (nr, name, org_id) VALUES (7, 'seven', 1); INSERT INTO label (id) VALUES (1)"
        )
        try shop.put(Self.issues("one", 8, 5), as: "issues.json")
        let report = shop.sync().report
        #expect(report.status == .succeeded, "\(report.problems)")
        return shop
    }

    static let kinds: [(Names, isFilled: Bool)] = cases.flatMap { [($0, false), ($0, true)] }

    @Test("All goes on under the new names, as if a stream filled them", arguments: kinds.indices)
    func goesOn(_ kind: Int) throws { try goesOn(Self.kinds[kind].0, isFilled: Self.kinds[kind].isFilled) { _ in } }

    @Test("And so on PostgreSQL", arguments: cases.indices)
    func goesOnOnPostgres(_ index: Int) throws {
        try goesOn(Self.cases[index], isFilled: false) { $0.database = try WorkshopSchema() }
    }

    private func goesOn(_ names: Names, isFilled: Bool, _ adjust: (Workshop) throws -> Void) throws {
        let shop = try scene(adjust, isFilled: isFilled)
        let before = try state(shop, Self.before)
        try define(names, in: shop, isFilled: isFilled)
        let (report, recorder) = try shop.syncPlanned()
        #expect(report.status == .succeeded, "\(report.problems)")
        #expect(recorder.changes == [])
        #expect(try state(shop, names) == before)
        let tables = try shop.database.tables()
        let old = [("team", names.teams), ("org", names.orgs), ("label", names.label.lowercased())]
        for (old, new) in old where old != new { #expect(!tables.contains(old), "\(tables)") }
        #expect(try shop.quietRun(renewing: true).written == [])
        // What waited is linked, and rows that runs made go with the run that made them, whatever they are called since.
        try shop.sql("INSERT INTO \(names.teams) (\(names.number)) VALUES (42)")
        try shop.put(Self.issues("uno", 9, 6), as: "issues.json")
        let (second, _) = try shop.syncPlanned()
        #expect(second.status == .succeeded && second.linked == 1, "\(second.problems)")
        #expect(try shop.undoPlanned(#require(second.run)).report.status == .succeeded)
        try shop.sql("DELETE FROM \(names.teams) WHERE \(names.number) = 42")
        #expect(try state(shop, names) == before)
        let (undone, _) = try shop.undoPlanned(2)
        #expect(undone.status == .succeeded, "\(undone.problems)")
        #expect(try state(shop, names) == ["7|'seven'|1", "1|'one'", "1"])
        #expect(try shop.database.damage() == [])
    }

    /// Names that are new without a word, the same with what the refusal says of them, and that key.
    static let unsaid = [
        (
            Names(testDescription: "entity and table", team: "Squad", teams: "squad"),
            Names(testDescription: "", team: "Squad", teams: "squad", former: "table_renamed_from: team"),
            "table_renamed_from: team"
        ),
        (
            Names(testDescription: "a table", teams: "squads"),
            Names(testDescription: "", teams: "squads", former: "table_renamed_from: team"), "table_renamed_from: team"
        ),
        (
            Names(testDescription: "what a set refers to", label: "Tag"),
            Names(testDescription: "", label: "Tag", formerLabel: "table_renamed_from: label"),
            "table_renamed_from: label"
        ),
    ]

    @Test("What nothing says was renamed is refused with both ways out", arguments: unsaid.indices, [false, true])
    func refused(_ index: Int, isOnPostgres: Bool) throws {
        let (names, said, key) = Self.unsaid[index]
        let shop = try scene({ if isOnPostgres { $0.database = try WorkshopSchema() } }, isFilled: false)
        let before = try state(shop, Self.before)
        try define(names, in: shop, isFilled: false)
        let refused = shop.sync().report.problems
        #expect(refused.map(\.code) == ["schema_mismatch"])
        for words in ["`\(key)`", "another name", "run once with `--allow-schema drop`"] {
            #expect(refused.first?.message.contains(words) == true, "\(refused)")
        }
        #expect(refused.first?.message.contains("Change the") == false, "\(refused)")
        #expect(try state(shop, Self.before) == before)
        try define(said, in: shop, isFilled: false)
        #expect(shop.sync().report.status == .succeeded)
        #expect(try state(shop, names) == before)
    }

    @Test("Another table that is meant gets a field of its own, and a record within others is known by its entity")
    func apartFromBefore() throws {
        let shop = try Workshop()
        func define(_ field: String, _ target: String, _ former: String = "") throws {
            try shop.define(
                "shop",
                """
                entities:
                  Issue: {table: issues, primary_key: id, fields: {id: int, \(field): {ref: \(target), from: team, on_dangling: stub}}}
                  \(target): {primary_key: id, \(former)fields: {id: int, name: string}}
                streams:
                  - {name: issues, entity: Issue, path: issues.json}
                """)
        }
        func message() -> String { shop.sync().report.problems.first?.message ?? "" }
        try define("team", "Team")
        try shop.put(#"[{"id":1,"team":7}]"#, as: "issues.json")
        #expect(shop.sync().report.status == .succeeded)
        try shop.sql("UPDATE team SET name = 'own'; INSERT INTO team (id) VALUES (8); UPDATE issues SET team_id = 8")
        try define("team", "Squad")
        let refused = message()
        #expect(
            refused.contains("`renamed_from: Team`, or `table_renamed_from: team` where the table alone was"),
            "\(refused)")
        #expect(refused.contains("that leaves `team_id` and `team` as they are"), "\(refused)")
        try define("squad", "Squad")
        #expect(message().contains("--allow-schema drop"))
        shop.adjustOptions = { $0.allowsDrops = true }
        #expect(shop.sync().report.status == .succeeded)
        #expect(try shop.rows("SELECT id, team_id, squad_id FROM issues") == ["1|8|7"])
        #expect(try shop.rows("SELECT id, name FROM team ORDER BY id") == ["7|'own'", "8|NULL"])
        #expect(try shop.rows("SELECT id, name FROM squad") == ["7|NULL"])
    }

    @Test("A table of another entity is nobody's earlier one")
    func apart() throws {
        let shop = try Workshop()
        func define(_ target: String) throws {
            try shop.define(
                "shop",
                """
                entities:
                  Issue: {table: issues, primary_key: id, fields: {id: int, team: {ref: \(target), upsert: false}}}
                  Team: {primary_key: id, fields: {id: int}}
                  Squad: {primary_key: id, renamed_from: Group, fields: {id: int, lead: {ref: Team, upsert: false}}}
                streams:
                  - {name: issues, entity: Issue, path: issues.json}
                """)
        }
        try define("Team")
        try shop.put(#"[{"id":1,"team":7}]"#, as: "issues.json")
        #expect(shop.sync().report.status == .succeeded)
        try shop.sql("INSERT INTO team (id) VALUES (7)")
        #expect(shop.sync().report.linked == 1)
        // It is another table that the column would refer to.
        try define("Squad")
        #expect(shop.sync().report.problems.map(\.code) == ["schema_mismatch"])
        #expect(try shop.rows("SELECT id FROM team") == ["7"])
    }
}
