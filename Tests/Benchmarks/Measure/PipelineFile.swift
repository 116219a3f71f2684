/// The pipelines that have Sluice do what the floor does.
enum PipelineFile {
    static func path(for input: Job.Input, in data: Dataset) -> String {
        switch input {
        case .firstLines: data.folder + "/v1.yaml"
        case .secondLines: data.folder + "/v2.yaml"
        case .firstArray: data.folder + "/array.yaml"
        }
    }

    /// Writes one file per input; they share name and stream, and so the base.
    static func writeAll(for data: Dataset) throws(BenchError) {
        try TextFile.write(text("v1.jsonl", format: "jsonl"), to: path(for: .firstLines, in: data))
        try TextFile.write(text("v2.jsonl", format: "jsonl"), to: path(for: .secondLines, in: data))
        try TextFile.write(text("v1.json", format: "json"), to: path(for: .firstArray, in: data))
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

    private static func text(_ file: String, format: String) -> String {
        text(
            source: "{base_url: \"file:.\"}",
            stream: """
                path: \(file)
                    format: \(format)
                    delete_missing: {mode: hard, max_delete: 1%}
                """)
    }

    private static func text(source: String, stream: String) -> String {
        """
        version: 1
        name: bench
        source: \(source)
        entities:
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
        streams:
          - name: issues
            entity: Issue
            \(stream)

        """
    }
}
