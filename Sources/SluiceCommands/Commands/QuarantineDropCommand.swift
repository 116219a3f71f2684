internal import SluiceReview
internal import SluiceStore
internal import SluiceStores
internal import SluiceSync

/// `sluice quarantine drop`
struct QuarantineDropCommand {
    let invocation: Invocation

    func run() throws -> ExitCode {
        let arguments = invocation.arguments
        let ids = try EntryNumbers.read(arguments.operands, noun: "record in quarantine")
        if ids.isEmpty != arguments.has(.all) {
            throw Failure(.usage, "Name records by their IDs, or drop every record with `--all`.")
        }
        let settling = try StoreSettling(invocation)
        let output = try invocation.openOutput()
        let (dropped, refused) = try settling.change { store in
            var chosen: [QuarantineEntry] = []
            var refused: [String] = []
            let entries = try ids.isEmpty ? store.quarantine.list(includingClosed: false) : []
            for entry in entries where settling.reading.choice.means(entry.pipeline) {
                chosen.append(entry)
            }
            for id in ids where !chosen.contains(where: { $0.id == id }) {
                guard let entry = try store.quarantine.entry(id: id) else {
                    refused.append("Record \(id) was not dropped: the quarantine has no record with this ID.")
                    continue
                }
                switch entry.status {
                case .open: chosen.append(entry)
                case .dropped: refused.append("Record \(id) was dropped already.")
                case .closed: refused.append("Record \(id) was not dropped: \(entry.ending ?? "")")
                }
            }
            return (try QuarantineDrop(store: store).carryOut(chosen, who: invocation.user), refused)
        }
        for sentence in refused { invocation.log.report(.quarantineRefused, sentence) }
        output.outlive()
        try write(dropped, to: output)
        return try invocation.finish(
            output, refused.isEmpty ? .done : .failed,
            orTell: "See `sluice quarantine list --all\(settling.reading.storeOption)`.")
    }

    private func write(_ dropped: [QuarantineEntry], to output: ResultOutput) throws {
        if invocation.arguments.isJSON {
            try output.write(QuarantineJSON.list(dropped.map(QuarantineJSON.listed)))
        } else {
            try output.write(CountText.of(dropped.count, "record") + " dropped from quarantine.\n")
        }
    }
}
