/// `sluice generate man`
struct GenerateManualCommand {
    let invocation: Invocation

    func run() throws -> ExitCode {
        let output = try invocation.openOutput()
        try output.write(ManualPage.text(version: Sluice.version))
        try output.finish()
        return .done
    }
}
