internal import Foundation
public import Sluice
internal import SluiceDecode
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
    /// What makes a program's look at the records of entities, of what stops the run.
    private var looks: [String: @Sendable (@escaping @Sendable () -> Void) -> any RecordLooks] = [:]
    /// What models ask of records, by the names of entities.
    let rules: [String: any RecordLooks]

    /// The pipeline's name.
    public var name: String { definition.name }
    /// The names of its streams.
    public var streams: [String] { definition.streams.map(\.name) }

    /// Reads a pipeline file, as `sluice run` does.
    ///
    /// Its runs keep records aside that the models forbid: with a value that a property cannot have, such as a text that is none of an
    /// enum, and with one that a `check:` refuses. A record goes there with those that stand within it.
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
        let schema = try Schema(models)
        let differences = PipelineAgreement(definition, schema).problems
        if !differences.isEmpty { throw SluiceError(differing: definition, differences) }
        self.definition = definition
        rules = ModelRules.rules(of: schema, for: definition)
        for (entity, rules) in rules { looks[entity] = { _ in rules } }
    }

    /// The same pipeline, of whose runs a program looks at each record of a model: as the file maps it, before it is merged.
    ///
    /// ```swift
    /// let pipeline = try Pipeline(contentsOf: "books.yaml", models: Book.self).stage(Book.self) { book in
    ///     book.title = book.title.trimmingCharacters(in: .whitespaces)
    ///     return .keep
    /// }
    /// ```
    ///
    /// The file's `filter`, `expr` and `map` come first. What the closure throws keeps the record aside, except for a
    /// `CancellationError`, which ends the run. A property that the source does not speak of and the closure does not touch stays
    /// absent; no other than the pipeline's fields may be changed, and neither those that are redacted nor the one by which the next
    /// run reads on. The closure does not see records that stand within others, nor those that the source says are deleted.
    ///
    /// A run that has to begin anew asks about its records again, and a page that is as it was is not read: where the
    /// closure decides otherwise than before, run with ``PipelineOptions/isFull``.
    ///
    /// - Parameters:
    ///   - model: The model, whose table the pipeline fills. A second closure for it takes the place of the first.
    ///   - look: Gets each record, on a thread of the run. It may change it, and says what becomes of it.
    /// - Returns: The pipeline.
    /// - Throws: `SluiceError` where pipeline and model do not agree, where no stream fills the table, and where no value can be
    ///   made before its record is stored.
    public func stage<M: PersistentModel>(
        _ model: M.Type, _ look: @escaping @Sendable (inout M) throws -> Stage
    ) throws -> Pipeline {
        var pipeline = self
        for entity in try ModelLooks<M>.entities(of: definition) {
            pipeline.looks[entity] = { cancel in ModelLooks(look, cancel: cancel) }
        }
        return pipeline
    }

    /// What makes the program's looks of one run.
    ///
    /// - Parameter cancel: Stops the run.
    /// - Returns: What makes them, by the names of entities.
    func looks(cancelling cancel: @escaping @Sendable () -> Void) -> [String: any RecordLooks] {
        looks.mapValues { $0(cancel) }
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
