/// The reference of the commands, made from the specifications that the parser uses.
package enum CommandReference {
    /// All commands with their options, as Markdown ended by a line break.
    package static func markdown() -> String {
        var text = """
            # The commands

            Every command, with its arguments, options and exit codes, as `sluice COMMAND --help` shows them. `-h` and \
            `--help` work everywhere. An option's value stands behind it or after `=`.

            | command | what it does |
            |---|---|

            """
        for command in CommandSpec.all {
            text += "| [`\(command.name)`](#\(anchor(command))) | \(plain(command.summary)) |\n"
        }
        for command in CommandSpec.all { text += section(command) }
        return text + exitCodes + environment
    }

    private static func anchor(_ command: CommandSpec) -> String {
        (["sluice"] + command.path).joined(separator: "-")
    }

    private static func section(_ command: CommandSpec) -> String {
        var text = "\n## sluice \(command.name)\n\n\(plain(command.description))\n\n    \(command.usage)\n"
        let items =
            command.allOperands.map { ($0.name, $0.help) }
            + command.optionSpecs.filter { $0.id != .help }.map { ($0.usage, command.help(of: $0)) }
        if !items.isEmpty { text += "\n" + items.map { "- `\($0)`: \(plain($1))\n" }.joined() }
        let codes = command.exitCodes.map { "- `\($0.rawValue)`: \(plain(command.meaning(of: $0)))\n" }
        text += "\nExit codes:\n\n" + codes.joined()
        return text + "\nExamples:\n\n" + command.examples.map { "    \($0)\n" }.joined()
    }

    private static var exitCodes: String {
        let order = ExitCode.precedence.map { "`\($0.rawValue)`" }.joined(separator: ", ")
        return """

            ## Exit codes

            Each command lists its own. Of several outcomes the first of these that occurred is the program's: \(order), \
            then `0`. `64` means wrong use of the command line, before anything is done.

            """
    }

    private static var environment: String {
        "\n## Environment\n\n"
            + EnvironmentVariable.all.map { "- `\($0.name)`: \(plain($0.help))\n" }.joined()
    }

    /// Words of help as Markdown: what stands between backquotes stays, and nothing else means anything.
    private static func plain(_ help: String) -> String {
        help.split(separator: "`", omittingEmptySubsequences: false).enumerated().map { index, part in
            if index % 2 == 1 { return "`\(part)`" }
            var text = ""
            for character in part {
                if "\\*_<>[]#|$".contains(character) { text.append("\\") }
                text.append(character)
            }
            return text
        }.joined()
    }
}
