internal import SluiceStore
internal import SluiceStores

/// `sluice quarantine show`
struct QuarantineShowCommand {
    let invocation: Invocation

    func run() throws -> ExitCode {
        let id = try EntryNumbers.read(invocation.arguments.operands, noun: "record in quarantine").first ?? 0
        let reading = try StoreReading(invocation)
        guard let entry = try reading.read({ try $0.quarantine.entry(id: id) }) else {
            throw Failure(
                .failed,
                "The quarantine of the \(reading.choice.name) has no record \(id). List them with `sluice quarantine list --all\(reading.storeOption)`."
            )
        }
        let output = try invocation.openOutput()
        if invocation.arguments.isJSON {
            try output.write(QuarantineJSON.list([QuarantineJSON.shown(entry)]))
        } else {
            try output.write(QuarantineText(style: invocation.style(for: output)).shown(entry))
        }
        try output.finish()
        return .done
    }
}
