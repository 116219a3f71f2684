internal import SluiceDiagnostics
internal import SluiceReview
internal import SluiceStore
internal import SluiceStores
internal import SluiceSystem

/// `sluice history`: what ran, or what one run changed, from the store alone.
struct HistoryCommand {
    private static let textRuns = 20
    private static let textChanges = 200
    let invocation: Invocation
    private var arguments: ParsedArguments { invocation.arguments }

    init(invocation: Invocation) { self.invocation = invocation }

    func run() throws -> ExitCode {
        let id = try EntryNumbers.read(arguments.operands, noun: "run").first
        try checkOptions(ofRun: id != nil)
        let filter = RunFilter(
            isFailure: arguments.has(.failed),
            since: try MomentOption.since(arguments.text(.since)).map { MomentText.utc($0) })
        guard let id else { return try list(filter) }
        let choice = try StoreChoice(invocation, leavingOutErrors: true)
        let reading = try StoreReading(invocation, choice)
        try reading.checkNames(arguments)
        try reading.read { store in try write(try Self.run(id, arguments, store, reading), store, reading) }
        return choice.lacksFiles ? .invalidPipeline : .done
    }

    /// Refuses what says nothing together.
    private func checkOptions(ofRun isRun: Bool) throws {
        func first(_ options: [(OptionSpec.ID, String)]) -> String? { options.first { arguments.has($0.0) }?.1 }
        if isRun, let option = first([(.since, "--since"), (.failed, "--failed"), (.trends, "--trends")]) {
            throw Failure(
                .usage, "`\(option)` chooses among the runs, and the number of one is given. Leave one of them out.")
        }
        let format = arguments.reportFormat
        if !isRun, ![.text, .json].contains(format) {
            throw Failure(
                .usage,
                "`--format \(format.rawValue)` shows what one run did. Name its number, as in `sluice history 7 --format \(format.rawValue)`, or choose text or json."
            )
        }
        if !isRun, arguments.has(.summaryOnly) {
            throw Failure(.usage, "`--summary-only` is about what one run did. Name its number, or leave it out.")
        }
        if arguments.has(.trends), let option = first([(.failed, "--failed"), (.limit, "--limit")]) {
            throw Failure(
                .usage, "`--trends` counts all runs, and `\(option)` says nothing. Leave one of them out.")
        }
    }

    /// The most runs or changes to list, nil for all.
    private func limit(_ standard: Int) -> Int? {
        switch arguments.text(.limit) {
        case nil: arguments.isText ? standard : arguments.reportFormat.changeLimit
        case "all": nil
        case let text?: OptionSpec.count(text)
        }
    }

    /// A run by its number.
    ///
    /// - Throws: ``Failure`` where the store has no such run, or another pipeline has it.
    static func run(
        _ id: Int64, _ arguments: ParsedArguments, _ store: any RecordStore, _ reading: StoreReading
    ) throws -> RunEntry {
        let pipelines = reading.pipelines(arguments)
        guard let run = try store.runs.entry(id: id), pipelines?.contains(run.pipeline) ?? true else {
            let owner = reading.owner(arguments)
            throw Failure(
                .failed,
                "The \(reading.choice.name) has no run \(id)\(owner). List them with `sluice history\(reading.storeOption)`."
            )
        }
        return run
    }

    // MARK: What ran

    /// The newest runs that are meant, newest first.
    private func runs(
        _ store: any RecordStore, _ reading: StoreReading, _ filter: RunFilter, limit: Int
    ) throws -> [RunEntry] {
        guard let pipelines = reading.pipelines(arguments) else {
            return try store.runs.list(pipeline: nil, limit: limit, among: filter)
        }
        return try pipelines.flatMap { try store.runs.list(pipeline: $0, limit: limit, among: filter) }
            .sorted { $0.id > $1.id }
    }

    /// Lists the runs of each store that is meant, or what they were like.
    private func list(_ filter: RunFilter) throws -> ExitCode {
        let choices = try meant(StoreChoice.all(invocation))
        var codes: [ExitCode] = choices.contains(where: \.lacksFiles) ? [.invalidPipeline] : []
        var stores: [StoreRuns] = []
        for choice in choices {
            do {
                stores.append(try runs(of: choice, filter, isOnly: choices.count == 1))
            } catch  where choices.count > 1 && !invocation.context.cancellation.isCancelled {
                // One store that cannot be read hides none of the others.
                let failure = Failure(error)
                invocation.log.report(.storeUnreadable, failure.message)
                codes.append(failure.code)
            }
        }
        let output = try invocation.openOutput()
        let isOne = choices.count == 1
        let style = invocation.style(for: output)
        switch (arguments.isJSON, arguments.has(.trends)) {
        case (true, true): try output.write(HistoryJSON.trends(stores, since: filter.since, isOne: isOne))
        case (true, false): try output.write(HistoryJSON.list(stores, since: filter.since, isOne: isOne))
        case (false, let isTrends):
            let parts = stores.map { store in
                let heading = isOne ? "" : style.paint("In the \(PrintableText.escape(store.name)):", .faint) + "\n"
                let text =
                    isTrends
                    ? TrendText(style: style).text(RunTrend.all(of: store.runs), isChosen: filter != .all)
                    : HistoryText(style: style, storeOption: store.option)
                        .list(store, isChosen: filter != .all)
                return heading + text
            }
            try output.write(parts.joined(separator: "\n"))
        }
        try output.finish()
        return ExitCode.first(of: codes)
    }

    /// The stores that a pipeline of `--pipeline` fills; all of them where none is named or none does.
    private func meant(_ choices: [StoreChoice]) -> [StoreChoice] {
        guard let name = arguments.text(.pipeline) else { return choices }
        let filled = choices.filter { $0.means(name) }
        return filled.isEmpty ? Array(choices.prefix(1)) : filled
    }

    /// The runs of one store that are meant.
    private func runs(of choice: StoreChoice, _ filter: RunFilter, isOnly: Bool) throws -> StoreRuns {
        var found = StoreRuns(name: choice.name, url: choice.url, option: choice.option)
        // Of several stores one may not be there yet, and the others have something to tell.
        if !isOnly && !invocation.backend(choice.address).exists { return found }
        let reading = try StoreReading(invocation, choice)
        try reading.checkNames(arguments)
        let limit = arguments.has(.trends) ? nil : limit(Self.textRuns)
        // One more tells whether there are others.
        let most = limit.map { min($0, Int.max - 1) + 1 } ?? Int.max
        try reading.read { store in
            found.runs = try runs(store, reading, filter, limit: most)
            if let limit, found.runs.count > limit {
                found.runs.removeLast(found.runs.count - limit)
                found.isTruncated = true
            }
            if arguments.has(.trends) { return }
            let reader = HistoryReader(store: store)
            for run in found.runs where run.changes == .kept {
                let changes = try reader.tableChanges(of: run)
                if !changes.isEmpty { found.tables[run.id] = changes }
            }
        }
        return found
    }

    // MARK: What one run changed

    private func write(_ run: RunEntry, _ store: any RecordStore, _ reading: StoreReading) throws {
        let isSummary = try invocation.listsNoRecord()
        let limit = isSummary ? 0 : limit(Self.textChanges)
        let output = try invocation.openOutput()
        output.end(with: invocation.context.cancellation)
        let reader = HistoryReader(store: store)
        let setting = ReportSetting(style: invocation.style(for: output), limit: limit)
        var line = WorkProgressLine(invocation, writingTo: output)
        defer { line.erase() }
        if arguments.isJSON {
            try writeJSON(run, reader, reading, limit: limit, &line, to: output)
        } else if let document = arguments.reportFormat.document(setting) as? any EntryDocument {
            try HistoryReport(run, store, cancellation: invocation.context.cancellation).write(
                document, limit: limit, storeOption: reading.storeOption, &line, to: output)
        } else {
            try writeText(run, reader, reading, isSummary: isSummary, limit: limit, to: output)
        }
        line.erase()
        try output.finish()
    }

    private func writeJSON(
        _ run: RunEntry, _ reader: HistoryReader, _ reading: StoreReading, limit: Int?,
        _ line: inout WorkProgressLine, to output: ResultOutput
    ) throws {
        var count = 0
        try output.write(HistoryJSON.start(of: run, reader.tableChanges(of: run), store: reading.choice.url))
        var separator = "\n"
        let isTruncated = try reader.changes(of: run, limit: limit) { change in
            count += 1
            line.show("reading run \(run.id)", count, "change")
            try output.write(separator + HistoryJSON.text(change))
            separator = ",\n"
        }
        try output.write("],\"changes_truncated\":\(isTruncated),\"entries\":[")
        separator = "\n"
        let isCut = try reader.entries(of: run, limit: limit) { entry in
            try output.write(separator + HistoryJSON.text(entry))
            separator = ",\n"
        }
        try output.write("],\"entries_truncated\":\(isCut)}\n")
    }

    private func writeText(
        _ run: RunEntry, _ reader: HistoryReader, _ reading: StoreReading, isSummary: Bool, limit: Int?,
        to output: ResultOutput
    ) throws {
        let view = HistoryText(style: invocation.style(for: output), storeOption: reading.storeOption)
        let tables = try reader.tableChanges(of: run)
        try output.write(view.headline(run) + view.tableChanges(tables) + (isSummary ? "" : "\n"))
        var count = tables.count
        var noted = NotedBases()
        var rest = limit ?? Int.max
        let isTruncated = try reader.changes(of: run, after: nil) { change, _ in
            let change = try change()
            if noted.accept(change) { return true }
            if rest == 0 { return false }
            rest -= 1
            count += 1
            try output.write(view.text(change))
            return true
        }
        count += noted.count
        if !isSummary { try output.write(view.text(noted)) }
        let isCut = try reader.entries(of: run, limit: limit) { entry in
            count += 1
            try output.write(view.text(entry))
        }
        let isMore = isTruncated || isCut
        // What a summary leaves out is not missing.
        try output.write(
            view.end(of: run, count: isSummary && isMore ? 1 : count, isTruncated: isMore && !isSummary))
    }
}
