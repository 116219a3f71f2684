internal import SluiceJSON
internal import SluicePipeline
internal import SluiceServeModel
internal import SluiceStores
internal import SluiceSystem

/// Carries decisions out with the program itself, so that they follow its rules for locks and are told in its words.
struct ProgramRunner: Sendable {
    /// What came of a call.
    struct Outcome {
        /// The exit code.
        let code: Int32
        /// The document that was written; empty where there was none.
        let document: [UInt8]
        /// What was said besides.
        let messages: String

        /// The document as JSON.
        var json: JSONValue? { (try? JSONDocument(document))?.root }

        /// Whether what was asked for is done, if only in part: an undo leaves what was changed since.
        var isDone: Bool {
            if code == 0 { return !document.isEmpty }
            let status = json?.member(named: "pipelines")?.element(at: 0)?.member(named: "status")?.string
            return status == "succeeded" || status == "partial"
        }
    }

    /// The exit code that says that another run uses the store.
    private static let locked: Int32 = 6
    /// How long a person waits for it.
    private static let limit = Duration.seconds(300)
    private static let mostBytes = 64 << 20
    let program: String
    let environment: [String: String]

    /// Does a command on a pipeline's store.
    ///
    /// - Parameters:
    ///   - words: The command with its operands and options.
    ///   - pipeline: The pipeline.
    ///   - needsFile: Whether the pipeline's file is meant and not its store alone.
    ///   - who: Who gives the command.
    /// - Returns: What came of it.
    /// - Throws: ``Refusal`` where another run uses the store, or the program could not be run.
    func run(
        _ words: [String], on pipeline: ServedPipeline, needsFile: Bool = false, by who: String?
    ) throws -> Outcome {
        let folder = try FileSystem.makeTemporaryFolder()
        let path = "\(folder)/document.json"
        defer {
            FileSystem.remove(path)
            FileSystem.removeFolder(folder)
        }
        var variables = environment
        if let who { variables["USER"] = who }
        var arguments = [program] + words
        if needsFile {
            arguments += pipeline.arguments
        } else {
            // Other users of the machine see arguments, and no variables.
            variables["SLUICE_STORE"] = pipeline.store.wholeURL
        }
        arguments = arguments.prefix(1) + arguments.dropFirst() + ["--format", "json", "--output", path]
        let child = ChildProcess(arguments, environment: variables, limit: Self.limit)
        let result = try child.run(input: [], cancellation: Cancellation())
        let messages = StoreReader.hiding(pipeline, String(decoding: result.output, as: UTF8.self))
        guard case .exited(let code) = result.ending else {
            throw Refusal(503, "stopped", "It took too long or was stopped. Nothing was done.")
        }
        if code == Self.locked { throw Refusal(409, "locked", messages) }
        var document: [UInt8] = []
        if let file = try? ByteFile(reading: path) {
            document = (try? file.bytes(at: 0, count: min(file.byteCount, Self.mostBytes))) ?? []
        }
        return Outcome(code: code, document: document, messages: messages)
    }
}
