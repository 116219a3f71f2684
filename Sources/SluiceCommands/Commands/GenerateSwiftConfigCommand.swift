internal import SluicePipeline
internal import SluiceStores
internal import SluiceSwiftModels
internal import SluiceSystem

/// `sluice generate swift-config`: a configuration of models to begin with.
struct GenerateSwiftConfigCommand {
    let invocation: Invocation
    private var arguments: ParsedArguments { invocation.arguments }

    init(invocation: Invocation) { self.invocation = invocation }

    func run() throws -> ExitCode {
        try checkOptions()
        let path = arguments.text(.output) ?? "-"
        if path != "-", FileSystem.kind(of: path) == .file, !arguments.has(.force) {
            throw Failure(
                .failed,
                "The file `\(path)` exists. Give `--force` to replace it, or name another. Nothing was written.")
        }
        guard let text = try text(in: path == "-" ? "." : FileSystem.folder(of: path)) else { return .invalidPipeline }
        let output = try invocation.openOutput()
        try output.write(text)
        try output.finish()
        return .done
    }

    private func checkOptions() throws {
        guard arguments.has(.preset) else { return }
        if arguments.has(.style) { throw Failure(.usage, "`--preset` and `--style` exclude each other.") }
        if let path = arguments.operands.first {
            throw Failure(.usage, "`--preset` reads no pipeline, and got `\(path)`: leave one of the two out.")
        }
    }

    /// The text of a file in a folder; nil where a pipeline has errors, which are told.
    private func text(in folder: String) throws -> String? {
        if let preset = arguments.text(.preset).flatMap(SwiftConfigurationWriter.Preset.init) {
            return SwiftConfigurationWriter.text(preset)
        }
        guard let source = try GenerateSwiftCommand.source(invocation, .none) else { return nil }
        let style = arguments.text(.style).flatMap(SwiftConfigurationWriter.Style.init) ?? .compact
        let store = arguments.operands.first.flatMap { StoreAddress($0) }
        return SwiftConfigurationWriter.text(
            SwiftModelMaker(source.pipelines).models, style,
            pipelines: arguments.paths.map { FilePath.relative($0, to: folder) },
            store: store.map { store in
                store.file.map { StorePathText.url(of: FilePath.relative($0, to: folder)) } ?? store.url
            })
    }
}
