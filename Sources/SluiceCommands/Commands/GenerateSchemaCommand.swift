internal import SluicePipeline
internal import SluicePipelineFiles

/// `sluice generate schema`
struct GenerateSchemaCommand {
    /// What a schema describes.
    enum Subject: String, CaseIterable {
        case pipeline, report, history

        /// The schema of it.
        var text: String {
            switch self {
            case .pipeline: PipelineSchema.jsonSchema()
            case .report: ReportSchema.jsonSchema()
            case .history: HistorySchema.jsonSchema()
            }
        }
    }

    let invocation: Invocation

    func run() throws -> ExitCode {
        let subject = invocation.arguments.operands.first.flatMap(Subject.init) ?? .pipeline
        let output = try invocation.openOutput()
        try output.write(subject.text)
        try output.finish()
        return .done
    }
}
