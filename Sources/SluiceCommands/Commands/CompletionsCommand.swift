/// `sluice completions`
struct CompletionsCommand {
    let invocation: Invocation

    func run() throws -> ExitCode {
        let output = try invocation.openOutput()
        switch invocation.arguments.operands.first {
        case "zsh": try output.write(ZshCompletion.script)
        case "fish": try output.write(FishCompletion.script)
        default: try output.write(BashCompletion.script)
        }
        try output.finish()
        return .done
    }
}
