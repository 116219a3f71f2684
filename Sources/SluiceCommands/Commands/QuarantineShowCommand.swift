internal import SluiceStore
internal import SluiceStores

/// `sluice quarantine show`
struct QuarantineShowCommand {
    let invocation: Invocation

    func run() throws -> ExitCode {
        let id = try EntryNumbers.read(invocation.arguments.operands, noun: "record in quarantine").first ?? 0
        let reading = try StoreReading(invocation)
        let found = try reading.read { store in
            try store.quarantine.entry(id: id).map { entry in
                (entry, run: try entry.isOpen ? nil : entry.lastRun.flatMap { try store.runs.entry(id: $0) })
            }
        }
        guard let (entry, run) = found else {
            throw Failure(
                .failed,
                "The quarantine of the \(reading.choice.name) has no record \(id). List them with `sluice quarantine list --all\(reading.storeOption)`."
            )
        }
        let output = try invocation.openOutput()
        if invocation.arguments.isJSON {
            try output.write(QuarantineJSON.list([QuarantineJSON.shown(entry)]))
        } else {
            try output.write(QuarantineText(style: invocation.style(for: output)).shown(entry, closedBy: run))
        }
        try output.finish()
        return .done
    }
}
