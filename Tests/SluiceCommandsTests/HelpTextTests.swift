import SluiceCommands
import Testing

@Suite struct HelpTextTests {
    @Test(arguments: CommandSpec.all.map(\.name))
    func everyCommandTellsItsOptionsExitCodesAndAnExample(_ name: String) throws {
        let command = try #require(CommandSpec.all.first { $0.name == name })
        let help = HelpText.of(command.path)
        let lines = help.split(separator: "\n").map(String.init)
        for option in command.optionSpecs {
            let start = (option.letter.map { "  -\($0), " } ?? "      ") + option.name
            #expect(lines.contains { $0.hasPrefix(start) }, "\(option.name)")
        }
        for code in command.exitCodes { #expect(lines.contains { $0.hasPrefix("  \(code.rawValue) ") }, "\(code)") }
        #expect(help.contains("Usage:\n  sluice \(name)"))
        #expect(!command.examples.isEmpty)
        for example in command.examples { #expect(lines.contains("  " + example)) }
        #expect(lines.allSatisfy { $0.count <= 100 })
    }

    @Test(arguments: CommandSpec.all.map(\.name))
    func everyExampleIsAcceptedByTheParser(_ name: String) throws {
        let command = try #require(CommandSpec.all.first { $0.name == name })
        for example in command.examples {
            let words = example.split(separator: " ").map(String.init)
            #expect(words.first == "sluice")
            _ = try ArgumentParser.parse(Array(words.dropFirst()))
        }
    }

    @Test(arguments: CommandSpec.all.map(\.name))
    func helpIsAskedForInThreeWays(_ name: String) {
        let words = name.split(separator: " ").map(String.init)
        for arguments in [words + ["--help"], ["-h"] + words, ["help"] + words] where name != "help" {
            let output = MemorySink()
            let code = Sluice.run(arguments: arguments, context: CommandContext(output: output, errors: MemorySink()))
            #expect(code == 0)
            #expect(output.text == HelpText.of(words))
        }
    }

    @Test func groupsListTheirCommands() {
        for group in CommandGroup.all {
            let help = HelpText.of([group.name])
            for command in group.commands { #expect(help.contains("  " + command.path[1])) }
        }
    }

    @Test func theProgramListsEveryCommand() {
        let help = HelpText.of([])
        for command in CommandSpec.all { #expect(help.contains("\n  " + command.path[0])) }
    }

    @Test func everyOptionBelongsToSomeCommandAndHasItsOwnName() {
        let used = Set(CommandSpec.all.flatMap { $0.optionSpecs.map(\.name) }).union(["--version"])
        #expect(used == Set(OptionSpec.all.map(\.name)))
        for command in CommandSpec.all {
            #expect(Set(command.optionSpecs.map(\.name)).count == command.optionSpecs.count, "\(command.name)")
        }
        let letters = OptionSpec.all.compactMap(\.letter)
        #expect(Set(letters).count == letters.count)
    }
}
