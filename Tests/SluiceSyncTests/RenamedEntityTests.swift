import SluiceDiagnostics
import SluiceModel
import SluicePipeline
import SluicePipelineFiles
import SluiceReport
import SluiceReview
import SluiceSQLiteStore
import SluiceStore
import TestSupport
import Testing

/// Entities that get another name and another table while others refer to them, and while records of records of theirs
/// stand within them.
@Suite("Renamed entities with references and nested records")
struct RenamedEntityTests {
    /// What is renamed.
    struct Names: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var user = "User"
        var users = "users"
        var issue = "Issue"
        var issues = "issues"
        var comment = "Comment"
        var label = "Label"
        /// The columns by which what stands within refers to what it stands within.
        var issueColumn: String { issue.lowercased() + "_id" }
        var commentColumns: (String, String) {
            (comment.lowercased() + "_" + issueColumn, comment.lowercased() + "_id")
        }
    }

    static let before = Names(testDescription: "before")
    static let cases = [
        Names(testDescription: "what is referred to", user: "Person"),
        Names(testDescription: "what is referred to, with its table", user: "Person", users: "people"),
        Names(testDescription: "what has records within", issue: "Ticket"),
        Names(testDescription: "what has records within, with its table", issue: "Ticket", issues: "tickets"),
        Names(testDescription: "what stands within and has records within", comment: "Note"),
        Names(testDescription: "what a set refers to", label: "Tag"),
        Names(
            testDescription: "all of them", user: "Person", users: "people", issue: "Ticket", issues: "tickets",
            comment: "Note", label: "Tag"),
    ]

    private func pipeline(_ names: Names, in shop: Workshop) throws -> PipelineDefinition {
        func former(_ name: String, _ old: String) -> String { name == old ? "" : "renamed_from: \(old)" }
        let deletes = Tracker.deletes
        let text = """
            version: 1
            name: shop
            source: {base_url: "file:\(shop.directory.path)"}
            entities:
              \(names.user):
                table: \(names.users)
                primary_key: id
                \(former(names.user, "User"))
                fields: {id: int, name: string, boss: {ref: \(names.user), upsert: false}}
              \(names.label):
                primary_key: id
                \(former(names.label, "Label"))
                fields: {id: int}
              \(names.issue):
                table: \(names.issues)
                primary_key: id
                \(former(names.issue, "Issue"))
                fields:
                  id: int
                  title: string
                  author: {ref: \(names.user), from: user, upsert: false}
                  labels: {refs: \(names.label), upsert: false}
                  parent: {ref: \(names.issue), upsert: false}
                children:
                  comments: {entity: \(names.comment), from: "comments[*]", key: [id]}
              \(names.comment):
                \(former(names.comment, "Comment"))
                fields: {id: int, text: string, writer: {ref: \(names.user), upsert: false}}
                children:
                  reactions: {entity: Reaction, from: "reactions[*]", key: [id]}
              Reaction:
                fields: {id: int, kind: string}
            streams:
              - {name: issues, entity: \(names.issue), path: issues.json, \(deletes)}
              - {name: users, entity: \(names.user), path: users.json, \(deletes)}
              - {name: labels, entity: \(names.label), path: labels.json, \(deletes)}
            """
        let (definition, problems) = PipelineLoader.load(
            bytes: Array(text.utf8), file: "test.yaml", environment: [:], mode: .run)
        guard let definition else {
            throw Workshop.Disagreement(what: TextDiagnosticRenderer().render(problems))
        }
        return definition
    }

    private static func issues(_ title: String, _ text: String, _ kind: String) -> String {
        """
        [{"id":1,"title":"\(title)","user":7,"labels":[1,43],"parent":2,"comments":[
            {"id":10,"text":"\(text)","writer":7,"reactions":[{"id":5,"kind":"\(kind)"},{"id":6,"kind":"heart"}]},
            {"id":11,"text":"other","writer":42,"reactions":[{"id":5,"kind":"eyes"}]}]},
         {"id":2,"title":"two","user":42,"labels":[1],"comments":[]},
         {"id":3,"title":"three","user":8,"labels":[],"comments":[{"id":10,"text":"x","reactions":[]}]}]
        """
    }

    /// All rows, in words that do not depend on names.
    private func state(_ shop: Workshop, _ names: Names) throws -> [String] {
        let link = names.issues + "_labels"
        let (first, second) = names.commentColumns
        return try shop.rows("SELECT id, name, boss_id FROM \(names.users) ORDER BY id")
            + shop.rows("SELECT id, title, author_id, parent_id FROM \(names.issues) ORDER BY id")
            + shop.rows("SELECT \(names.issueColumn), \(names.label.lowercased())_id FROM \(link) ORDER BY 1, 2")
            + shop.rows(
                "SELECT \(names.issueColumn), id, text, writer_id FROM \(names.comment.lowercased()) ORDER BY 1, 2")
            + shop.rows("SELECT \(first), \(second), id, kind FROM reaction ORDER BY 1, 2, 3")
            + shop.rows("SELECT field, key, target_key, rule FROM _sluice_pending ORDER BY 1, 2")
            + shop.rows("SELECT field, kind, base, local, remote, status, seen FROM _sluice_conflicts ORDER BY id")
    }

    /// A store in which people changed much, something waits to be decided and something for its record.
    private func scene() throws -> Workshop {
        let shop = try Workshop()
        shop.name = "shop"
        shop.definition = try pipeline(Self.before, in: shop)
        try shop.put(Self.issues("one", "hello", "up"), as: "issues.json")
        try shop.put(#"[{"id":7,"name":"Ann","boss":8},{"id":8,"name":"Bob","boss":43}]"#, as: "users.json")
        try shop.put(#"[{"id":1}]"#, as: "labels.json")
        #expect(shop.sync().report.status == .succeeded)
        try shop.sql(
            """
            UPDATE issues SET title = 'mine' WHERE id = 1; UPDATE comment SET text = 'ours' WHERE id = 10 AND issue_id = 1;
            UPDATE reaction SET kind = 'down' WHERE id = 5 AND comment_id = 10; UPDATE users SET name = 'Bobby' WHERE id = 8;
            DELETE FROM reaction WHERE comment_id = 11; DELETE FROM comment WHERE issue_id = 3
            """)
        try shop.put(Self.issues("uno", "hallo", "wave"), as: "issues.json")
        let report = shop.sync().report
        #expect(report.status == .succeeded && report.total.conflict == 3, "\(report.problems)")
        return shop
    }

    @Test("All goes on under the new names", arguments: cases)
    func goesOn(_ names: Names) throws {
        let shop = try scene()
        let before = try state(shop, Self.before)
        shop.definition = try pipeline(names, in: shop)
        let (report, recorder) = try shop.syncPlanned()
        #expect(report.status == .succeeded, "\(report.problems)")
        #expect(recorder.changes == [])
        #expect(try state(shop, names) == before)
        #expect(try shop.rows("PRAGMA foreign_key_check") == [])
        #expect(try shop.quietRun(renewing: true).written == [])
        #expect(try state(shop, names) == before)
        // No table of the old names is left.
        let old = Set(["users", "issues", "comment", "label"]).subtracting([
            names.users, names.issues, names.comment.lowercased(), names.label.lowercased(),
        ])
        for name in old { #expect(try shop.rows("SELECT 1 FROM sqlite_schema WHERE name = '\(name)'") == []) }
        // What waited is linked, what the source changes is taken, and both can be taken back.
        try shop.put(
            #"[{"id":7,"name":"Anna","boss":8},{"id":8,"name":"Bob","boss":43},{"id":42,"name":"Cy"},{"id":43}]"#,
            as: "users.json")
        try shop.put(
            Self.issues("uno", "hallo", "wave").replacing("three", with: "drei").replacing("heart", with: "star"),
            as: "issues.json")
        let managed = try shop.managed()
        let (second, _) = try shop.syncPlanned()
        #expect(second.status == .succeeded && second.linked == 3, "\(second.problems)")
        #expect(second.summary.insert == 2 && second.summary.update == 2)
        let (undone, _) = try shop.undoPlanned(#require(second.run))
        #expect(undone.status == .succeeded, "\(undone.problems)")
        #expect(try state(shop, names) == before)
        #expect(try shop.managed() == managed)
        // What is to be decided can be.
        let store = try SQLiteRecordStore(path: shop.store, mode: .settling)
        try store.begin()
        var decisions = try store.conflicts.list(includingClosed: false).map { ConflictDecision($0, .remote) }
        try ConflictResolver(store: store).carryOut(&decisions, who: "ada")
        #expect(decisions.map(\.outcome) == [.resolved, .resolved, .resolved])
        try store.commit()
        #expect(try shop.rows("SELECT kind FROM reaction WHERE kind = 'wave'") == ["'wave'"])
    }

    @Test("What was done under the old names is taken back", arguments: cases)
    func isTakenBack(_ names: Names) throws {
        let shop = try Workshop()
        shop.name = "shop"
        shop.definition = try pipeline(Self.before, in: shop)
        try shop.put(Self.issues("one", "hello", "up"), as: "issues.json")
        try shop.put(#"[{"id":7,"name":"Ann"},{"id":8,"name":"Bob"}]"#, as: "users.json")
        try shop.put(#"[{"id":1}]"#, as: "labels.json")
        #expect(shop.sync().report.status == .succeeded)
        let first = try state(shop, Self.before)
        try shop.put(
            Self.issues("uno", "hallo", "wave").replacing(#"{"id":6,"kind":"heart"}"#, with: #"{"id":9,"kind":"x"}"#),
            as: "issues.json")
        try shop.put(#"[{"id":7,"name":"Anna"},{"id":42,"name":"Cy"}]"#, as: "users.json")
        let second = shop.sync().report
        #expect(second.status == .succeeded && second.linked == 2, "\(second.problems)")
        shop.definition = try pipeline(names, in: shop)
        #expect(shop.sync().report.status == .succeeded)
        let (undone, _) = try shop.undoPlanned(#require(second.run))
        #expect(undone.status == .succeeded, "\(undone.problems)")
        #expect(try state(shop, names) == first)
        let (again, _) = try shop.undoPlanned(1)
        #expect(again.status == .succeeded, "\(again.problems)")
        #expect(try state(shop, names) == [])
    }
}
