import Foundation
import SluicePostgres
import TestSupport
import Testing

/// What `store check` finds in stores that a hand damaged, on both kinds of databases.
@Suite struct StoreCheckTests {
    /// A damage and what is said of it.
    struct Damage: CustomTestStringConvertible {
        let name: String
        /// The statements, in the words of both kinds; `BLOB(FF)` stands for bytes, and `CONFLICTS_OPEN` for the unique index
        /// of open conflicts.
        let sql: String
        /// The check that finds it, and what its finding has among its words.
        let check: String
        let words: [String]
        var verdict = "wrong"
        var testDescription: String { name }
    }

    private static let base = "\"_sluice_base_issues_issues_Issue\""

    static let damages = [
        Damage(
            name: "a reference leads nowhere", sql: "UPDATE issue SET author_id = 404 WHERE id = 1",
            check: "references",
            words: ["1 row of `issue` refers by `author`", "{\\\"id\\\":1}"]),
        Damage(
            name: "a child has no parent", sql: "INSERT INTO comment (issue_id, id, text) VALUES (999, 1, 'x')",
            check: "children", words: ["1 row of `comment` belongs", "{\\\"issue_id\\\":999"]),
        Damage(
            name: "a link leads nowhere", sql: "INSERT INTO issue_labels (issue_id, label_id) VALUES (1, 404)",
            check: "links", words: ["1 row of `issue_labels` leads to rows of `label`"]),
        Damage(
            name: "a link has no owner", sql: "INSERT INTO issue_labels (issue_id, label_id) VALUES (999, 1)",
            check: "links", words: ["1 pair of `issue_labels`", "{\\\"id\\\":999}"]),
        Damage(
            name: "a reference waits that no pipeline has", sql: "UPDATE _sluice_pending SET field = 'nobody'",
            check: "waiting", words: ["1 reference `nobody` of `issue` waits"]),
        Damage(
            name: "a conflict names a run that is gone", sql: "UPDATE _sluice_conflicts SET last_run = 77 WHERE id = 2",
            check: "conflicts", words: ["1 conflict names a run", "\"2\""]),
        Damage(
            name: "an open conflict is of an unknown entity",
            sql: "UPDATE _sluice_conflicts SET entity = 'Nobody' WHERE id = 2", check: "conflicts",
            words: ["`issues/issues/Nobody`"]),
        Damage(
            name: "an open conflict is about no record",
            sql: "UPDATE _sluice_conflicts SET key = '{\"id\":999}' WHERE id = 2", check: "conflicts",
            words: ["records of `issue` that are not there", "conflict 2"]),
        Damage(
            name: "a conflict has no status", sql: "UPDATE _sluice_conflicts SET status = 'odd' WHERE id = 1",
            check: "conflicts", words: ["1 row of `_sluice_conflicts` holds as `status` what is none of open", "\"1\""]),
        Damage(
            name: "a conflict is of no kind", sql: "UPDATE _sluice_conflicts SET kind = 'odd' WHERE id = 1",
            check: "conflicts", words: ["holds as `kind` what is none of add_add"]),
        Damage(
            name: "the key of a conflict is no JSON", sql: "UPDATE _sluice_conflicts SET key = '{' WHERE id = 2",
            check: "conflicts", words: ["holds as `key` what is not an object in JSON", "\"2\""]),
        Damage(
            name: "a value of an open conflict is no JSON",
            sql: "UPDATE _sluice_conflicts SET remote = '{' WHERE id = 2",
            check: "conflicts", words: ["holds as `remote` what is not JSON"]),
        Damage(
            name: "an open conflict is over no field",
            sql: "UPDATE _sluice_conflicts SET field = 'nope' WHERE id = 2",
            check: "conflicts", words: ["1 open conflict of `issues/issues/Issue` is over a field `nope`"]),
        Damage(
            name: "an open conflict is of a record that is noted as having none",
            sql: "UPDATE \(base) SET open = 0", check: "conflicts",
            words: ["records of `issue` that are noted as having none", "conflict 2"]),
        Damage(
            name: "the key of a reference that waits is no JSON", sql: "UPDATE _sluice_pending SET target_key = '{'",
            check: "waiting", words: ["1 row of `_sluice_pending` holds as `target_key` what is not an array in JSON"]),
        Damage(
            name: "the key of a change is no JSON",
            sql:
                "UPDATE _sluice_changes SET key = '[' WHERE id = (SELECT min(id) FROM _sluice_changes WHERE kind = 'record')",
            check: "history", words: ["holds as `key` what is not an object in JSON"]),
        Damage(
            name: "a change did nothing that is known",
            sql:
                "UPDATE _sluice_changes SET action = 'odd' WHERE id = (SELECT min(id) FROM _sluice_changes WHERE kind = 'record')",
            check: "history", words: ["holds as `action` what is none of insert"]),
        Damage(
            name: "a record in quarantine names a run that is gone",
            sql: "UPDATE _sluice_quarantine SET first_run = 77", check: "quarantine", words: ["names a run"]),
        Damage(
            name: "a record in quarantine is of an unknown entity",
            sql: "UPDATE _sluice_quarantine SET entity = 'Nobody'",
            check: "quarantine", words: ["`issues/issues/Nobody`"]),
        Damage(
            name: "a change names a run that is gone",
            sql: "UPDATE _sluice_changes SET run = 77 WHERE id = (SELECT min(id) FROM _sluice_changes)",
            check: "history", words: ["1 change names a run"]),
        Damage(
            name: "a change cannot be read",
            sql:
                "UPDATE _sluice_changes SET new = BLOB(FF) WHERE id = (SELECT min(id) FROM _sluice_changes WHERE kind = 'record')",
            check: "history", words: ["1 change of `_sluice_changes` cannot be read"]),
        Damage(
            name: "a run was undone by none", sql: "UPDATE _sluice_runs SET undone_by = 77 WHERE id = 1", check: "runs",
            words: ["`undone_by`"]),
        Damage(
            name: "a service left a run behind", sql: "UPDATE _sluice_schedule_runs SET ended = NULL, outcome = NULL",
            check: "runs", words: ["started 1 run of `issues` and noted no end"]),
        Damage(
            name: "a state cannot be read",
            sql:
                "INSERT INTO _sluice_state (pipeline, stream, part, name, value) VALUES ('issues', 'issues', '', 'rows_before_refused_deletes', 'many')",
            check: "state", words: ["`rows_before_refused_deletes` of `issues/issues` cannot be read", "--full"]),
        Damage(
            name: "a state is of an unknown kind",
            sql:
                "INSERT INTO _sluice_state (pipeline, stream, part, name, value) VALUES ('issues', 'issues', '', 'future', '1')",
            check: "state", words: ["`future`"], verdict: "note"),
        Damage(
            name: "a base has an odd state", sql: "UPDATE \(base) SET state = 9 WHERE id = 1", check: "bases",
            words: ["Of 1 record of `issue`", "{\\\"id\\\":1}"]),
        Damage(
            name: "a base has odd fields", sql: "UPDATE \(base) SET fields = BLOB(FF) WHERE id = 2", check: "bases",
            words: ["{\\\"id\\\":2}"]),
        Damage(
            name: "a row was deleted", sql: "DELETE FROM step WHERE issue_id = 4 AND position = 1", check: "bases",
            words: [
                "1 row of `step` was deleted here, and stays so until `issues/issues` changes its record.",
                "`sluice edits` lists it; nothing is to be mended.",
            ], verdict: "note"),
        Damage(
            name: "a base is gone", sql: "DROP VIEW conflicts_issue; DROP TABLE \(base)", check: "columns",
            words: ["The base `_sluice_base_issues_issues_Issue`"]),
        Damage(
            name: "a table is gone", sql: "DROP VIEW conflicts_step; DROP TABLE step", check: "columns",
            words: ["The table `step`", "makes it anew"]),
        Damage(
            name: "a column is gone", sql: "DROP VIEW conflicts_issue; ALTER TABLE issue DROP COLUMN iban",
            check: "columns", words: ["`iban` of `issue`"]),
        Damage(
            name: "a column has another type",
            sql:
                "DROP VIEW conflicts_issue; ALTER TABLE issue DROP COLUMN weight; ALTER TABLE issue ADD COLUMN weight TEXT",
            check: "columns", words: ["`weight` of `issue` is ", "double"]),
        Damage(
            name: "a note cannot be read",
            sql: "UPDATE _sluice_schema SET value = 'x' WHERE kind = 'slot' AND name = 'issues/issues/Issue/title'",
            check: "registry", words: ["`issues/issues/Issue/title`"]),
        Damage(
            name: "the note of a field of links is gone",
            sql: "DELETE FROM _sluice_schema WHERE kind = 'reference' AND name = 'issues/issues/Issue/labels'",
            check: "columns",
            words: ["`labels` of `issues/issues/Issue` has neither", "notes the table of links anew"]),
        Damage(
            name: "a mapping is not noted",
            sql: "DELETE FROM _sluice_schema WHERE kind = 'mapping' AND name = 'issues/issues/Step'", check: "registry",
            words: ["The slot `issues/issues/Step/text` of `_sluice_schema` is of a mapping that is not noted"]),
        Damage(
            name: "a note is of no kind",
            sql: "UPDATE _sluice_schema SET kind = 'odd' WHERE kind = 'deletes' AND name = 'issues/issues/Step'",
            check: "registry", words: ["a note of the kind `odd`", "issues/issues/Step"], verdict: "note"),
        Damage(
            name: "what is noted of a view says nothing",
            sql: "UPDATE _sluice_schema SET value = 'odd' WHERE kind = 'view' AND name = 'conflicts_step'",
            check: "registry", words: ["The view `conflicts_step` of `_sluice_schema` cannot be read"]),
        Damage(
            name: "a view is not noted",
            sql: "DELETE FROM _sluice_schema WHERE kind = 'view' AND name = 'conflicts_step'",
            check: "indexes", words: ["whether the view `conflicts_step` of `step` is the store's own"]),
        Damage(
            name: "a table that links belong to has another name", sql: "ALTER TABLE issue RENAME TO matter",
            check: "columns", words: ["The table `issue` of", "makes it anew"]),
        Damage(
            name: "a table of links is gone", sql: "DROP TABLE issue_labels", check: "columns",
            words: ["The table `issue_labels`, the links of `labels` of `issue`, is missing", "makes it anew"]),
        Damage(
            name: "a view stands in the place of a table",
            sql: "ALTER TABLE issue RENAME TO matter; CREATE VIEW issue AS SELECT * FROM matter", check: "columns",
            words: ["`issue` of", "is a view", "Drop the view"]),
        Damage(
            name: "a column of a reference has another name",
            sql: "ALTER TABLE issue RENAME COLUMN author_id TO writer_id", check: "columns",
            words: [
                "The column `author_id` of `issue`", "is called `writer_id` now, give the field `column: writer_id`",
            ]),
        Damage(
            name: "a column of links has another name",
            sql: "ALTER TABLE issue_labels RENAME COLUMN label_id TO tag_id", check: "columns",
            words: ["`issue_labels`, the links of `labels`, lacks `label_id`"]),
        Damage(
            name: "a view of conflicts is gone", sql: "DROP VIEW conflicts_step", check: "indexes",
            words: ["The view `conflicts_step` of `step` is missing", "The next run of `issues` makes it anew"]),
        Damage(
            name: "a unique index is gone", sql: "DROP INDEX issue_token_key", check: "indexes",
            words: ["The unique index `issue_token_key` of `issue` is missing", "makes it anew"]),
        Damage(
            name: "an index of references is gone", sql: "DROP INDEX issue_author_id", check: "indexes",
            words: ["No index of `issue` begins with author_id", "makes one"], verdict: "note"),
        Damage(
            name: "the unique index of open conflicts is gone", sql: "DROP INDEX CONFLICTS_OPEN", check: "indexes",
            words: ["The unique index of the open rows of `_sluice_conflicts`", "CREATE UNIQUE INDEX"]),
        Damage(
            name: "a ledger lacks a column", sql: "ALTER TABLE _sluice_quarantine DROP COLUMN pointer",
            check: "registry",
            words: ["The table `_sluice_quarantine` lacks pointer"]),
        Damage(
            name: "a base has no fields", sql: "UPDATE \(base) SET fields = BLOB() WHERE id = 2", check: "bases",
            words: ["Of 1 record of `issue`", "{\\\"id\\\":2}"]),
        Damage(
            name: "a base ends within a field",
            sql: "UPDATE \(base) SET fields = BLOB(2102500B4974) WHERE id = 2", check: "bases",
            words: ["Of 1 record of `issue`", "{\\\"id\\\":2}"]),
        Damage(
            name: "a base is of another record", sql: "UPDATE \(base) SET id = 77 WHERE id = 2", check: "bases",
            words: ["Of 1 record of `issue`", "{\\\"id\\\":77}"]),
        Damage(
            name: "an open conflict is gone", sql: "DELETE FROM _sluice_conflicts WHERE id = 2", check: "conflicts",
            words: ["1 record of `issue` is noted as having an open conflict", "{\\\"id\\\":2}", "open = open - 1"]),
        Damage(
            name: "the base of an open conflict is gone", sql: "DELETE FROM \(base) WHERE id = 2", check: "conflicts",
            words: ["records of `issue` that the store knows nothing of from the source", "conflict 2"]),
        Damage(
            name: "an open conflict has no remote value",
            sql: "UPDATE _sluice_conflicts SET remote = NULL WHERE id = 2",
            check: "conflicts", words: ["no value of the source", "conflict 2"]),
        Damage(
            name: "a conflict was decided by no policy",
            sql: "UPDATE _sluice_conflicts SET policy = 'odd' WHERE id = 1",
            check: "conflicts", words: ["holds as `policy` what is none of remote_wins"]),
        Damage(
            name: "the key of a record in quarantine is no JSON", sql: "UPDATE _sluice_quarantine SET key = '['",
            check: "quarantine", words: ["holds as `key` what is not an object in JSON"]),
        Damage(
            name: "a reference waits by no rule", sql: "UPDATE _sluice_pending SET rule = 'odd'", check: "waiting",
            words: ["holds as `rule` what is none of defer, set_null"]),
        Damage(
            name: "a reference waits of a record that is not there", sql: "UPDATE _sluice_pending SET key = '[999]'",
            check: "waiting",
            words: ["1 reference `assignee` of `issue` waits, and the rows of `issue` with it are not there", "[999]"],
            verdict: "note"),
        Damage(
            name: "a reference waits for a row that is there",
            sql: "INSERT INTO \"user\" (id, login) VALUES (99, 'eve')",
            check: "waiting", words: ["1 reference `assignee` of `issue` waits for rows of `user` that are there"],
            verdict: "note"),
        Damage(
            name: "a change is of no kind",
            sql: "UPDATE _sluice_changes SET kind = 'odd' WHERE id = (SELECT min(id) FROM _sluice_changes)",
            check: "history", words: ["holds as `kind` what is none of record"]),
        Damage(
            name: "a run ended in no known way", sql: "UPDATE _sluice_runs SET status = 'odd' WHERE id = 1",
            check: "runs",
            words: ["holds as `status` what is none of succeeded", "\"1\""]),
        Damage(
            name: "a run began at no time", sql: "UPDATE _sluice_runs SET started_at = 'soon' WHERE id = 1",
            check: "runs",
            words: ["holds as `started_at` what is no time"]),
        Damage(
            name: "a run ended at no time", sql: "UPDATE _sluice_runs SET finished_at = '' WHERE id = 1", check: "runs",
            words: ["holds as `finished_at` what is no time"]),
        Damage(
            name: "what is kept of a run is not known", sql: "UPDATE _sluice_runs SET changes = 'odd' WHERE id = 1",
            check: "runs", words: ["holds as `changes` what is none of kept"]),
        Damage(
            name: "a due time came to nothing known", sql: "UPDATE _sluice_schedule SET settled = 'odd'", check: "runs",
            words: ["holds as `settled` what is nothing that a due time comes to"]),
        Damage(
            name: "a due time is none", sql: "UPDATE _sluice_schedule SET due = -1", check: "runs",
            words: ["holds as `due` what is no time in seconds"]),
        Damage(
            name: "a run of a service came to nothing known", sql: "UPDATE _sluice_schedule_runs SET outcome = 'odd'",
            check: "runs", words: ["holds as `outcome` what is none of succeeded"]),
        Damage(
            name: "a mark of a schedule is no time", sql: "UPDATE _sluice_schedule_marks SET decided = -7",
            check: "runs",
            words: ["holds as `decided` what is no time in seconds"]),
        Damage(
            name: "a scan is of no stream",
            sql: "INSERT INTO _sluice_scans (pipeline, stream, run, pages, state) VALUES ('no', 'body', 1, 0, '{}')",
            check: "state", words: ["The scan of `no/body`", "does not know"]),
        Damage(
            name: "pages of a scan are of none",
            sql:
                "INSERT INTO _sluice_scan_pages (pipeline, stream, page, request, keys, quarantined) VALUES ('issues', 'issues', 1, 1, BLOB(), BLOB())",
            check: "state", words: ["The scan of `issues/issues` in `_sluice_scan_pages` has pages"]),
        Damage(
            name: "a scan lacks its last page",
            sql:
                "INSERT INTO _sluice_scans (pipeline, stream, run, pages, state) VALUES ('issues', 'issues', 1, 2, '{}')",
            check: "state", words: ["names another last page"]),
        Damage(
            name: "how far a scan came cannot be read",
            sql:
                "INSERT INTO _sluice_scans (pipeline, stream, run, pages, state) VALUES ('issues', 'issues', 1, 0, 'x')",
            check: "state", words: ["holds as `state` what is not an object in JSON"]),
        Damage(
            name: "the keys of a page are cut off",
            sql:
                "INSERT INTO _sluice_scan_pages (pipeline, stream, page, request, keys, quarantined) VALUES ('issues', 'issues', 1, 1, BLOB(FF), BLOB())",
            check: "state", words: ["holds as `keys` what is cut off"]),
        Damage(
            name: "a ledger is gone", sql: "DROP TABLE _sluice_quarantine", check: "registry",
            words: ["The table `_sluice_quarantine` is missing"]),
        Damage(
            name: "a newer program wrote it", sql: "UPDATE _sluice_schema SET value = '99' WHERE kind = 'format'",
            check: "registry", words: ["has format 99"]),
    ]

    /// In a file, and some of them in a schema.
    @Test(arguments: Seeds.pairs(in: [false, true], damages))
    func aDamageIsFound(inSchema: Bool, _ damage: Damage) throws {
        let scene = try StoreScene()
        let schema = inSchema ? try StoreSchema() : nil
        defer { withExtendedLifetime(schema) {} }
        if let schema {
            try scene.expect(try scene.program("store", "copy", scene.file, schema.store), 0)
            try schema.connection.execute(
                "SET session_replication_role = replica; "
                    + damage.sql.replacing(/BLOB\(([0-9A-F]*)\)/) { "'\\x\($0.output.1)'::bytea" }
                    .replacing("CONFLICTS_OPEN", with: try schema.uniqueIndex(of: "_sluice_conflicts")))
        } else {
            try scene.execute(
                damage.sql.replacing(/BLOB\(([0-9A-F]*)\)/) { "x'\($0.output.1)'" }
                    .replacing("CONFLICTS_OPEN", with: "_sluice_conflicts_open"))
        }
        let store = schema?.store ?? scene.file
        try Self.check(damage, try scene.sluice("store", "check", "--format", "json", store: store))
        let told = try scene.sluice("store", "check", store: store)
        #expect(told.output.contains(damage.verdict == "wrong" ? "to mend." : "Nothing is wrong."), "\(told)")
    }

    /// A foreign key may stand for a reference, for the parent of a child, or for either side of a link.
    @Test(arguments: [
        "UPDATE issue SET author_id = 404 WHERE id = 1",
        "INSERT INTO comment (issue_id, id, text) VALUES (999, 1, 'x')",
        "INSERT INTO issue_labels (issue_id, label_id) VALUES (1, 404)",
        "INSERT INTO issue_labels (issue_id, label_id) VALUES (999, 1)",
    ])
    func aRowThatLeadsNowhereIsToldOnce(_ sql: String) throws {
        let scene = try StoreScene()
        let schema = try StoreSchema()
        try scene.expect(try scene.program("store", "copy", scene.file, schema.store), 0)
        try scene.execute(sql)
        try schema.connection.execute("SET session_replication_role = replica; " + sql)
        for store in [scene.file, schema.store] {
            let told = try scene.sluice("store", "check", store: store)
            #expect(told.output.hasSuffix("\n1 thing to mend.\n"), "\(told)")
        }
    }

    private static func check(_ damage: Damage, _ told: Program.Result) throws {
        #expect(told.code == (damage.verdict == "wrong" ? 1 : 0), "\(told)")
        let parts = told.output.components(separatedBy: "{\"check\":")
        let findings = try #require(parts.first { $0.hasPrefix("\"\(damage.check)\"") }, "\(told)")
        #expect(findings.contains("\"verdict\":\"\(damage.verdict)\""), "\(findings)")
        for words in damage.words {
            let isThere = words.split(separator: "|").contains { findings.contains($0) }
            #expect(isThere, "\(words): \(findings)")
        }
    }

    @Test func aSoundStoreIsSound() throws {
        let scene = try StoreScene()
        let schema = try StoreSchema()
        try scene.expect(try scene.program("store", "copy", scene.file, schema.store), 0)
        for store in [scene.file, schema.store] {
            let told = try scene.sluice("store", "check", store: store)
            #expect(told.code == 0 && told.output.hasSuffix("Nothing is wrong.\n"), "\(told)")
            #expect(told.output.contains("note  bases"), "a deleted row is worth knowing: \(told)")
        }
        let before = try scene.contents(of: "issues.db")
        try scene.expect(try scene.sluice("store", "check"), 0)
        #expect(try scene.contents(of: "issues.db") == before)
        let none = try scene.sluice("store", "check", store: "sqlite:none.db")
        #expect(none.code == 1 && none.errors.contains("does not exist"), "\(none)")
    }

    /// PostgreSQL compares values of one type alone.
    @Test func aKeyOfAnotherTypeIsFound() throws {
        let scene = try StoreScene()
        let schema = try StoreSchema()
        try scene.expect(try scene.program("store", "copy", scene.file, schema.store), 0)
        try schema.connection.execute("UPDATE _sluice_pending SET key = '[\"x\"]'")
        try Self.check(
            Damage(
                name: "", sql: "", check: "waiting",
                words: ["The references `assignee` of `issue` that wait have keys", "or delete them"]),
            try scene.sluice("store", "check", "--format", "json", store: schema.store))
    }

    /// What PostgreSQL was told not to look at.
    @Test(arguments: [
        ("ALTER TABLE issue ADD CONSTRAINT odd CHECK (id > 1) NOT VALID", "integrity"),
        ("ALTER TABLE comment ADD CONSTRAINT odd FOREIGN KEY (id) REFERENCES issue (id) NOT VALID", "foreign_keys"),
    ])
    func aConstraintThatWasNeverCheckedIsFound(_ sql: String, _ check: String) throws {
        let scene = try StoreScene()
        let schema = try StoreSchema()
        try scene.expect(try scene.program("store", "copy", scene.file, schema.store), 0)
        try schema.connection.execute(sql)
        try Self.check(
            Damage(name: "", sql: "", check: check, words: ["`odd`", "VALIDATE CONSTRAINT"]),
            try scene.sluice("store", "check", "--format", "json", store: schema.store))
    }

    @Test func aForeignKeyOfPeopleThatRowsBreakIsFound() throws {
        let scene = try StoreScene()
        try scene.execute(
            "CREATE TABLE mine (id INTEGER PRIMARY KEY, issue REFERENCES issue (id)); INSERT INTO mine VALUES (1, 404)")
        try Self.check(
            Damage(name: "", sql: "", check: "foreign_keys", words: ["1 row of `mine` refers to rows of `issue`"]),
            try scene.sluice("store", "check", "--format", "json"))
    }

    @Test func aDamagedFileIsFound() throws {
        let scene = try StoreScene()
        try scene.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        let file = try FileHandle(forUpdating: URL(filePath: scene.folder.file("issues.db")))
        let page: UInt64 = 8192
        let size = try file.seekToEnd()
        for number in stride(from: page * 6, to: size, by: Int(page) * 2) {
            try file.seek(toOffset: UInt64(number) + 8)
            try file.write(contentsOf: Data(repeating: 0xFF, count: 600))
        }
        try file.close()
        let told = try scene.sluice("store", "check")
        #expect(told.code == 1 && told.output.contains("bad   integrity"), "\(told)")
        #expect(told.output.contains(".recover"), "\(told)")
    }
}
