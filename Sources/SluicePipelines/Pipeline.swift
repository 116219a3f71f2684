internal import Foundation
public import Sluice
internal import SluiceDiagnostics
internal import SluicePipeline
internal import SluicePipelineFiles

/// A pipeline file, to be run in the program's own process over its own store.
///
/// ```swift
/// let pipeline = try Pipeline(contentsOf: "books.yaml", models: Book.self)
/// let report = try await store.run(pipeline)
/// ```
public struct Pipeline: Sendable {
    let definition: PipelineDefinition

    /// The pipeline's name.
    public var name: String { definition.name }
    /// The names of its streams.
    public var streams: [String] { definition.streams.map(\.name) }

    /// Reads a pipeline file, as `sluice run` does.
    ///
    /// - Parameters:
    ///   - path: The file; what it names is relative to its folder.
    ///   - models: The models that have to fit its tables.
    ///   - variables: Values that win over those under `vars`.
    ///   - environment: What `${env:}` may name; the program's own where it is left out.
    /// - Throws: `SluiceError`, with `invalidPipeline` and all problems of the file, or with `definitionDiffers` and all that
    ///   file and models say differently.
    public init(
        contentsOf path: String, models: any PersistentModel.Type..., variables: [String: String] = [:],
        environment: [String: String]? = nil
    ) throws {
        let (definition, problems) = PipelineLoader.load(
            path: path, variables: variables, environment: environment ?? ProcessInfo.processInfo.environment,
            mode: .run)
        guard let definition else {
            let errors = problems.filter { $0.severity == .error }.map(Self.text)
            throw SluiceError(
                .invalidPipeline, "The pipeline cannot be run: \(errors.joined(separator: " "))", problems: errors)
        }
        let differences = PipelineAgreement(definition, try Schema(models)).problems
        if !differences.isEmpty {
            throw SluiceError(
                .definitionDiffers,
                "The pipeline `\(definition.name)` and the models do not fit together: \(differences.joined(separator: "; ")).",
                problems: differences)
        }
        self.definition = definition
    }

    /// A problem with its place, on one line.
    private static func text(_ problem: Diagnostic) -> String {
        let place = problem.location.map { location in
            let position = location.position.map { ":\($0.line):\($0.column)" } ?? ""
            return "\(location.file)\(position): "
        }
        return [(place ?? "") + problem.message, problem.help].compactMap { $0 }.joined(separator: " ")
    }
}
