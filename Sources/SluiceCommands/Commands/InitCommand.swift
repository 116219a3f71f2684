internal import SluiceDiagnostics
internal import SluiceDiscovery
internal import SluicePipeline
internal import SluiceStores
internal import SluiceSystem

/// `sluice init`: makes a folder with a first pipeline for a source, and with what goes with it.
struct InitCommand {
    let invocation: Invocation
    private var arguments: ParsedArguments { invocation.arguments }
    private var context: CommandContext { invocation.context }

    init(invocation: Invocation) { self.invocation = invocation }

    func run() throws -> ExitCode {
        let probe = ProbeCommand(invocation: invocation)
        return try probe.stoppable {
            guard let url = try url(probe) else { return .stopped(by: context.signal()) }
            return try run(probe, url)
        }
    }

    private static let question = "The URL of the first page: "

    /// The URL of the command line or of the person at the terminal, who is asked again where an answer is none; nil where
    /// that person stopped the command.
    private func url(_ probe: ProbeCommand) throws -> String? {
        if let operand = arguments.operands.first { return try probe.checked(operand) }
        guard let ask = context.ask else {
            throw Failure(
                .usage,
                "`sluice init` needs the URL of the first page, as in `sluice init https://api.example.com/books`.")
        }
        var question = Self.question
        while let answer = ask(question), !context.cancellation.isCancelled {
            do { return try probe.checked(answer) } catch let error as Failure {
                let reason = answer.isEmpty ? "No URL was given. Ctrl-D ends the command." : error.message
                question = "\(reason)\n\(Self.question)"
            }
        }
        return nil
    }

    private func run(_ probe: ProbeCommand, _ place: String) throws -> ExitCode {
        let table = try probe.table(of: place)
        let folder = arguments.text(.recordTo) ?? "."
        let path = FileSystem.resolve("pipelines/\(table).yaml", in: folder == "." ? "" : folder)
        try PipelineFile.requireNew(
            path, remedy: "Remove it, or choose another table with `--table`, or another folder with `--to`.")
        try OutputGuard.checkFolder(FileSystem.folder(of: path))
        let output = try invocation.openOutput()
        let taken = try Self.variables(ofOthersThan: place, in: FileSystem.folder(of: path))
        let found = try probe.find(
            place, table: table, file: path, storeIn: folder == "." ? "" : folder, avoiding: taken)
        try FileSystem.makeFolders(FileSystem.folder(of: path), isPrivate: false)
        try found.file.write()
        let names = found.file.writer.variables
        let files = [
            "\(path)  (written)",
            try describe(".env.example", in: folder, try environmentFile(in: folder, names)),
            try describe(".gitignore", in: folder, try ignoreFile(in: folder)),
        ]
        if invocation.writesResult(to: output) {
            let style = invocation.style(for: output)
            try output.write(ProbeText(probe: found.probe, key: found.key, next: nil).text(style: style))
            let needed = try Self.variables(in: FileSystem.folder(of: path))
            try output.write("\n" + files.map { "  \($0)\n" }.joined() + next(folder, needed))
        }
        try output.finish()
        return .done
    }

    // MARK: What goes with the pipeline

    private func environmentFile(
        in folder: String, _ variables: [(name: String, header: String)]
    ) throws -> LineFile.Change {
        let heading = """
            # What pipelines name as ${env:NAME}, without the values.
            # Copy it to .env, which stays out of the repository, and fill that in.

            """
        let lines = variables.map {
            (comment: "the secret part of `\(PrintableText.escape($0.header))`", line: "\($0.name)=")
        }
        return try LineFile(path: FileSystem.resolve(".env.example", in: folder)).add(heading: heading, lines) {
            $0.hasPrefix($1) || $0.hasPrefix("export \($1)")
        }
    }

    private func ignoreFile(in folder: String) throws -> LineFile.Change {
        let lines = [
            (comment: "secrets", line: ".env"), (comment: "stores, and what stands beside them", line: "*.db"),
            (comment: "", line: "*.db-*"), (comment: "", line: "sluice-serve/"),
        ]
        return try LineFile(path: FileSystem.resolve(".gitignore", in: folder)).add(lines)
    }

    private func describe(_ name: String, in folder: String, _ change: LineFile.Change) throws -> String {
        let words =
            switch change {
            case .made: "written"
            case .extended: "lines were added"
            case .left: "left as it is"
            }
        return "\(folder == "." ? name : FileSystem.resolve(name, in: folder))  (\(words))"
    }

    /// The environment variables that the pipelines of a folder name for other sources: their secrets are not this one's.
    private static func variables(ofOthersThan url: String, in folder: String) throws -> Set<String> {
        let origin = url.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false).prefix(3).joined(
            separator: "/")
        return Set(try references(in: folder) { !$0.contains(origin) }.map(\.name))
    }

    /// The environment variables that the pipelines of a folder need, in the order of the files: those without a default.
    private static func variables(in folder: String) throws -> [String] {
        var names: [String] = []
        for (name, hasDefault) in try references(in: folder) where !hasDefault && !names.contains(name) {
            names.append(name)
        }
        return names
    }

    /// The references to environment variables in the pipelines of a folder, in the order of the files.
    ///
    /// - Parameters:
    ///   - folder: The folder.
    ///   - isMeant: Whether the text of a file is of interest.
    /// - Returns: Their names, and whether they have a default.
    /// - Throws: `SystemError` where a file cannot be read.
    private static func references(
        in folder: String, where isMeant: (String) -> Bool = { _ in true }
    ) throws -> [(name: String, hasDefault: Bool)] {
        let files = FileSystem.matches(of: FileSystem.resolve("*.yaml", in: FileSystem.escaped(folder))).sorted()
        return try files.map { String(decoding: try FileSystem.contents(of: $0), as: UTF8.self) }.filter(isMeant)
            .flatMap { $0.split(separator: "${env:").dropFirst() }.map { part in
                let parts = part.prefix { $0 != "}" }.split(separator: ":", maxSplits: 1)
                return (String(parts.first ?? ""), parts.count > 1)
            }
    }

    /// The commands that come next, to be copied.
    private func next(_ folder: String, _ variables: [String]) -> String {
        var lines: [String] = []
        if folder != "." { lines.append("cd \(ShellWord.quoted(folder))") }
        if arguments.store == nil, let store = context.environment["SLUICE_STORE"].flatMap(StoreAddress.init) {
            // The pipeline names none, so that each command needs it.
            lines.append(
                "export SLUICE_STORE=\(ShellWord.quoted(store.url))    # in each terminal, or write `store:` into the file"
            )
        }
        let own = FileSystem.resolve(".env", in: folder)
        if FileSystem.kind(of: own) == .file {
            // What is filled in stays.
            let known = (try? FileSystem.contents(of: own)).map { String(decoding: $0, as: UTF8.self) } ?? ""
            let missing = variables.filter { name in
                !known.split(whereSeparator: \.isNewline).contains {
                    $0.hasPrefix("\(name)=") || $0.hasPrefix("export \(name)=")
                }
            }
            lines += missing.map { "echo '\($0)=' >> .env    # and fill it in" }
        } else if !variables.isEmpty {
            lines.append("cp .env.example .env    # and fill in \(variables.joined(separator: ", "))")
        }
        let option = variables.isEmpty ? "" : " --env-file .env"
        lines += ["validate", "plan", "run"].map { "sluice \($0)\(option)" }
        return "\nNext:\n" + lines.map { "  \($0)\n" }.joined()
    }
}
