internal import SluiceReview
internal import SluiceStore
internal import SluiceStores

/// `sluice store forget`: a pipeline whose file is gone is forgotten.
struct StoreForgetCommand {
    let invocation: Invocation

    /// What would be forgotten: the store goes back to what it was.
    private struct Planned: Error { let changes: [SchemaChange] }

    func run() throws -> ExitCode {
        let arguments = invocation.arguments
        let name = arguments.operands.first ?? ""
        let settling = try StoreSettling(invocation)
        let choice = settling.reading.choice
        if choice.pipelines?.contains(name) == true {
            throw Failure(
                .failed,
                "The pipeline `\(name)` has a file, so its next run would begin anew. Remove the file first. Nothing was forgotten."
            )
        }
        let isPlan = arguments.has(.planOnly)
        let output = try invocation.openOutput()
        let changes: [SchemaChange]
        do {
            changes = try settling.change { store in
                guard let changes = try PipelineForgetting(store: store).carryOut(name, who: invocation.user) else {
                    throw Failure(
                        .failed,
                        "The \(choice.name) knows no pipeline `\(name)`. `sluice status\(settling.reading.storeOption)` lists those that it knows."
                    )
                }
                if isPlan { throw Planned(changes: changes) }
                return changes
            }
        } catch let planned as Planned {
            changes = planned.changes
        }
        if !isPlan { output.outlive() }
        if invocation.writesResult(to: output) { try output.write(Self.words(name, changes, isPlan: isPlan)) }
        return try invocation.finish(output, .done, orTell: "See `sluice history\(settling.reading.storeOption)`.")
    }

    private static func words(_ name: String, _ changes: [SchemaChange], isPlan: Bool) -> String {
        let lines = changes.map { "- \(ShortText.of($0.sql)), whose table \(ShortText.of($0.table)) stays\n" }
        return "The pipeline `\(ShortText.of(name))` \(isPlan ? "would be" : "is") forgotten.\n" + lines.joined()
    }
}
