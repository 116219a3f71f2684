/// The manual page of the program, made from the specifications that the parser uses. See: man(7), groff_man(7).
package struct ManualPage {
    private var text = ""

    /// `sluice(1)` of a version, ended by a line break.
    package static func text(version: String) -> String { ManualPage(version: version).text }

    private init(version: String) {
        text = ".\\\" Made by `sluice generate man`.\n.TH SLUICE 1 \"\" \"sluice \(version)\" \"User Commands\"\n"
        section("NAME")
        paragraph("sluice - keep a database in step with remote JSON")
        section("SYNOPSIS")
        paragraph("sluice COMMAND [options]")
        section("DESCRIPTION")
        paragraph(
            """
            Sluice merges what a source says into tables that people may edit, and shows every change field by field. \
            YAML pipelines say where the source is, which fields its records have and what identifies them. What people \
            changed stays, what the source changed is taken, and where both changed the same value, somebody decides.
            """)
        section("COMMANDS")
        for command in CommandSpec.all { add(command) }
        section("EXIT STATUS")
        paragraph("What each number means; each command lists its own.")
        for code in ExitCode.allCases { item(String(code.rawValue), code.meaning.asSentence) }
        section("ENVIRONMENT")
        for variable in EnvironmentVariable.all { item(variable.name, variable.help.asSentence) }
        section("FILES")
        item("pipelines", "The folder whose pipeline files a command takes that names none.")
        item("sluice.db", "The store where nothing names another one.")
        section("EXAMPLES")
        for example in ["sluice plan pipelines/bookshop.yaml", "sluice run", "sluice help run"] { code(example) }
    }

    private mutating func add(_ command: CommandSpec) {
        text += ".SS \(Self.escaped("sluice \(command.name)"))\n"
        code(command.usage)
        paragraph(command.description)
        for operand in command.allOperands { item(operand.name, operand.help.asSentence) }
        for option in command.optionSpecs where option.id != .help {
            item(option.usage, command.help(of: option).asSentence)
        }
        let codes = command.exitCodes.map { "\($0.rawValue) (\(command.meaning(of: $0)))" }
        paragraph("Exit codes: \(codes.joined(separator: "; ")).")
        for example in command.examples { code(example) }
    }

    private mutating func section(_ title: String) { text += ".SH \(title)\n" }

    private mutating func paragraph(_ words: String) { text += ".PP\n\(Self.line(words))\n" }

    private mutating func item(_ name: String, _ words: String) {
        text += ".TP\n\\fB\(Self.escaped(name))\\fR\n\(Self.line(words))\n"
    }

    /// A line that stays as it is.
    private mutating func code(_ line: String) { text += ".PP\n.nf\n.RS 4\n\(Self.line(line))\n.RE\n.fi\n" }

    /// Words as a line of text. A full stop or a quote at its start would be a request.
    private static func line(_ words: String) -> String {
        let line = escaped(words)
        return line.hasPrefix(".") || line.hasPrefix("'") ? "\\&" + line : line
    }

    private static func escaped(_ words: String) -> String {
        var text = ""
        for character in words {
            switch character {
            case "\\": text += "\\e"
            case "-": text += "\\-"
            case "'": text += "\\(aq"
            case "`": text += "\\(ga"
            case "^": text += "\\(ha"
            case "~": text += "\\(ti"
            case "…": text += "..."
            case "→": text += "\\(->"
            default: text.append(character)
            }
        }
        return text
    }
}
