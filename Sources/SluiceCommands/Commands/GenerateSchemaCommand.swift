internal import SluicePipeline

/// `sluice generate schema`
struct GenerateSchemaCommand {
    let invocation: Invocation

    func run() throws -> ExitCode {
        let output = try invocation.openOutput()
        try output.write(PipelineSchema.jsonSchema())
        try output.finish()
        return .done
    }
}
