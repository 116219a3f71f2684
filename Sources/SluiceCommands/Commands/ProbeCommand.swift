internal import SluiceDiscovery
internal import SluiceJSON
internal import SluicePipeline
internal import SluiceReport
internal import SluiceSync

/// `sluice probe`: looks at a few pages of a source, says what it found, and writes a first pipeline.
struct ProbeCommand {
    let invocation: Invocation
    private var arguments: ParsedArguments { invocation.arguments }
    private var context: CommandContext { invocation.context }

    init(invocation: Invocation) { self.invocation = invocation }

    func run() throws -> ExitCode {
        let url = try url()
        guard let table = arguments.text(.table) ?? ImportPipeline.table(for: .url(url)) ?? Self.standardTable,
            !ImportPipeline.isReserved(table)
        else { throw Failure(.usage, "`--table` names a table that is reserved for the store.") }
        // What cannot be told is not asked for.
        let output = try output()
        do {
            return try run(url, table: table, output)
        } catch let error as ImportError where error.kind == .interrupted {
            invocation.log.tell(.stopped, lines: "Stopped; nothing was written.\n")
            return .stopped(by: context.signal())
        }
    }

    /// What records without a name are called.
    private static let standardTable: String? = "records"

    private func url() throws -> String {
        let operand = arguments.operands.first ?? ""
        let scheme = operand.prefix { $0 != ":" }.lowercased()
        guard ["http", "https"].contains(scheme), operand.dropFirst(scheme.count).hasPrefix("://") else {
            throw Failure(
                .usage,
                "A probe takes a URL that begins with http:// or https://. For files, use `sluice import`.")
        }
        return operand
    }

    private func run(_ url: String, table: String, _ output: ResultOutput?) throws -> ExitCode {
        if let path = arguments.text(.writePipeline) { try PipelineFile.requireNew(path) }
        let options = SyncOptions(
            storePath: "", command: .plan, version: Sluice.version, cancellation: context.cancellation)
        var request = SourceProbe.Request(
            url: url, headers: RequestHeaders.of(arguments),
            records: try arguments.text(.records).map { try JSONPath(parsing: $0) },
            pages: arguments.text(.pages).flatMap { OptionSpec.count($0) } ?? SourceProbe.standardPages, table: table)
        (request.method, request.body) = try RequestBodies.of(arguments)
        request.form = try SourceForms.of(arguments)
        let progressLine = SyncCommand(invocation: invocation).progressLine(for: table)
        defer { progressLine.erase() }
        let probe = try SourceProbe(request, options: options) { progressLine.show($0) }
        progressLine.erase()
        let key = try askedKey(probe)
        let path = arguments.text(.writePipeline)
        let writer = PipelineWriter(
            probe.pipeline(table: table, identity: key?.identity), file: path ?? "\(table).yaml",
            comment: probe.comment(key: key?.identity), notes: probe.notes,
            fieldNotes: probe.inspection.absences)
        let file = try PipelineFile(writer, path: path ?? "\(table).yaml", of: "What was found", invocation)
        if let output { try tell(probe, key, table: table, file, to: output) }
        if path != nil { try file.write() }
        return .done
    }

    private func askedKey(_ probe: SourceProbe) throws -> ImportKey? {
        guard let asked = arguments.text(.key) else { return nil }
        let key = try ImportKey(
            probe.inspection, asked: asked, view: ImportText(probe.inspection), log: invocation.log)
        // A run says so itself.
        if let sharing = probe.inspection.sharing(of: key.fields) { invocation.log.tell(.keyDoubtful, sharing) }
        return key
    }

    /// Where the findings go: to standard error where the pipeline goes to standard output; nil for nowhere.
    private func output() throws -> ResultOutput? {
        let isPipelineShown = arguments.text(.writePipeline) == "-"
        let isBeside = isPipelineShown && [nil, "-"].contains(arguments.text(.output))
        if isBeside && arguments.isQuiet { return nil }
        return isBeside ? try ResultOutput(path: "/dev/stderr", context: context) : try invocation.openOutput()
    }

    private func tell(
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
