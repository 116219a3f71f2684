internal import SluiceStore

/// `sluice conflicts list`
struct ConflictsListCommand {
    let invocation: Invocation

    func run() throws -> ExitCode {
        let includesClosed = invocation.arguments.has(.all)
        let reading = try StoreReading(invocation)
        let entries = try reading.read { try $0.conflicts.list(includingClosed: includesClosed) }
            .filter { reading.choice.means($0.pipeline) }
        let output = try invocation.openOutput()
        if invocation.arguments.isJSON {
            try output.write(ConflictJSON.list(entries))
        } else {
            let view = ConflictText(style: invocation.style(for: output))
            if entries.isEmpty { try output.write(includesClosed ? "No conflicts.\n" : "No open conflicts.\n") }
            for entry in entries { try output.write(view.listed(entry)) }
        }
        try output.finish()
        return .done
    }
}
