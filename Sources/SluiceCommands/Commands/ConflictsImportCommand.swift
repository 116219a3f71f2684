internal import SluiceReview
internal import SluiceStore
internal import SluiceStores
internal import SluiceSystem

/// `sluice conflicts import`
struct ConflictsImportCommand {
    let invocation: Invocation

    func run() throws -> ExitCode {
        let path = invocation.arguments.operands.first ?? ""
        let rows: [ConflictSheet.Entry]
        do {
            rows = try ConflictSheet.entries(read(path))
        } catch let problem as CSVReader.Problem {
            throw Failure(.failed, "\(path):\(problem.line): \(problem.message)")
        }
        let settling = try StoreSettling(invocation)
        let output = try invocation.openOutput()
        let batch = try settling.change { store in
            var batch = ResolutionBatch(who: invocation.user, note: invocation.arguments.text(.note))
            batch.undecided = rows.count { $0.decision == .nothing }
            for row in rows where row.decision != .nothing { try add(row, to: &batch, settling.reading, store) }
            try batch.carryOut(on: store)
            return batch
        }
        return try ResolutionReport(storeOption: settling.reading.storeOption)
            .write(batch, to: output, of: invocation)
    }

    private func add(
        _ row: ConflictSheet.Entry, to batch: inout ResolutionBatch, _ reading: StoreReading, _ store: any RecordStore
    ) throws {
        let place = "line \(row.line)"
        guard let id = row.id else { return batch.refuse(id: 0, place: place, "Its `id` is no number.") }
        if batch.contains(id: id) { return batch.refuse(id: id, place: place, "An earlier row already decides it.") }
        guard let entry = try store.conflicts.entry(id: id) else {
            return batch.refuse(id: id, place: place, reading.noConflict(id))
        }
        if entry.status == .open, let reason = ConflictSheet.staleness(of: row, entry) {
            return batch.refuse(id: id, place: place, reason)
        }
        switch row.decision {
        case .nothing: break
        case .take(let resolution): batch.add(entry, resolution, place: place)
        case .value(let text): batch.add(entry, .value(text, field: entry.field ?? ""), place: place)
        case .unclear(let reason): batch.refuse(id: id, place: place, reason)
        }
    }

    private func read(_ path: String) throws -> [UInt8] {
        let file = try ByteFile(reading: path)
        var bytes: [UInt8] = []
        while true {
            let chunk = try file.read(at: bytes.count, upTo: 65_536)
            if chunk.isEmpty { return bytes }
            bytes += chunk
        }
    }
}
