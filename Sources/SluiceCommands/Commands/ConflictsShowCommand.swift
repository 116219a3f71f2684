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
        var waiting: [WaitingValue] = []
        let found = try reading.read { store in
            let found = [try store.conflicts.entry(id: id)].compactMap { $0 }
            if let mapping = found.first?.mapping {
                let table = try store.knownTable(
                    pipeline: mapping.pipeline, stream: mapping.stream, entity: mapping.entity)
                schema = table?.schema
                marksRows = schema?.deletesSoftly ?? false
            }
            waiting = try WaitingValue.all(of: found.filter { $0.status == .open }, in: store).first ?? []
            said = try found.first.map { try SaidValue.all(of: $0, in: store) } ?? []
            return try ConflictBases(store: store).explained(found)
        }
        guard let entry = found.first else {
            throw Failure(.failed, reading.noConflict(id))
        }
        let sides = entry.writable(schema)
        let resolutions = entry.status == .open ? entry.resolutions(offering: sides) : []
        let previews = reading.previews(of: entry, resolutions)
        let output = try invocation.openOutput()
        if invocation.arguments.isJSON {
            try output.write(ConflictJSON.shown(entry, said: said, previews, waiting))
        } else {
            var view = ConflictDetailText(
                style: invocation.style(for: output), storeOption: reading.storeOption, marksRows: marksRows)
            (view.offersRemote, view.offersBase) = sides
            view.offersValue = entry.takesValue(schema)
            (view.previews, view.waiting) = (previews, waiting)
            try output.write(view.text(entry, said: said))
        }
        try output.finish()
        return .done
    }
}

extension ConflictEntry {
    /// The decisions that are offered, but for other values.
    ///
    /// - Parameter sides: Whether the value of the source, and that of before, can be written.
    /// - Returns: The decisions.
    fileprivate func resolutions(offering sides: (remote: Bool, base: Bool)) -> [Resolution] {
        if isOfList { return [.local, .remote, .base] }
        if field == nil { return [.local, .remote] }
        return [.local] + (sides.remote ? [.remote] : []) + (sides.base ? [.base] : [])
    }
}
