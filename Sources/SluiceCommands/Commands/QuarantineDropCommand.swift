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

    /// What was dropped. A value that a change of type left does not come back, which a record does with its source.
    private static func words(_ dropped: [QuarantineEntry]) -> String {
        let values = dropped.count { $0.changedField != nil }
        let records = dropped.count - values
        let counts = [
            records > 0 || values == 0 ? CountText.of(records, "record") : nil,
            values > 0 ? CountText.of(values, "value") : nil,
        ]
        let sentence = counts.compactMap { $0 }.joined(separator: " and ") + " dropped from quarantine.\n"
        if values == 0 { return sentence }
        let subject = CountText.word(values, "The value does", "The values do")
        let runs = Set(dropped.compactMap(\.lastRun)).sorted().map { "run \($0)" }.joined(separator: " and ")
        return sentence + "\(subject) not come back with the type of before. To take that back, undo \(runs).\n"
    }

    private func write(_ dropped: [QuarantineEntry], to output: ResultOutput) throws {
        if invocation.arguments.isJSON {
            try output.write(QuarantineJSON.list(dropped.map(QuarantineJSON.listed)))
        } else {
            try output.write(Self.words(dropped))
        }
    }
}
