/// The completions for zsh.
enum ZshCompletion {
    static var script: String {
        """
        #compdef sluice
        # Completions of sluice for zsh, made by `sluice completions zsh`.

        _sluice_stores() {
            if compset -P sqlite:; then _files; else compadd -S '' -- sqlite:; fi
        }

        \(CommandGroup.all.map { function("_sluice_\($0.name)", place: $0.name) }.joined(separator: "\n"))
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
            guard let command = CommandSpec.all.first(where: { $0.path == path }) else {
                return "                \(word.text)) _sluice_\(word.text) && ret=0 ;;"
            }
            return "                \(word.text))\n                    _arguments -s -S \\\n"
                + arguments(of: command).map { "                        \($0)" }.joined(separator: " \\\n")
                + " && ret=0 ;;"
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
        case .choice(let choices): "(\(choices.joined(separator: " ")))"
        case .countOrAll: "(all)"
        case .file: "_files"
        case .storeURL: "_sluice_stores"
        case .text, .assignment, .header, .recordsPath, .count, .duration: " "
        }
    }

    private static func escaped(_ text: String, _ characters: String) -> String {
        text.reduce(into: "") { $0 += characters.contains($1) ? "\\\($1)" : String($1) }
    }

    private static func quoted(_ text: String) -> String {
        CompletionModel.quoted(text, escapedQuote: "'\\''")
    }
}
