internal import SluiceReview
internal import SluiceStore
internal import SluiceStores
internal import SluiceSystem

/// `sluice store check`: what is wrong with a store, and how to mend it.
struct StoreCheckCommand {
    let invocation: Invocation
    private var arguments: ParsedArguments { invocation.arguments }

    init(invocation: Invocation) { self.invocation = invocation }

    func run() throws -> ExitCode {
        let choice = try StoreChoice(invocation)
        let found = try findings(choice)
        let output = try invocation.openOutput()
        let kind = choice.address.backend.traits.kind
        if arguments.isJSON {
            try output.write(StoreCheckJSON.text(found, store: choice.url, kind: kind))
        } else {
            try output.write(
                StoreCheckText(style: invocation.style(for: output)).text(found, store: choice.url, kind: kind))
        }
        try output.finish()
        return found.contains { $0.verdict == .wrong } ? .failed : .done
    }

    private func findings(_ choice: StoreChoice) throws -> [StoreFinding] {
        do {
            let reading = try StoreReading(invocation, choice)
            var line = WorkProgressLine(invocation)
            defer { line.erase() }
            return try reading.read { store in
                try StoreAudit(store: store, isServed: { isServed(choice.address) }).findings { part in
                    line.show("checking \(part)")
                }
            }
        } catch let error as StoreError {
            // What cannot be looked into because of what it is, is a finding.
            switch error.code {
            case .newerFormat:
                return [finding(.registry, choice, error, "Use the newer version that wrote it.")]
            case .damaged:
                return [finding(.integrity, choice, error, choice.address.backend.traits.remedyWhereDamaged)]
            default: throw error
            }
        }
    }

    private func finding(
        _ check: StoreCheck, _ choice: StoreChoice, _ error: StoreError, _ remedy: String
    ) -> StoreFinding {
        StoreFinding(check, table: nil, count: 1, message: choice.hiding(error.message), remedy: remedy)
    }

    /// Whether a service runs the store's pipelines; where that cannot be found out, one may.
    private func isServed(_ store: StoreAddress) -> Bool {
        guard let presence = try? store.backend.presence(cancellation: invocation.context.cancellation) else {
            return true
        }
        do { return try presence.lock(.service) == nil } catch { return true }
    }
}
