import SluiceDiagnostics
import SluicePipeline
import SluicePipelineFiles

/// Small pipelines for tests of a single rule.
enum PipelineText {
    /// A pipeline with lines added under `source`, to its entity and its fields, and to its stream; with an entity `Part`
    /// of some fields without a key, and with others.
    static func make(
        source: String = "", field: String = "", stream: String = "", entity: String = "", key: String = "id",
        top: String = "", children: String = "", parts: String? = nil, more: String = ""
    ) -> String {
        """
        version: 1
        name: books
        \(top)
        source:
          base_url: https://api.example.com
          \(source)
        entities:
          Book:
            primary_key: \(key)\(entity.isEmpty ? "" : "\n    " + entity)
            fields:
              id: int
              \(field)\(children.isEmpty ? "" : "\n    children: {\(children)}")\(
                parts.map { "\n  Part: {fields: {\($0)}}" } ?? "")\(more.isEmpty ? "" : "\n  " + more)
        streams:
          - name: books
            entity: Book
            \(stream)
        """
    }

    /// Loads a text as if it stood in a file of no folder.
    static func load(
        _ text: String, variables: [String: String] = [:], environment: [String: String] = [:],
        mode: PipelineLoader.Mode = .run, keys: AvailableKeys = .current
    ) -> (PipelineDefinition?, [Diagnostic]) {
        PipelineLoader.load(
            bytes: Array(text.utf8), file: "books.yaml", variables: variables, environment: environment, mode: mode,
            specification: SpecificationCatalog(keys: keys))
    }
}
