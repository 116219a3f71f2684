import SluiceCommands
import Testing

@Suite struct CompletionScriptTests {
    private func script(_ shell: String) -> String {
        let output = MemorySink()
        let code = Sluice.run(
            arguments: ["completions", shell], context: CommandContext(output: output, errors: MemorySink()))
        #expect(code == 0)
        return output.text
    }

    @Test(arguments: ["bash", "zsh", "fish"]) func everyCommandAndOptionIsInIt(_ shell: String) {
        let lines = script(shell).split(separator: "\n").map(String.init)
        for command in CommandSpec.all {
            for word in command.path { #expect(lines.contains { $0.contains(word) }, "\(word)") }
            for option in command.optionSpecs {
                let isThere =
                    switch shell {
                    case "bash": lines.contains { $0.contains("'\(command.name)')") && $0.contains(option.name) }
                    case "fish":
                        lines.contains {
                            $0.contains("at \(command.name)'") && $0.contains("-l \(option.name.dropFirst(2))")
                        }
                    default: lines.contains { $0.contains(option.name) }
                    }
                #expect(isThere, "\(command.name) \(option.name)")
            }
        }
    }

    @Test func aShellThatIsNotKnownIsRefusedWithTheKnownOnes() {
        let errors = MemorySink()
        let context = CommandContext(output: MemorySink(), errors: errors)
        #expect(Sluice.run(arguments: ["completions", "fihs"], context: context) == 64)
        #expect(errors.text.contains("knows `bash`, `zsh`, `fish`, and got `fihs`. Did you mean `fish`?"))
    }
}
