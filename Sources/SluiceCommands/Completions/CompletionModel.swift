/// What the shells' completions have in common: made from the specifications, as the help is.
enum CompletionModel {
    /// A word that may follow others, and what it does.
    struct Word {
        let text: String
        let help: String
    }

    /// The words of commands and groups that something may follow, "" for the program alone.
    static var places: [String] {
        [""] + CommandGroup.all.map(\.name) + CommandSpec.all.filter { !$0.longerCommands.isEmpty }.map(\.name)
    }

    /// The command whose name is a place, so that its operands may follow as well as words.
    static func command(at place: String) -> CommandSpec? { CommandSpec.all.first { $0.name == place } }

    /// The words that may follow the words of a group, or the program alone.
    static func words(after place: String) -> [Word] {
        if !place.isEmpty {
            return CommandSpec.all.filter { $0.path.count == 2 && $0.path[0] == place }
                .map { Word(text: $0.path[1], help: $0.summary) }
        }
        let groups = CommandGroup.all.map { Word(text: $0.name, help: $0.summary) }
        return CommandSpec.all.filter { $0.path.count == 1 }.map { Word(text: $0.name, help: $0.summary) } + groups
    }

    /// What the operands of a command must look like; those of `help` are the words of commands.
    static func operands(of command: CommandSpec) -> OptionSpec.Value? {
        guard command.id == .help else { return command.allOperands.last?.value }
        let all = places.flatMap { words(after: $0).map(\.text) }
        return .choice(all.indices.filter { !all[..<$0].contains(all[$0]) }.map { all[$0] })
    }

    /// What help says of an option of a command.
    static func help(_ option: OptionSpec, of command: CommandSpec) -> String {
        command.help(of: option)
    }

    /// The options that take a value, by every name.
    static var optionsWithValue: [String] {
        OptionSpec.all.filter { $0.valueName != nil }.flatMap(\.names)
    }

    /// A word of a list that the shell reads once more: signs that mean something to it get a backslash.
    static func word(_ text: String) -> String {
        text.reduce(into: "") { $0 += ",;|".contains($1) ? "\\\($1)" : String($1) }
    }

    /// A text in single quotes, as all three shells read it.
    static func quoted(_ text: String, escapedQuote: String) -> String {
        "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: escapedQuote) + "'"
    }
}

extension OptionSpec {
    /// The names with their dashes, the letter first.
    var names: [String] { (letter.map { ["-\($0)"] } ?? []) + [name] }
}
