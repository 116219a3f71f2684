internal import SluicePipeline
internal import SluicePipelineFiles
internal import SluiceSwiftModels

/// `sluice generate schema`
struct GenerateSchemaCommand {
    /// What a schema describes.
    enum Subject: String, CaseIterable {
        case pipeline, report, history
        case swiftConfig = "swift-config"

        /// The schema of it.
        var text: String {
            switch self {
            case .pipeline: PipelineSchema.jsonSchema()
            case .report: ReportSchema.jsonSchema()
            case .history: HistorySchema.jsonSchema()
            case .swiftConfig:
                PipelineSchema.jsonSchema(
                    of: SwiftConfiguration.specification, id: "urn:sluice:swift-config:1", title: "Sluice Swift models",
                    "A configuration of Sluice for Swift models: where they are, and what differs in them.")
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
