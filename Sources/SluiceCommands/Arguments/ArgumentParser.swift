internal import SluiceDiagnostics

/// Reads a command line by the specifications of commands and options.
package struct ArgumentParser {
    /// What a command line asks for.
    package enum Request: Sendable {
        case command(ParsedArguments)
        /// The help of a command or group, or of the program where there are no words.
        case help([String])
        case version
    }

    /// What is wrong with a command line.
    package struct Problem: Error, Sendable {
        package let message: String
        /// The words of the command whose help to look at.
        let path: [String]

        /// The whole text for standard error.
        package var text: String {
            "error: \(PrintableText.escape(message))\nSee `\((["sluice"] + path + ["--help"]).joined(separator: " "))`.\n"
        }
    }

    private var rest: ArraySlice<String>
    private var words: [String] = []
    private var command: CommandSpec?
    private var operands: [String] = []
    private var values: [OptionSpec.ID: [String]] = [:]

    /// Reads arguments, the program's name not among them.
    ///
    /// - Throws: ``Problem`` for the first thing that is wrong.
    package static func parse(_ arguments: [String]) throws(Problem) -> Request {
        var parser = ArgumentParser(rest: arguments[...])
        return try parser.parse()
    }

    private init(rest: ArraySlice<String>) { self.rest = rest }

    private mutating func parse() throws(Problem) -> Request {
        var endsOptions = false
        while let argument = rest.popFirst() {
            if endsOptions || !argument.hasPrefix("-") || argument == "-" {
                try parseWord(argument, mayExtend: !endsOptions)
            } else if argument == "--" {
                endsOptions = true
            } else if argument.hasPrefix("--") {
                try parseLong(argument)
            } else {
                try parseLetters(argument)
            }
        }
        return try finish()
    }

    // MARK: Words

    /// Takes a word of the command's name, or an operand.
    ///
    /// The longest name counts: where a command's name begins another's, the next word is that one's if it can be. After
    /// `--`, or as `./next`, it is an operand.
    private mutating func parseWord(_ word: String, mayExtend: Bool) throws(Problem) {
        if command != nil {
            let longer = CommandSpec.all.first { $0.path == words + [word] }
            guard let longer, mayExtend, operands.isEmpty else { return operands.append(word) }
            words.append(word)
            command = longer
            return
        }
        words.append(word)
        command = CommandSpec.all.first { $0.path == words }
        if command != nil { return }
        let known = CommandSpec.all.filter { $0.path.starts(with: words) }
        if known.isEmpty {
            words.removeLast()
            let next = Self.nextWords(after: words)
            let place = words.isEmpty ? "" : " of `sluice \(words.joined(separator: " "))`"
            throw problem("Unknown command `\(word)`\(place)." + hint(word, among: next))
        }
    }

    /// What was meant by an unknown word: commands that have it further on, such as `inspect drift`, or else the word that is
    /// nearest among those that may follow. Where one command alone needs operands, its word was left out.
    private func hint(_ word: String, among next: [String]) -> String {
        let others = CommandSpec.all.filter { $0.path.count > 1 && $0.path.last == word }
        if !others.isEmpty {
            let names = others.map { "`sluice \($0.name)`" }
            return " Did you mean \(names.joined(separator: " or "))?"
        }
        let hint = Self.hint(word, among: next)
        let needing = CommandSpec.all.filter { command in
            command.operands.map { $0.range.lowerBound > 0 } ?? false && command.path.dropLast() == words[...]
        }
        guard hint.isEmpty, !words.isEmpty, needing.count == 1 else { return hint }
        let meant: [String] = needing[0].path + [word] + Array(rest)
        return " Did you mean `sluice \(meant.joined(separator: " "))`?"
    }

    /// The words that may follow.
    private static func nextWords(after words: [String]) -> [String] {
        var next: [String] = []
        for path in CommandSpec.all.map(\.path) where path.count > words.count && path.starts(with: words) {
            if !next.contains(path[words.count]) { next.append(path[words.count]) }
        }
        return next
    }

    // MARK: Options

    private mutating func parseLong(_ argument: String) throws(Problem) {
        let equals = argument.firstIndex(of: "=")
        let name = equals.map { String(argument[..<$0]) } ?? argument
        let attached = equals.map { String(argument[argument.index(after: $0)...]) }
        // Two commands may mean different things by one name.
        let own = command?.optionSpecs.first { $0.name == name }
        guard let option = own ?? OptionSpec.all.first(where: { $0.name == name }) else {
            let known = command?.optionSpecs ?? OptionSpec.all
            throw problem("Unknown option `\(name)`." + hint(option: name, among: known))
        }
        if option.valueName == nil {
            if attached != nil { throw problem("The option `\(name)` takes no value.") }
            values[option.id] = []
            return
        }
        try set(option, attached: attached)
    }

    /// What was meant by an unknown option: what other programs call so, or else the nearest name.
    private func hint(option name: String, among known: [OptionSpec]) -> String {
        command.flatMap { FamiliarOption.remedy(name, $0) } ?? Self.hint(name, among: known.map(\.name))
    }

    private mutating func parseLetters(_ argument: String) throws(Problem) {
        var letters = argument.dropFirst()
        while let letter = letters.popFirst() {
            guard let option = OptionSpec.all.first(where: { $0.letter == letter }) else {
                throw problem(
                    "Unknown option `-\(letter)`." + (command.flatMap { FamiliarOption.remedy("-\(letter)", $0) } ?? "")
                )
            }
            if option.valueName == nil {
                values[option.id] = []
                continue
            }
            if letters.first == "=" { letters.removeFirst() }
            let attached = letters.isEmpty ? nil : String(letters)
            return try set(option, attached: attached)
        }
    }

    private mutating func nextValue(of option: OptionSpec) throws(Problem) -> String {
        // A value that looks like an option is more likely a value that was forgotten; numbers have no such look.
        guard let next = rest.first, !next.hasPrefix("--"),
            OptionSpec.all.allSatisfy({ "-\($0.letter ?? "-")" != next })
        else {
            throw problem(
                "The option `\(option.name)` needs a value, as in `\(option.name) \(option.valueName ?? "")`.")
        }
        rest.removeFirst()
        return next
    }

    private mutating func set(_ option: OptionSpec, attached: String?) throws(Problem) {
        if option.isValueOptional, attached == nil, rest.first?.hasPrefix("-") ?? true {
            values[option.id] = values[option.id] ?? []
            return
        }
        let value: String
        if let attached { value = attached } else { value = try nextValue(of: option) }
        if let complaint = option.problem(with: value) {
            if let command, !command.optionSpecs.contains(where: { $0.id == option.id }) {
                throw foreign(option, to: command)
            }
            throw problem("The option `\(option.name)` \(complaint)" + remedy(option, value))
        }
        values[option.id, default: []].append(value)
    }

    /// The problem of an option that a command does not have.
    private func foreign(_ option: OptionSpec, to command: CommandSpec) -> Problem {
        problem(
            "`\(option.name)` is not an option of `sluice \(command.name)`."
                + hint(option: option.name, among: command.optionSpecs))
    }

    /// Names the option that was meant where one of a longer name takes the value: `--input-format csv` for `--format csv`.
    private func remedy(_ option: OptionSpec, _ value: String) -> String {
        let meant = command?.optionSpecs.first { other in
            guard other.id != option.id, case .choice(let choices) = other.value else { return false }
            return other.name.hasSuffix(option.name.dropFirst()) && choices.contains(value)
        }
        return meant.map { " `\($0.name) \(value)` is another option: \($0.help)." } ?? ""
    }

    // MARK: The whole

    private mutating func finish() throws(Problem) -> Request {
        if values[.help] != nil { return .help(words) }
        if values[.version] != nil { return .version }
        guard let command else {
            let next = Self.nextWords(after: words).map { "`\($0)`" }.joined(separator: ", ")
            let name = (["sluice"] + words).joined(separator: " ")
            throw problem("`\(name)` needs a command: \(next).")
        }
        for option in OptionSpec.all where values[option.id] != nil && !command.options.contains(option.id) {
            // It stood before the command's name.
            if let own = command.optionSpecs.first(where: { $0.name == option.name }) {
                values[own.id] = values.removeValue(forKey: option.id)
                continue
            }
            throw foreign(option, to: command)
        }
        if command.id == .help { return try helpRequest() }
        let (operands, pipelines) = command.split(operands)
        try check(operands, of: command)
        return .command(
            ParsedArguments(command: command, operands: operands, storePaths: pipelines, values: values))
    }

    private func helpRequest() throws(Problem) -> Request {
        guard CommandSpec.all.contains(where: { $0.path.starts(with: operands) }) else {
            let word = operands.joined(separator: " ")
            throw Problem(
                message: "Unknown command `\(word)`." + Self.hint(word, among: CommandSpec.all.map(\.name)), path: [])
        }
        return .help(operands)
    }

    private func check(_ operands: [String], of command: CommandSpec) throws(Problem) {
        guard let expected = command.operands else {
            guard let first = operands.first else { return }
            throw problem("`sluice \(command.name)` takes no argument, and got `\(first)`.")
        }
        if case .choice(let choices) = expected.value, let wrong = operands.first(where: { !choices.contains($0) }) {
            let known = choices.map { "`\($0)`" }.joined(separator: ", ")
            throw problem(
                "`sluice \(command.name)` knows \(known), and got `\(wrong)`." + Self.hint(wrong, among: choices))
        }
        if operands.count < expected.range.lowerBound {
            throw problem("`sluice \(command.name)` needs \(expected.name), \(expected.help).")
        }
        if operands.count > expected.range.upperBound {
            let word = operands[expected.range.upperBound]
            if command.takesPipelines, expected.value == .count, OptionSpec.count(word) == nil {
                throw problem(
                    "`sluice \(command.name)` takes \(expected.name) and pipeline files, and `\(word)` is neither. A path is told by a slash or a full stop, as in `./\(word)`."
                )
            }
            throw problem("`sluice \(command.name)` takes \(expected.name) alone, and got `\(word)` too.")
        }
    }

    private func problem(_ message: String) -> Problem { Problem(message: message, path: command?.path ?? words) }

    private static func hint(_ word: String, among known: [String]) -> String {
        Suggestion.nearest(to: word, among: known).map { " Did you mean `\($0)`?" } ?? ""
    }
}
