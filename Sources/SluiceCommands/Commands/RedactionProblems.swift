internal import SluiceDecode
internal import SluiceDiagnostics
internal import SluiceModel
internal import SluicePipeline
internal import SluiceStores

/// What several pipelines that fill one column do not agree on: what is kept of its values.
enum RedactionProblems {
    /// Columns that pipelines of one store redact differently; an error, since what one of them keeps in clear is in the store all
    /// the same.
    ///
    /// - Parameters:
    ///   - pipelines: The pipelines of the invocation, in its order.
    ///   - invocation: The invocation, which may name their store.
    /// - Returns: An error for each such column, at the later of the two pipelines.
    static func all(of pipelines: [PipelineDefinition], _ invocation: Invocation) -> [Diagnostic] {
        // A store that is not known may be any.
        let jobs = pipelines.compactMap { try? SyncJob($0, invocation) }
        return jobs.indices.flatMap { index -> [Diagnostic] in
            let job = jobs[index]
            return jobs[..<index].filter {
                $0.store.normalized == job.store.normalized && $0.pipeline.name != job.pipeline.name
            }.flatMap { differences(job.pipeline, $0.pipeline) }
        }
    }

    /// A column, by the field that fills it.
    private struct Column {
        let table: String
        let field: FieldDefinition
        let pipeline: PipelineDefinition

        var place: SourceLocation { field.redactionPlace ?? SourceLocation(file: pipeline.file) }

        func isSame(_ other: Column) -> Bool {
            ColumnName.areSame(table, other.table) && ColumnName.areSame(field.column, other.field.column)
        }
    }

    private static func columns(of pipeline: PipelineDefinition) -> [Column] {
        let filled = Set(
            pipeline.streams.flatMap { [$0.entity] + NestedTree.entities(of: $0, in: pipeline).sorted() })
        return pipeline.entities.filter { filled.contains($0.name) }.flatMap { entity in
            entity.fields.filter { !$0.isLink }.map {
                Column(table: entity.table, field: $0, pipeline: pipeline)
            }
        }
    }

    private static func differences(_ pipeline: PipelineDefinition, _ other: PipelineDefinition) -> [Diagnostic] {
        let others = columns(of: other)
        return columns(of: pipeline).compactMap { column -> Diagnostic? in
            guard let same = others.first(where: column.isSame), same.field.redaction != column.field.redaction
            else { return nil }
            return Diagnostic(
                code: "redaction_differs", summary: "Column that is redacted in two ways",
                detail:
                    "The pipeline `\(other.name)` fills `\(column.field.column)` of `\(column.table)` too: the column \(same.field.redaction.words) there and \(column.field.redaction.words) here.",
                location: column.place,
                help:
                    "Give both fields the same `redact`: each pipeline's run redacts what the store keeps of that pipeline.",
                notes: [Diagnostic.Note(text: "`\(other.name)` fills it at", location: same.place)])
        }
    }
}
