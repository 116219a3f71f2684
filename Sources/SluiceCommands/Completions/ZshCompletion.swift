/// The completions for zsh.
enum ZshCompletion {
    static var script: String {
        """
        #compdef sluice
        # Completions of sluice for zsh, made by `sluice completions zsh`.

        _sluice_stores() {
            if compset -P sqlite:; then _files; else compadd -S '' -- sqlite: postgres://; fi
        }

        \(CommandGroup.all.map { function("_sluice_\($0.name)", place: $0.name) }.joined(separator: "\n"))
        \(CommandSpec.all.filter { !$0.longerCommands.isEmpty }.map(commandFunction).joined(separator: "\n"))
        \(function("_sluice", place: ""))
        if [[ $funcstack[1] == _sluice ]]; then
            _sluice "$@"
        else
            compdef _sluice sluice
        fi

        """
    }

    private static func function(_ name: String, place: String) -> String {
        let words = CompletionModel.words(after: place)
        let described = words.map { "            \(quoted(escaped($0.text, ":") + ":" + $0.help))" }
        let general = OptionSpec.all.filter { $0.id == .help || ($0.id == .version && place.isEmpty) }
        let cases = words.map { word in
            let path = place.isEmpty ? [word.text] : [place, word.text]
            guard let command = CommandSpec.all.first(where: { $0.path == path }), command.longerCommands.isEmpty else {
                return "                \(word.text)) _sluice_\(word.text) && ret=0 ;;"
            }
            return "                \(word.text))\n" + call(arguments(of: command), indent: 20) + " && ret=0 ;;"
        }
        return """
            \(name)() {
                local curcontext=$curcontext state line ret=1
                local -a commands=(
            \(described.joined(separator: "\n"))
                )
                _arguments -C -s -S \\
            \(general.map { "        \(specification($0, help: $0.help)) \\" }.joined(separator: "\n"))
                    '1: :->command' '*:: :->arguments' && ret=0
                case $state in
                    command) _describe -t commands command commands && ret=0 ;;
                    arguments)
                        case $words[1] in
            \(cases.joined(separator: "\n"))
                        esac ;;
                esac
                return ret
            }

            """
    }

    /// The function of a command whose name begins others': after its name comes another word, or what it takes itself.
    private static func commandFunction(_ command: CommandSpec) -> String {
        let name = "_sluice_" + command.path.joined(separator: "_")
        let longer = command.longerCommands.map { (word: $0.path[command.path.count], command: $0) }
        let cases = longer.map { entry in
            "        \(entry.word))\n            shift words\n            ((CURRENT--))\n"
                + call(arguments(of: entry.command), indent: 12) + "\n            return ;;"
        }
        let words = longer.map { "\(escaped($0.word, ":"))\\:\(quoted(escaped($0.command.summary, ": ")))" }
        let value = CompletionModel.operands(of: command) ?? .text
        let own =
            arguments(of: command).dropLast() + [quoted("*:\(command.allOperands.last?.name ?? ""):\(name)_words")]
        return """
            \(name)_words() {
                _alternative 'commands:command:((\(words.joined(separator: " "))))' '\("operands:operand:" + action(value))'
            }
            \(name)() {
                ((CURRENT > 2)) && case $words[2] in
            \(cases.joined(separator: "\n"))
                esac
            \(call(Array(own), indent: 4))
            }

            """
    }

    /// A call of `_arguments`, a line for each of them.
    private static func call(_ arguments: [String], indent: Int) -> String {
        let start = String(repeating: " ", count: indent)
        return "\(start)_arguments -s -S \\\n"
            + arguments.map { "\(start)    \($0)" }.joined(separator: " \\\n")
    }

    private static func arguments(of command: CommandSpec) -> [String] {
        var all = command.optionSpecs.map { specification($0, help: CompletionModel.help($0, of: command)) }
        if let operands = command.allOperands.last, let value = CompletionModel.operands(of: command) {
            all.append(quoted("*:\(operands.name):\(action(value))"))
        }
        return all
    }

    private static func specification(_ option: OptionSpec, help: String) -> String {
        let takesValue = option.valueName != nil
        let end = "[\(escaped(help, "[]"))]" + (option.valueName.map { ":\($0):\(action(option.value))" } ?? "")
        let repeats = option.isRepeatable ? "*" : ""
        guard let letter = option.letter else { return quoted(repeats + option.name + (takesValue ? "=" : "") + end) }
        let names = takesValue ? "{-\(letter)+,\(option.name)=}" : "{-\(letter),\(option.name)}"
        return quoted("(-\(letter) \(option.name))") + names + quoted(end)
    }

    private static func action(_ value: OptionSpec.Value) -> String {
        switch value {
        case .choice(let choices): "(\(choices.map(CompletionModel.word).joined(separator: " ")))"
        case .numberOrAll: "(all)"
        case .file: "_files"
        case .storeURL: "_sluice_stores"
        case .text, .assignment, .header, .recordsPath, .number, .duration: " "
        }
    }

    private static func escaped(_ text: String, _ characters: String) -> String {
        text.reduce(into: "") { $0 += characters.contains($1) ? "\\\($1)" : String($1) }
    }

    private static func quoted(_ text: String) -> String {
        CompletionModel.quoted(text, escapedQuote: "'\\''")
    }
}
