import SluiceDiagnostics
import SluicePipeline
import SluicePipelineFiles
import SluiceReport
import TestSupport
import Testing

/// Issues that refer to users, labels and each other, each from a file of its own.
final class Tracker {
    let shop: Workshop
    /// The rule of its streams for what is gone.
    static let deletes = "delete_missing: {mode: hard, max_delete: 100%, min_records: 0}"

    /// Takes the fields of an issue besides `id`, other lines of that entity, what a user is, entities and streams besides
    /// those of the tracker.
    init(
        issue: String, more: String = "", user: String = "primary_key: id, fields: {id: int, name: string}",
        entities: String = "", top: String = "", streams: String = ""
    ) throws {
        shop = try Workshop()
        shop.name = "tracker"
        let text = """
            version: 1
            name: tracker
            \(top)
            source: {base_url: "file:\(shop.directory.path)"}
            entities:
              Issue:
                table: issues
                primary_key: id
                \(more)
                fields:
                  id: int
                  \(issue)
              User: {table: users, \(user)}
              Label: {table: labels, primary_key: id, fields: {id: int, name: string}}
              \(entities)
            streams:
              - {name: issues, entity: Issue, path: issues.json, \(Self.deletes)}
              - {name: users, entity: User, path: users.json, \(Self.deletes)}
              - {name: labels, entity: Label, path: labels.json, \(Self.deletes)}
              \(streams)
            """
        let (definition, problems) = PipelineLoader.load(
            bytes: Array(text.utf8), file: "test.yaml", environment: [:], mode: .run)
        guard let definition else {
            throw Workshop.Disagreement(what: TextDiagnosticRenderer().render(problems))
        }
        shop.definition = definition
        for file in ["issues", "users", "labels"] { try shop.put("[]", as: "\(file).json") }
        try shop.put(#"[{"id":1},{"id":5},{"id":9}]"#, as: "labels.json")
        try shop.put(#"[{"id":7},{"id":8}]"#, as: "users.json")
    }

    /// What a source says, or what a person does, before a run.
    struct Step: Sendable {
        var issues: String?
        var users: String?
        var labels: String?
        var edit: String?
    }

    /// Runs a step after a plan that must say the same; no reference leads nowhere then, and another run writes nothing.
    @discardableResult
    func run(_ step: Step = Step()) throws -> (report: RunReport, recorder: Recorder) {
        for (file, json) in [("issues", step.issues), ("users", step.users), ("labels", step.labels)] {
            if let json { try shop.put(json, as: "\(file).json") }
        }
        if let edit = step.edit { try shop.sql(edit) }
        let run = try shop.syncPlanned()
        guard run.1.quarantine.isEmpty || run.0.status == .succeeded else { return run }
        if run.0.status == .succeeded || run.0.status == .partial {
            #expect(try shop.database.brokenReferences() == [])
            try shop.checkRowsBesideBases()
            let quiet = try shop.quietRun()
            #expect(quiet.written == [], "\(step)")
        }
        return run
    }

    /// The rows of issues with what they refer to, then what waits.
    func state(_ columns: String = "author_id") throws -> [String] {
        try shop.rows("SELECT id, \(columns) FROM issues ORDER BY id") + pending()
    }

    /// The pairs of issues and labels, then what waits.
    func links() throws -> [String] {
        try shop.rows("SELECT issue_id, label_id FROM issue_labels ORDER BY 1, 2") + pending()
    }

    private func pending() throws -> [String] {
        try shop.rows(
            """
            SELECT field || ' ' || key || ' ' || target_key || ' ' || rule FROM _sluice_pending ORDER BY 1
            """
        ).map { String($0.dropFirst().dropLast()) }
    }
}
