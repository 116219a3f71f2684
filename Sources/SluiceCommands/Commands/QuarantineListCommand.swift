internal import SluiceStore

/// `sluice quarantine list`
struct QuarantineListCommand {
    let invocation: Invocation

    func run() throws -> ExitCode {
        let includesClosed = invocation.arguments.has(.all)
        let reading = try StoreReading(invocation)
        let entries = try reading.read { try $0.quarantine.list(includingClosed: includesClosed) }
            .filter { reading.choice.means($0.pipeline) }
        let output = try invocation.openOutput()
        if invocation.arguments.isJSON {
            try output.write(QuarantineJSON.list(entries.map(QuarantineJSON.listed)))
        } else {
            let view = QuarantineText(style: invocation.style(for: output))
            if entries.isEmpty {
                try output.write(includesClosed ? "No record was in quarantine.\n" : "No record is in quarantine.\n")
            }
            for entry in entries { try output.write(view.listed(entry)) }
        }
        try output.finish()
        return .done
    }
}
