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
        let output = try invocation.openOutput()
        try output.write(ConflictSheet.header)
        for entry in entries { try output.write(ConflictSheet.row(entry)) }
        try output.finish()
        return .done
    }
}
