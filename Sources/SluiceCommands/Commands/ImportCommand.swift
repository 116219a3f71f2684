internal import SluiceDiagnostics
internal import SluiceDiscovery
internal import SluiceJSON
internal import SluicePipeline
internal import SluiceReconcile
internal import SluiceReport
internal import SluiceStores
internal import SluiceSync
internal import SluiceSystem

/// `sluice import`: looks at a document, makes a pipeline of what it finds, and runs it.
struct ImportCommand {
    let invocation: Invocation
    private var arguments: ParsedArguments { invocation.arguments }
    private var context: CommandContext { invocation.context }

    init(invocation: Invocation) { self.invocation = invocation }

    func run() throws -> ExitCode {
        let place = place()
        let table = try table(for: place)
        if case .url(let url) = place {
            try RequestReferences.refuse(in: url, "the URL")
        } else if let option = RequestBodies.options.first(where: { arguments.has($0.id) }) {
            throw Failure(.usage, "`\(option.name)` belongs to a URL; a file is read without a request.")
        }
        // What cannot be told is not asked for.
        let output = try invocation.openOutput()
        do {
            return try run(place, table: table, output)
        } catch let error as ImportError where error.kind == .interrupted {
            invocation.log.report(.stopped, lines: "Stopped; the store is as before.\n")
            return .stopped(by: context.signal())
        }
    }

    private func run(_ place: ImportSource.Place, table: String, _ output: ResultOutput) throws -> ExitCode {
        let writesPipeline = arguments.text(.writePipeline)
        if case .stream = place, writesPipeline != nil {
            throw Failure(
                .usage, "A pipeline cannot read standard input again. Name a file or a URL.")
        }
        if case .url = place, let writesPipeline { try PipelineFile.requireNew(writesPipeline) }
        if let writesPipeline { try PipelineFile.requirePlace(writesPipeline, context) }
        let (method, body) = try RequestBodies.of(arguments)
        let records = try arguments.text(.records).map { try JSONPath(parsing: $0) }
        let claim = try claim(for: table)
        do { try claim?.hold() } catch { return try report(of: claim, table: table) }
        defer { claim?.release() }
        let options = SyncOptions(
            store: .standard, command: .plan, version: Sluice.version, cancellation: context.cancellation)
        let progressLine = SyncCommand(invocation: invocation).progressLine(for: table)
        defer { progressLine.erase() }
        var source = try ImportSource(
            place, form: SourceForms.of(arguments), headers: RequestHeaders.of(invocation), method: method, body: body,
            options: options
        ) { progressLine.show($0) }
        .withFurtherPages(records: records, options: options) { progressLine.show($0) }
        let inspection = try ImportInspection(
            source, path: records, limit: sample, table: table, cancellation: context.cancellation
        ) { progressLine.show($0) }
        progressLine.erase()
        source.accept(inspection.place)
        try requireOwn(table, source.origin)
        let view = ImportText(inspection, pagination: source.pagination)
        let key = try ImportKey(inspection, asked: arguments.text(.key), view: view, log: invocation.log)
        var pipeline = ImportPipeline.make(source: source, inspection: inspection, table: table, identity: key.identity)
        pipeline.store = arguments.store?.url
        try source.recordEnd(of: pipeline.streams[0], context.cancellation)
        let job = try SyncJob(pipeline, invocation)
        if let path = writesPipeline { try write(pipeline, inspection, source.notes, to: path) }
        return try perform(job, output, source: source, claim: claim, view: view, key: key)
    }

    /// Refuses a table that something else fills, unless a person named it.
    private func requireOwn(_ table: String, _ origin: ImportOrigin?) throws {
        guard let origin, !arguments.has(.table) else { return }
        let job = try SyncJob(ImportPipeline.empty(table: table), invocation)
        let options = SyncCommand(invocation: invocation).options(job)
        guard let rival = try origin.rival(for: table, options: options) else { return }
        throw Failure(
            .usage,
            "The table `\(table)` in \(job.storeName) \(rival); this import reads \(origin.text). Give it a table of its own with `--table NAME`, or say with `--table \(ShellWord.quoted(table))` that both belong in this one. Nothing was written."
        )
    }

    /// The right to write to the store, to be held before anything is asked for; nil for a plan.
    private func claim(for table: String) throws -> StoreClaim? {
        if arguments.has(.planOnly) { return nil }
        let job = try SyncJob(ImportPipeline.empty(table: table), invocation)
        return StoreClaim(options: SyncCommand(invocation: invocation).options(job).store, pipeline: job.pipeline.name)
    }

    /// Reports why the store cannot be had, as a run does.
    private func report(of claim: StoreClaim?, table: String) throws -> ExitCode {
        let job = try SyncJob(ImportPipeline.empty(table: table), invocation)
        return try SyncCommand(invocation: invocation).run([job], claim: claim)
    }

    private func perform(
        _ job: SyncJob, _ output: ResultOutput, source: ImportSource, claim: StoreClaim?, view: ImportText,
        key: ImportKey
    ) throws -> ExitCode {
        if !arguments.has(.planOnly) { output.outlive() }
        let document = try invocation.document(for: output)
        let isWritten = invocation.writesResult(to: output)
        if isWritten {
            let findings = ImportFindings(view: view, key: key, pagination: source.pagination)
            try document.begin(findings, count: 1, to: output)
            try document.separate(isFirst: true, to: output)
        }
        let tally = RefusalTally(view.inspection, key: key)
        let report = try SyncCommand(invocation: invocation).perform(
            job, output, document, source: source, claim: claim, witness: { tally.passing(to: $0) }
        ) { report in
            note(in: &report, tally, source)
        }
        if isWritten { try document.end(to: output) }
        let code = try SyncCommand(invocation: invocation).finish(
            output,
            ExitCode(report, strictness: SyncCommand(invocation: invocation).strictness, signal: context.signal()),
            storeOption: job.commands.storeOption)
        if code == .interrupted || code == .terminated {
            invocation.log.report(.stopped, lines: "Stopped; the store is as before.\n")
        }
        return code
    }

    // MARK: Arguments

    private func place() -> ImportSource.Place {
        let operand = arguments.operands.first ?? "-"
        if operand == "-" { return .stream(path: "/dev/stdin") }
        let scheme = operand.prefix { $0 != ":" }.lowercased()
        let isURL = ["http", "https"].contains(scheme) && operand.dropFirst(scheme.count).hasPrefix("://")
        return isURL ? .url(operand) : .file(operand)
    }

    private func table(for place: ImportSource.Place) throws -> String {
        guard let table = arguments.text(.table) ?? ImportPipeline.table(for: place) else {
            if case .file(let path) = place, FileSystem.kind(of: path) == .folder {
                throw Failure(.failed, "`\(path)` is a folder. Name a file in it.")
            }
            throw Failure(
                .usage, "The source has no name that can serve as a table name. Choose one with `--table NAME`.")
        }
        if ImportPipeline.isReserved(table) {
            throw Failure(
                .usage, "The table `\(table)` cannot be used: names with this prefix are reserved for the store.")
        }
        if table.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) {
            throw Failure(.usage, "The table's name must not hold control characters.")
        }
        return table
    }

    private var sample: Int? {
        switch arguments.text(.sample) {
        case nil, "all": nil
        case let text?: OptionSpec.count(text)
        }
    }

    // MARK: Besides the run

    /// What the report cannot know: that types and key were inferred.
    private func note(in report: inout RunReport, _ tally: RefusalTally, _ source: ImportSource) {
        if let index = report.problems.firstIndex(where: { $0.code == "schema_mismatch" }) {
            report.problems[index].message +=
                " An import infers types anew each time, and names its table with `--table`; a pipeline that `--write-pipeline` wrote keeps its types."
        }
        if let index = report.problems.firstIndex(where: { $0.code == "differing_duplicates" }) {
            tally.word(&report.problems[index], of: report)
        }
        let isWarned = report.problems.contains { $0.code == "more_pages" }
        if let length = source.usualLength, !isWarned {
            report.problems.append(
                RunProblem(
                    code: "usual_length", severity: .note,
                    message:
                        "\(PaginatorSearch.usual(length)). Ask the source for a second page; if it has one, a pipeline says with `paginator` how it is asked for."
                ))
        }
        report.problems.removeAll { $0.code == "unmapped_keys" }
        report.problems += report.streams.filter { $0.unmapped.count > 0 }.map { stream in
            RunProblem(
                code: "unmapped_keys", severity: .note,
                message: stream.unmapped.words
                    + ". The sampled records do not have \(CountText.word(stream.unmapped.count, "it", "them")). Without `--sample`, every record is read first."
            )
        }
        report.problems += tally.problems(of: report, isPlan: arguments.has(.planOnly))
    }

    private func write(
        _ pipeline: PipelineDefinition, _ inspection: ImportInspection, _ notes: [String], to path: String
    ) throws {
        let writer = PipelineWriter(
            pipeline, file: path,
            notes: PipelineNotes(
                comment: ["Written by `sluice import`; `sluice run` repeats it."], stream: notes,
                fields: inspection.notes, of: pipeline))
        try PipelineFile(writer, path: path, of: "This import", invocation).write()
    }
}
