internal import SluiceDiscovery
internal import SluiceJSON
internal import SluicePipeline
internal import SluiceReport
internal import SluiceStores
internal import SluiceSync
internal import SluiceSystem

/// `sluice probe`: looks at a few pages of a source, says what it found, and writes a first pipeline.
struct ProbeCommand {
    let invocation: Invocation
    private var arguments: ParsedArguments { invocation.arguments }
    private var context: CommandContext { invocation.context }

    init(invocation: Invocation) { self.invocation = invocation }

    /// What was found, and the pipeline that is made of it.
    struct Found {
        let probe: SourceProbe
        /// The key that was asked for, nil for what was found.
        let key: ImportKey?
        let file: PipelineFile
    }

    func run() throws -> ExitCode {
        let url = try checked(arguments.operands.first ?? "")
        let table = try table(of: url)
        // What cannot be told is not asked for.
        let output = try output()
        return try stoppable { try run(url, table: table, output) }
    }

    /// Does something with a source; a request to stop ends it.
    func stoppable(_ body: () throws -> ExitCode) throws -> ExitCode {
        do {
            return try body()
        } catch let error as ImportError where error.kind == .interrupted {
            invocation.log.report(.stopped, lines: "Stopped; nothing was written.\n")
            return .stopped(by: context.signal())
        }
    }

    /// What records without a name are called.
    private static let standardTable: String? = "records"

    /// The table to fill.
    ///
    /// - Throws: ``Failure`` where its name is taken.
    func table(of url: String) throws -> String {
        guard let table = arguments.text(.table) ?? ImportPipeline.table(for: .url(url)) ?? Self.standardTable,
            !ImportPipeline.isReserved(table)
        else { throw Failure(.usage, "`--table` names a table that is reserved for the store.") }
        return table
    }

    /// A URL that can be asked for.
    ///
    /// - Throws: ``Failure`` where it is none.
    func checked(_ url: String) throws -> String {
        let scheme = url.prefix { $0 != ":" }.lowercased()
        guard ["http", "https"].contains(scheme), url.dropFirst(scheme.count).hasPrefix("://") else {
            throw Failure(
                .usage,
                "A URL begins with http:// or https://. For files, use `sluice import`.")
        }
        try RequestReferences.refuse(in: url, "the URL")
        return url
    }

    /// Looks at a source and makes a pipeline of what it finds.
    ///
    /// - Parameters:
    ///   - url: The first page.
    ///   - table: The table to fill.
    ///   - path: The file that the pipeline is for; it is not written yet.
    ///   - folder: The folder in which runs find the store.
    ///   - taken: The environment variables that hold secrets of other sources.
    /// - Returns: What was found.
    /// - Throws: ``Failure``, `ImportError`.
    func find(
        _ url: String, table: String, file path: String, storeIn folder: String?, avoiding taken: Set<String> = []
    ) throws -> Found {
        let options = SyncOptions(
            store: .standard, command: .plan, version: Sluice.version, cancellation: context.cancellation)
        var request = SourceProbe.Request(
            url: url, headers: try RequestHeaders.of(invocation),
            records: try arguments.text(.records).map { try JSONPath(parsing: $0) },
            pages: arguments.text(.pages).flatMap { OptionSpec.count($0) } ?? SourceProbe.standardPages, table: table)
        (request.method, request.body) = try RequestBodies.of(arguments)
        request.form = try SourceForms.of(arguments)
        let progressLine = SyncCommand(invocation: invocation).progressLine(for: table)
        defer { progressLine.erase() }
        let probe = try SourceProbe(request, options: options) { progressLine.show($0) }
        progressLine.erase()
        let key = try askedKey(probe)
        var pipeline = probe.pipeline(table: table, identity: key?.identity)
        if let store = arguments.store {
            pipeline.store = try Self.named(store)
        } else if let folder, context.environment["SLUICE_STORE"] ?? "" == "" {
            // The file would stand over a store that the environment names.
            pipeline.store = StoreAddress(file: FileSystem.resolve(Self.storeName, in: folder)).url
        }
        let writer = PipelineWriter(
            pipeline, file: path,
            notes: PipelineNotes(
                comment: probe.comment(key: key?.identity), stream: probe.notes, fields: probe.inspection.notes,
                of: pipeline), avoiding: taken)
        return Found(
            probe: probe, key: key, file: try PipelineFile(writer, path: path, of: "What was found", invocation))
    }

    /// The file of the store beside the pipelines.
    private static let storeName = StoreAddress.standard.file ?? "sluice.db"

    private func run(_ url: String, table: String, _ output: ResultOutput?) throws -> ExitCode {
        let path = arguments.text(.writePipeline)
        if let path {
            try PipelineFile.requireNew(path)
            try PipelineFile.requirePlace(path, context)
        }
        // Where standard output goes is not known.
        let found = try find(
            url, table: table, file: path ?? "\(table).yaml", storeIn: path == "-" ? nil : storeFolder(of: path))
        if let output { try report(found.probe, found.key, table: table, found.file, to: output) }
        if path != nil { try found.file.write() }
        return .done
    }

    /// A store as a pipeline's file names it.
    ///
    /// - Throws: ``Failure`` where it has a password, which no file is to have.
    private static func named(_ store: StoreAddress) throws -> String {
        if store.wholeURL == store.url { return store.url }
        throw Failure(
            .usage,
            "`--store` has a password, and it would stand in the pipeline's file. Leave the password out, and write `store: ${env:STORE_URL}` afterwards, with the whole URL in `.env`."
        )
    }

    /// The folder of the command where the file stands in it or below, so that all commands given there mean one store; else
    /// that of the file.
    private func storeFolder(of path: String?) -> String {
        guard let path else { return "" }
        let (folder, here) = (FileSystem.folder(of: FileSystem.absolute(path)), FileSystem.absolute("."))
        return folder == here || folder.hasPrefix(here + "/") ? "" : folder
    }

    private func askedKey(_ probe: SourceProbe) throws -> ImportKey? {
        guard let asked = arguments.text(.key) else { return nil }
        let key = try ImportKey(
            probe.inspection, asked: asked, view: ImportText(probe.inspection), log: invocation.log)
        // A run says so itself.
        if let sharing = probe.keyed.sharing(of: key.fields) {
            let names = key.fields.map { "`\($0)`" }.joined(separator: ", ")
            invocation.log.report(.keyDoubtful, "The key \(names) is not unique: \(sharing).")
        }
        return key
    }

    /// Where the findings go: to standard error where the pipeline goes to standard output; nil for nowhere.
    private func output() throws -> ResultOutput? {
        let isPipelineShown = arguments.text(.writePipeline) == "-"
        let isBeside = isPipelineShown && [nil, "-"].contains(arguments.text(.output))
        if isBeside && arguments.isQuiet { return nil }
        return isBeside ? try ResultOutput(path: "/dev/stderr", context: context) : try invocation.openOutput()
    }

    private func report(
        _ probe: SourceProbe, _ key: ImportKey?, table: String, _ file: PipelineFile, to output: ResultOutput
    ) throws {
        if arguments.isJSON {
            try output.write(ProbeJSON(probe: probe, key: key, writer: file.writer).text)
        } else if invocation.writesResult(to: output) {
            let next = arguments.has(.writePipeline) ? nil : "\(table).yaml"
            try output.write(ProbeText(probe: probe, key: key, next: next).text(style: invocation.style(for: output)))
        }
        try output.finish()
    }
}
