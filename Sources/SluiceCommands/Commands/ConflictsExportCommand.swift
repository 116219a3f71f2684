internal import SluiceReview
internal import SluiceStore

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
        let output = try invocation.openOutput()
        try output.write(ConflictSheet.header)
        for entry in shown { try output.write(ConflictSheet.row(entry)) }
        try output.finish()
        return .done
    }
}
