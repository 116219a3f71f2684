internal import SluiceDiagnostics
internal import SluiceJSON
internal import SluiceModel
package import SluicePipeline
package import SluiceStore

/// The pipeline that adopts tables which other programs made: what a person would have written for them, but for the
/// source, which nothing in a table tells.
package struct TablePipeline {
    /// The pipeline.
    package let definition: PipelineDefinition
    /// What a person has to know or to do.
    package let notes: PipelineNotes

    /// The base URL of a pipeline whose source is not known.
    private static let exampleURL = "https://api.example.com"

    /// Puts a pipeline together.
    ///
    /// - Parameters:
    ///   - tables: The tables, each with at least one key.
    ///   - name: What several tables together are called.
    ///   - store: The URL of the store; nil where no file may name it.
    ///   - url: The base URL of the source; nil for an example.
    ///   - filled: What a store knows of those that pipelines fill already, by their names.
    ///   - pipelines: The names of the store's pipelines: under one of them it would be that pipeline.
    package init(
        of tables: [AdoptableTable], name: String, store: String?, url: String?,
        knowing filled: [String: FilledTable] = [:], beside pipelines: [String] = []
    ) {
        let entities = TableEntities(tables, knowing: filled)
        let base = url ?? Self.exampleURL
        let isFile = base.lowercased().hasPrefix("file:")
        let ordered = entities.inOrder
        let streams = ordered.map { table in
            let stream = ImportPipeline.streamName(table.name)
            return StreamDefinition(
                name: stream, entity: entities.name(of: table),
                path: ConfigurationText(isFile ? "\(stream).json" : "/\(stream)"))
        }
        definition = PipelineDefinition(
            name: Self.name(ImportPipeline.name(of: tables.count == 1 ? tables[0].name : name), beside: pipelines),
            file: "", store: store,
            source: SourceDefinition(base: .http(ConfigurationText(base))),
            entities: ordered.map { entities.entity(of: $0) }, streams: streams)
        notes = Self.notes(tables, entities, isExample: url == nil, filled)
    }

    /// A name that no other pipeline has.
    private static func name(_ wanted: String, beside others: [String]) -> String {
        var (name, number) = (wanted, 1)
        while others.contains(name) {
            number += 1
            name = "\(wanted)-\(number)"
        }
        return name
    }

    private static func notes(
        _ tables: [AdoptableTable], _ entities: TableEntities, isExample: Bool, _ filled: [String: FilledTable]
    ) -> PipelineNotes {
        let names = tables.map { "`\(PrintableText.escape($0.name))`" }.joined(separator: ", ")
        let kind = Plural.word(tables.count, "table", "tables")
        var notes = PipelineNotes(
            comment: [
                "Written by `sluice generate pipeline` for the \(kind) \(names). Review it before the first run.",
                "Each field reads the key of its name. Where the source has another one, say so with `from`,",
                "as in `title: {from: headline, type: string}`. Remove fields that the source does not have.",
            ],
            stream: [
                "`sluice probe URL` finds out what a stream needs besides `path`, such as `records` and `paginator`."
            ])
        if isExample {
            notes.source = ["An example: put the base URL of the source here, and the paths into `streams`."]
        }
        for table in entities.inOrder {
            let entity = entities.name(of: table)
            notes.entities[entity] =
                (filled[table.name].map { [Self.filled(by: $0.sources)] } ?? []) + entities.notes(of: table)
            for column in table.columns {
                guard let note = entities.note(of: column, in: table) else { continue }
                notes.fields[entity, default: [:]][entities.fieldName(of: column, in: table)] = note
            }
        }
        return notes
    }

    /// That a table has sources: another pipeline beside them seldom is what somebody wants.
    private static func filled(by sources: [RecordMapping]) -> String {
        let paths = Set(sources.map(\.path)).sorted()
        let names = paths.map { "`\(PrintableText.escape($0))`" }.joined(separator: ", ")
        return
            "\(names) \(Plural.word(paths.count, "fills", "fill")) this table already: to change what it takes, edit that pipeline. This one would be another source of it."
    }
}
