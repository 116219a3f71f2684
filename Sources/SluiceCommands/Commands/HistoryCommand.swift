internal import SluiceStore
internal import SluiceSync

/// `sluice history`: what ran, or what one run changed, from the store alone.
struct HistoryCommand {
    private static let textRuns = 20
    private static let textChanges = 200
    let invocation: Invocation
    private var arguments: ParsedArguments { invocation.arguments }

    init(invocation: Invocation) { self.invocation = invocation }

    func run() throws -> ExitCode {
        let id = try EntryNumbers.read(arguments.operands, noun: "run").first
        let pipeline = arguments.text(.pipeline)
        let reading = try StoreReading(invocation)
        try reading.read { store in
            if let id {
                try write(try Self.run(id, of: pipeline, store, reading), store, reading)
            } else {
                try list(pipeline, store, reading)
            }
        }
        return .done
    }

    /// The most runs or changes to list, nil for all.
    private func limit(_ standard: Int) -> Int? {
        switch arguments.text(.limit) {
        case nil: arguments.isJSON ? nil : standard
        case "all": nil
        case let text?: OptionSpec.count(text)
        }
    }

    /// A run by its number.
    ///
    /// - Throws: ``Failure`` where the store has no such run, or another pipeline has it.
    static func run(
        _ id: Int64, of pipeline: String? = nil, _ store: SQLiteRecordStore, _ reading: StoreReading
    ) throws -> RunEntry {
        guard let run = try store.runs.entry(id: id), pipeline == nil || run.pipeline == pipeline else {
            let owner = pipeline.map { " of the pipeline `\($0)`" } ?? ""
            throw Failure(
                .failed,
                "The store `\(reading.address.path)` has no run \(id)\(owner). List them with `sluice history\(reading.storeOption)`."
            )
        }
        return run
    }

    // MARK: What ran

    private func list(_ pipeline: String?, _ store: SQLiteRecordStore, _ reading: StoreReading) throws {
        let limit = limit(Self.textRuns)
        // One more tells whether there are others.
        var runs = try store.runs.list(pipeline: pipeline, limit: limit.map { min($0, Int.max - 1) + 1 } ?? Int.max)
        let isTruncated = limit.map { runs.count > $0 } ?? false
        if isTruncated { runs.removeLast() }
        let output = try invocation.openOutput()
        if arguments.isJSON {
            try output.write(HistoryJSON.list(runs, isTruncated: isTruncated, store: reading.address))
        } else {
            let view = HistoryText(style: invocation.style(for: output), storeOption: reading.storeOption)
            try output.write(view.list(runs, isTruncated: isTruncated))
        }
        try output.finish()
    }

    // MARK: What one run changed

    private func write(_ run: RunEntry, _ store: SQLiteRecordStore, _ reading: StoreReading) throws {
        let reader = HistoryReader(store: store)
        let limit = limit(Self.textChanges)
        let output = try invocation.openOutput()
        if arguments.isJSON {
            try output.write(HistoryJSON.start(of: run, store: reading.address))
            var separator = "\n"
            let isTruncated = try reader.changes(of: run, limit: limit) { change in
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
        } else {
            let view = HistoryText(style: invocation.style(for: output), storeOption: reading.storeOption)
            try output.write(view.headline(run) + "\n")
            var count = 0
            let isTruncated = try reader.changes(of: run, limit: limit) { change in
                count += 1
                try output.write(view.text(change))
            }
            let isCut = try reader.entries(of: run, limit: limit) { entry in
                count += 1
                try output.write(view.text(entry))
            }
            try output.write(view.end(of: run, count: count, isTruncated: isTruncated || isCut))
        }
        try output.finish()
    }
}
