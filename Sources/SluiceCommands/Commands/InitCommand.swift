internal import SluiceDiagnostics
internal import SluiceDiscovery
internal import SluicePipeline
internal import SluiceSystem

/// `sluice init`: a folder to begin with, made of what a source looks like.
struct InitCommand {
    let invocation: Invocation
    private var arguments: ParsedArguments { invocation.arguments }
    private var context: CommandContext { invocation.context }
    private var folder: String { arguments.text(.recordTo) ?? "." }

    init(invocation: Invocation) { self.invocation = invocation }

    func run() throws -> ExitCode {
        let url = try url()
        let table = try ProbeCommand(invocation: invocation).table(for: url)
        let path = FileSystem.resolve("\(ImportPipeline.name(of: table)).yaml", in: folder)
        try PipelineFile.requireNew(path)
        do {
            try make(path, of: url, table: table)
            return .done
        } catch let error as ImportError where error.kind == .interrupted {
            invocation.log.tell(.stopped, lines: "Stopped; nothing was written.\n")
            return .stopped(by: context.signal())
        }
    }

    private func url() throws -> String {
        if let url = arguments.operands.first { return url }
        if let url = context.ask?("URL of the first page: "), !url.isEmpty { return url }
        throw Failure(.usage, "`sluice init` needs a URL to look at. A terminal is asked for it; here, name it.")
    }

    private func make(_ path: String, of url: String, table: String) throws {
        let command = ProbeCommand(invocation: invocation)
        let probe = try command.probe(url, table: table)
        let key = try command.askedKey(probe)
        var pipeline = probe.pipeline(table: table, identity: key?.identity)
        pipeline.store =
            arguments.store?.url ?? StorePathText.url(of: FileSystem.resolve("\(pipeline.name).db", in: folder))
        let writer = PipelineWriter(
            pipeline, file: path, comment: probe.comment(key: key?.identity), notes: probe.notes,
            fieldNotes: probe.inspection.absences)
        let file = try PipelineFile(writer, path: path, of: "What was found", invocation)
        if FileSystem.kind(of: folder) != .folder { try FileSystem.makeFolders(folder) }
        try file.writeText()
        try addLines(Self.secrets(writer.variables), to: ".env.example", by: Self.assigned)
        try addLines([".env", "*.db", "*.db-journal", "*.db-shm", "*.db-wal"], to: ".gitignore") { $0 }
        if arguments.isQuiet { return }
        let output = try ResultOutput(path: nil, context: context)
        let style = invocation.style(for: output)
        try output.write(ProbeText(probe: probe, key: key, next: nil).text(style: style))
        try output.write("\n" + probe.hiding(steps(path, needsSecrets: !writer.variables.isEmpty)))
        try output.finish()
    }

    // MARK: The other files

    /// Lines for the secrets that a pipeline takes from the environment.
    private static func secrets(_ variables: [(name: String, header: String)]) -> [String] {
        ["# Copy this file to .env and fill in what is secret; .env stays out of version control."]
            + variables.flatMap { ["# the secret part of the header \($0.header)", "\($0.name)="] }
    }

    /// What a line assigns to, so that it is there once whatever its value is; the whole line where it assigns nothing.
    private static func assigned(_ line: String) -> String {
        line.hasPrefix("#") ? line : line.firstIndex(of: "=").map { String(line[...$0]) } ?? line
    }

    /// Writes a file, or adds the lines to it that it has not.
    private func addLines(_ lines: [String], to name: String, by identity: (String) -> String) throws {
        let path = FileSystem.resolve(name, in: folder)
        var text = ""
        if FileSystem.kind(of: path) == .file {
            text = String(decoding: try FileSystem.contents(of: path), as: UTF8.self)
        }
        let known = Set(text.split(separator: "\n").map { identity(String($0)) })
        let missing = lines.filter { !known.contains(identity($0)) }
        if missing.isEmpty { return }
        if !text.isEmpty && !text.hasSuffix("\n") { text += "\n" }
        let output = try ResultOutput(path: path, context: context)
        try output.write(text + missing.joined(separator: "\n") + "\n")
        try output.finish()
    }

    // MARK: What to do next

    private func steps(_ path: String, needsSecrets: Bool) -> String {
        let name = ShellWord.quoted(FileSystem.stem(of: path) + ".yaml")
        var lines: [String] = folder == "." ? [] : ["cd \(ShellWord.quoted(folder))"]
        if needsSecrets { lines.append("cp .env.example .env   # and fill it in") }
        let secrets = needsSecrets ? " --env-file .env" : ""
        lines += ["validate", "plan", "run"].map { "sluice \($0) \(name)\(secrets)" }
        return """
            Wrote \(path), .env.example and .gitignore. Check what is unsure above, then:
            \(lines.map { "  \($0)" }.joined(separator: "\n"))

            """
    }
}
