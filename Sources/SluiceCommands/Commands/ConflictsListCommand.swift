internal import SluiceReview
internal import SluiceStore

/// `sluice conflicts list`
struct ConflictsListCommand {
    let invocation: Invocation

    func run() throws -> ExitCode {
        let arguments = invocation.arguments
        let includesClosed = arguments.has(.all)
        let selection = ConflictSelection(arguments)
        let reading = try StoreReading(invocation)
        let known = try reading.read { try $0.conflicts.list(includingClosed: includesClosed) }
        try reading.checkNames(arguments, besides: known.map(\.mapping))
        let meant = known.filter { reading.choice.means($0.pipeline) && selection.matches($0) }
        let entries = try reading.read { try ConflictBases(store: $0).explained(meant) }
        let output = try invocation.openOutput()
        if arguments.isJSON {
            try output.write(ConflictJSON.list(entries))
        } else {
            let view = ConflictText(style: invocation.style(for: output))
            let subject = (includesClosed ? "No conflicts" : "No open conflicts") + selection.words
            if entries.isEmpty { try output.write("\(subject).\n") }
            for entry in entries { try output.write(view.listed(entry)) }
        }
        try output.finish()
        return .done
    }
}
