internal import SluiceStore

/// `sluice quarantine list`
struct QuarantineListCommand {
    let invocation: Invocation

    func run() throws -> ExitCode {
        let arguments = invocation.arguments
        let includesClosed = arguments.has(.all)
        let reading = try StoreReading(invocation)
        let known = try reading.read { try $0.quarantine.list(includingClosed: includesClosed) }
        try reading.checkNames(arguments, besides: known.map(\.mapping))
        let entries = known.filter { reading.choice.means($0.pipeline) && isMeant($0) }
        let output = try invocation.openOutput()
        if arguments.isJSON {
            try output.write(QuarantineJSON.list(entries.map(QuarantineJSON.listed)))
        } else {
            let view = QuarantineText(style: invocation.style(for: output))
            if entries.isEmpty {
                let subject = known.isEmpty ? "No record" : "No such record"
                try output.write("\(subject) \(includesClosed ? "was" : "is") in quarantine.\n")
            }
            for entry in entries { try output.write(view.listed(entry)) }
        }
        try output.finish()
        return .done
    }

    /// Whether the command line chooses an entry.
    private func isMeant(_ entry: QuarantineEntry) -> Bool {
        let arguments = invocation.arguments
        let streams = arguments.texts(.stream)
        let parts: [(OptionSpec.ID, String)] = [(.entity, entry.entity), (.reason, entry.reason)]
        return (streams.isEmpty || streams.contains(entry.stream))
            && parts.allSatisfy { option, own in arguments.text(option).map { $0 == own } ?? true }
    }
}
