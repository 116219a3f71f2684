internal import SluiceStore
internal import SluiceStores
internal import SluiceSystem

/// `sluice store copy`: a store in another database.
struct StoreCopyCommand {
    let invocation: Invocation
    private var arguments: ParsedArguments { invocation.arguments }

    init(invocation: Invocation) { self.invocation = invocation }

    func run() throws -> ExitCode {
        let stores = try arguments.operands.map(address)
        let output = try invocation.openOutput()
        output.outlive()
        let cancellation = invocation.context.cancellation
        var line = WorkProgressLine(invocation)
        let report: StoreCopyReport
        do {
            defer { line.erase() }
            report = try stores[0].copy(
                to: stores[1], verifies: arguments.has(.verify),
                waiting: StoreWaiting(busyMilliseconds: arguments.busyMilliseconds, cancellation: cancellation)
            ) { progress in
                try cancellation.check()
                line.show("\(progress.isVerifying ? "comparing" : "copying") \(progress.table)", progress.rows, "row")
            }
        } catch is CancelledError {
            invocation.log.report(.stopped, "Stopped: nothing was copied.")
            return .stopped(by: invocation.context.signal())
        }
        if arguments.isJSON {
            try output.write(StoreCopyJSON.text(report, from: stores[0].url, to: stores[1].url))
        } else if invocation.writesResult(to: output) {
            try output.write(
                StoreCopyText(style: invocation.style(for: output)).text(
                    report, from: stores[0].url, to: stores[1].url))
        }
        return try invocation.finish(output, .done, orTell: "See `sluice store check`.")
    }

    private func address(_ url: String) throws -> StoreAddress {
        if let address = StoreAddress(url) { return address }
        throw Failure(.usage, "`sluice store copy` \(StoreAddress.problem(with: url))")
    }
}
