internal import SluiceDiagnostics
internal import SluiceReview
internal import SluiceStore
internal import SluiceSystem

/// `sluice conflicts export`
struct ConflictsExportCommand {
    let invocation: Invocation

    func run() throws -> ExitCode {
        let selection = ConflictSelection(invocation.arguments)
        let reading = try StoreReading(invocation)
        let known = try reading.read { try $0.conflicts.list(includingClosed: false) }
        try reading.checkNames(invocation.arguments, besides: known.map(\.mapping))
        let entries = known.filter { reading.choice.means($0.pipeline) && selection.matches($0) }
        let shown = try reading.read { try ConflictBases(store: $0).explained(entries) }
        try keepDecisions(on: known)
        let output = try invocation.openOutput(asSheet: true)
        try output.write(ConflictSheet.header)
        for entry in shown { try output.write(ConflictSheet.row(entry)) }
        try output.finish()
        return .done
    }

    /// Refuses to replace a file with decisions that people filled in and nobody imported.
    private func keepDecisions(on open: [ConflictEntry]) throws {
        guard !invocation.arguments.has(.force), let path = invocation.arguments.text(.output),
            FileSystem.kind(of: path) == .file, let bytes = try? FileSystem.contents(of: path),
            let rows = try? ConflictSheet.entries(bytes)
        else { return }
        let ids = Set(open.compactMap(\.id))
        let count = rows.count { $0.decision != .nothing && $0.id.map(ids.contains) == true }
        if count == 0 { return }
        throw Failure(
            .failed,
            "`\(path)` has decisions on \(Plural.of(count, "open conflict")) that were not imported. Import them with `sluice conflicts import \(ShellWord.quoted(path))`, name another file, or give `--force`."
        )
    }
}
