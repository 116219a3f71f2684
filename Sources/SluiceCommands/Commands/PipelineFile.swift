internal import SluiceDiagnostics
internal import SluicePipeline
internal import SluicePipelineFiles
internal import SluiceSystem

/// A pipeline that was made rather than read, on its way into a file.
struct PipelineFile {
    let invocation: Invocation
    let writer: PipelineWriter
    /// Where it goes; `-` is standard output.
    let path: String

    /// Checks a pipeline as `sluice validate` would.
    ///
    /// - Parameters:
    ///   - writer: The text.
    ///   - path: Where it goes.
    ///   - what: What it was made of, as in `This import`.
    ///   - remedy: What to do where it would be refused, as a sentence.
    ///   - invocation: The command.
    /// - Throws: ``Failure`` where it would be refused.
    init(
        _ writer: PipelineWriter, path: String, of what: String,
        remedy: String = "Leave out `--write-pipeline`, or choose another name.", _ invocation: Invocation
    ) throws {
        (self.writer, self.path, self.invocation) = (writer, path, invocation)
        let (_, problems) = PipelineLoader.load(
            bytes: Array(writer.text.utf8), file: path, environment: invocation.context.environment, mode: .validate)
        if let problem = problems.first(where: { $0.severity == .error }) {
            throw Failure(.failed, "\(what) cannot be written as a pipeline: \(problem.detail) \(remedy)")
        }
    }

    /// Refuses a file that exists, before a source is asked in vain.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - remedy: How to have another one.
    /// - Throws: ``Failure``.
    static func requireNew(_ path: String, remedy: String = "Name another file, or remove it.") throws {
        if FileSystem.kind(of: path) == .file {
            throw Failure(.failed, "The file `\(path)` exists. \(remedy) No request was made.")
        }
    }

    /// Refuses a place where no file can be written, before a source is asked in vain.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - context: The command's.
    /// - Throws: ``Failure``.
    static func requirePlace(_ path: String, _ context: CommandContext) throws {
        // What is no file of a folder is opened once, by whoever writes to it.
        if FileSystem.kind(of: path) == .other || ["/dev/", "/proc/"].contains(where: path.hasPrefix) { return }
        _ = try ResultOutput(path: path, context: context)
    }

    /// Writes it, and tells of what it leaves to the environment.
    ///
    /// - Throws: ``Failure`` where the file holds something else.
    func write() throws {
        if FileSystem.kind(of: path) == .file, try !Self.isSame(path, Array(writer.text.utf8)) {
            throw Failure(
                .failed, "The file `\(path)` exists and holds something else. Name another, or remove it.")
        }
        let output = try ResultOutput(path: path, context: invocation.context)
        try output.write(writer.text)
        try output.finish()
        // What is set was named by whoever gave the header.
        for variable in writer.variables where invocation.context.environment[variable.name] == nil {
            invocation.log.report(
                .credentialLeftOut,
                "The value of `\(variable.header)` is not written to `\(path)`: set the environment variable `\(variable.name)` to its secret part for `sluice run`.",
                [(.file, .text(path))])
        }
    }

    private static func isSame(_ path: String, _ text: [UInt8]) throws -> Bool {
        let file = try ByteFile(reading: path)
        return try file.byteCount == text.count && file.bytes(at: 0, count: text.count) == text
    }
}
