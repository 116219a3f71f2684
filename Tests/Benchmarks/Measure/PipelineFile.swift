/// The pipelines that have Sluice do what the floor does.
enum PipelineFile {
    static func path(for input: Job.Input, _ shape: Job.Shape = .flat, in data: Dataset) -> String {
        let folder =
            switch shape {
            case .flat: data.folder + "/"
            case .related: data.folder + "/related-"
            case .owned: data.folder + "/owned-"
            }
        return switch input {
        case .firstLines: folder + "v1.yaml"
        case .secondLines: folder + "v2.yaml"
        case .firstArray: folder + "array.yaml"
        }
    }

    /// Writes one file per input; they share name and stream, and so the base.
    static func writeAll(for data: Dataset) throws(BenchError) {
        try TextFile.write(text("v1.jsonl", format: "jsonl"), to: path(for: .firstLines, in: data))
        try TextFile.write(text("v2.jsonl", format: "jsonl"), to: path(for: .secondLines, in: data))
        try TextFile.write(text("v1.json", format: "json"), to: path(for: .firstArray, in: data))
        try TextFile.write(
            text("v1.jsonl", format: "jsonl", entities: owned), to: path(for: .firstLines, .owned, in: data))
        try TextFile.write(
            text("v1.jsonl", format: "jsonl", entities: related), to: path(for: .firstLines, .related, in: data))
        try TextFile.write(
            text("v2.jsonl", format: "jsonl", entities: related), to: path(for: .secondLines, .related, in: data))
    }

    /// A pipeline over a server of pages.
    static func paged(url: String, concurrency: Int) -> String {
        text(
            source: "{base_url: \(url), rate_limit: {concurrency: \(concurrency)}}",
            stream: """
                path: /
                    records: data[*]
                    paginator: {type: page_number, total_pages_path: pages}
                """)
    }

    private static func text(_ file: String, format: String, entities: String = flat) -> String {
        text(
            source: "{base_url: \"file:.\"}",
            stream: """
                path: \(file)
                    format: \(format)
                    delete_missing: {mode: hard, max_delete: 1%}
                """, entities: entities)
    }

    /// An issue as one row of twelve columns.
    private static let flat = """
        Issue:
            table: issues
            primary_key: [id]
            fields:
              id: int
              number: int
              title: string
              state: string
              locked: bool
              comments: int
              user_id: {from: user.id, type: int}
              milestone_id: {from: milestone.id, type: int}
              created_at: datetime
              updated_at: datetime
              closed_at: datetime
              body: string
        """

    /// The same, where nobody but the source may change the state of an issue.
    private static let owned = flat.replacing("state: string", with: "state: {type: string, owner: remote}")

    /// All of an issue, and what it leads to.
    private static let related = """
        Issue:
            table: issues
            primary_key: [id]
            fields:
              id: int
              node_id: string
              number: int
              html_url: string
              title: string
              state: string
              state_reason: string
              locked: bool
              comments: int
              reactions: int
              score: double
              user: {ref: User}
              labels: {refs: Label, via: issue_labels}
              milestone: {ref: Milestone}
              author_association: string
              created_at: datetime
              updated_at: datetime
              closed_at: datetime
              body: string
          User: {table: users, primary_key: [id], fields: {id: int, login: string, url: string, type: string}}
          Label: {table: labels, primary_key: [id], fields: {id: int, name: string, color: string}}
          Milestone:
            table: milestones
            primary_key: [id]
            fields: {id: int, number: int, title: string, state: string, due_on: datetime}
        """

    private static func text(source: String, stream: String, entities: String = flat) -> String {
        """
        version: 1
        name: bench
        source: \(source)
        entities:
          \(entities)
        streams:
          - name: issues
            entity: Issue
            \(stream)

        """
    }
}
