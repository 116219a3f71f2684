internal import SluiceReview
internal import SluiceStore

/// `sluice edits`: what people changed, from the store alone.
struct EditsCommand {
    private static let textRecords = 200
    let invocation: Invocation
    private var arguments: ParsedArguments { invocation.arguments }

    init(invocation: Invocation) { self.invocation = invocation }

    func run() throws -> ExitCode {
        let reading = try StoreReading(invocation)
        try reading.checkNames(arguments)
        let output = try invocation.openOutput()
        var view = view(for: output, reading)
        var tally = EditTally()
        var missing: [MissingPlace] = []
        var line = WorkProgressLine(invocation, writingTo: output)
        defer { line.erase() }
        try output.write(view.start)
        try reading.read { store in
            try store.spellKeys()
            let reader = EditReader(store: store) { line.show("looking for edits in \($0)", $1, "row") }
            let (pipelines, entity) = (reading.pipelines(arguments), arguments.text(.entity))
            missing = try reader.missing(pipelines: pipelines, entity: entity)
            try reader.edits(pipelines: pipelines, entity: entity) { edit in
                tally.add(edit)
                if let limit, tally.records > limit { return }
                try output.write(view.text(edit))
            }
        }
        line.erase()
        try output.write(view.end(tally, missing, left: limit.map { max(0, tally.records - $0) } ?? 0))
        try output.finish()
        return .done
    }

    /// The most records to list, nil for all.
    private var limit: Int? {
        switch arguments.text(.limit) {
        case nil: arguments.text(.listFormat) ?? "text" == "text" ? Self.textRecords : nil
        case "all": nil
        case let text?: OptionSpec.count(text)
        }
    }

    private func view(for output: ResultOutput, _ reading: StoreReading) -> any EditView {
        switch arguments.text(.listFormat) {
        case "json": EditJSON(store: reading.choice.url)
        case "csv": EditSheet()
        default: EditText(style: invocation.style(for: output))
        }
    }
}
