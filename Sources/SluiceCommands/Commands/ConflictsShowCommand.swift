internal import SluiceModel
internal import SluiceReview
internal import SluiceStore
internal import SluiceStores

/// `sluice conflicts show`
struct ConflictsShowCommand {
    let invocation: Invocation

    func run() throws -> ExitCode {
        let id = try EntryNumbers.read(invocation.arguments.operands, noun: "conflict").first ?? 0
        let reading = try StoreReading(invocation)
        var marksRows = false
        var schema: RecordSchema?
        var said: [SaidValue] = []
        let found = try reading.read { store in
            let found = [try store.conflicts.entry(id: id)].compactMap { $0 }
            if let mapping = found.first?.mapping {
                let table = try store.knownTable(
                    pipeline: mapping.pipeline, stream: mapping.stream, entity: mapping.entity)
                schema = table?.schema
                marksRows = schema?.deletesSoftly ?? false
            }
            said = try found.first.map { try SaidValue.all(of: $0, in: store) } ?? []
            return try ConflictBases(store: store).explained(found)
        }
        guard let entry = found.first else {
            throw Failure(.failed, reading.noConflict(id))
        }
        let output = try invocation.openOutput()
        if invocation.arguments.isJSON {
            try output.write(ConflictJSON.shown(entry, said: said))
        } else {
            var view = ConflictDetailText(
                style: invocation.style(for: output), storeOption: reading.storeOption, marksRows: marksRows)
            (view.offersRemote, view.offersBase) = entry.writable(schema)
            try output.write(view.text(entry, said: said))
        }
        try output.finish()
        return .done
    }
}
