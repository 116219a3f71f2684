/// The completions for bash.
enum BashCompletion {
    static var script: String {
        """
        # Completions of sluice for bash, made by `sluice completions bash`.
        _sluice() {
            local IFS=$'\\n' word current value prefix='' option='' command='' glue='' index
            local -a words=()
            COMPREPLY=()
            # readline takes = and : for words of their own.
            for ((index = 1; index <= COMP_CWORD; index++)); do
                word=${COMP_WORDS[index]}
                if ((${#words[@]})) && [[ $glue || $word == = || $word == : ]]; then
                    words[${#words[@]} - 1]+=$word
                    [[ $word == = || $word == : ]] && glue=1 || glue=
                else
                    words+=("$word")
                fi
            done
            current=${words[${#words[@]} - 1]}
            for ((index = 0; index < ${#words[@]} - 1; index++)); do
                word=${words[index]}
                if [[ $option ]]; then
                    option=
                    continue
                fi
                case $word in
                    \(CompletionModel.optionsWithValue.joined(separator: " | "))) option=$word ;;
                    -*) ;;
                    *)
                        case "$command $word" in
                            \(commandWords))
                                command="${command:+$command }$word" ;;
                        esac ;;
                esac
            done
            if [[ ! $option && $current == --*=* ]]; then
                option=${current%%=*}
                prefix=$option=
            fi
            value=${current#"$prefix"}
            if [[ $option ]]; then
                case "$command $option" in
        \(values)
                esac
            elif [[ $current == -* ]]; then
                case $command in
        \(options)
                esac
            else
                case $command in
        \(operands)
                esac
            fi
            # Where readline did not split the word, the replies take the place of all of it.
            if [[ $prefix && ${COMP_WORDS[COMP_CWORD]} == "$prefix"* ]]; then
                COMPREPLY=("${COMPREPLY[@]/#/$prefix}")
            fi
        }
        complete -F _sluice sluice

        """
    }

    private static var commandWords: String {
        CompletionModel.places.flatMap { place in
            CompletionModel.words(after: place).map { "\"\(place) \($0.text)\"" }
        }.joined(separator: " | \\\n" + String(repeating: " ", count: 20))
    }

    private static func line(_ pattern: String, _ action: String) -> String {
        "            \(pattern)) \(action) ;;"
    }

    private static func choose(_ words: [String]) -> String {
        "COMPREPLY=($(compgen -W $'\(words.joined(separator: "\\n"))' -- \"$value\"))"
    }

    private static let moreFiles = "compopt -o filenames; COMPREPLY+=($(compgen -f -- \"$value\"))"
    private static let files = "compopt -o filenames; COMPREPLY=($(compgen -f -- \"$value\"))"

    private static var values: String {
        let options = OptionSpec.all.filter { $0.valueName != nil }
        return (options.filter(isSecond) + options.filter { !isSecond($0) }).compactMap { option -> String? in
            let pattern = pattern(option)
            switch option.value {
            case .choice(let choices): return line(pattern, choose(choices))
            case .numberOrAll: return line(pattern, choose(["all"]))
            case .file: return line(pattern, files)
            case .storeURL: return stores(pattern)
            case .text, .assignment, .header, .recordsPath, .number, .duration: return nil
            }
        }.joined(separator: "\n")
    }

    /// Stores: a file, or a database.
    private static func stores(_ pattern: String) -> String {
        """
                    \(pattern))
                        if [[ $value == sqlite:* ]]; then
                            prefix+=sqlite:
                            value=${value#sqlite:}
                            \(files)
                        else
                            compopt -o nospace
                            \(choose(["sqlite:", "postgres://"]))
                        fi ;;
        """
    }

    /// What the value of an option follows: a command and the option's name, or the name alone where no other option has it.
    private static func pattern(_ option: OptionSpec) -> String {
        if !isSecond(option) { return option.names.map { "*' \($0)'" }.joined(separator: " | ") }
        let commands = CommandSpec.all.filter { $0.options.contains(option.id) }
        return commands.map { "'\($0.name) \(option.name)'" }.joined(separator: " | ")
    }

    /// Whether a command means something else by a name than most do.
    private static func isSecond(_ option: OptionSpec) -> Bool {
        OptionSpec.all.first { $0.name == option.name }?.id != option.id
    }

    private static var options: String {
        var lines = CommandSpec.all.map { command in
            line("'\(command.name)'", choose(command.optionSpecs.flatMap(\.names).filter { $0.hasPrefix("--") }))
        }
        lines.append(line("*", choose(["--help", "--version"])))
        return lines.joined(separator: "\n")
    }

    private static var operands: String {
        var lines = CompletionModel.places.map { place in
            let words = choose(CompletionModel.words(after: place).map(\.text))
            let takesFiles = CompletionModel.command(at: place)?.allOperands.last?.value == .file
            return line("'\(place)'", takesFiles ? "\(words); \(moreFiles)" : words)
        }
        for command in CommandSpec.all where command.longerCommands.isEmpty {
            switch CompletionModel.operands(of: command) {
            case .file?: lines.append(line("'\(command.name)'", files))
            case .choice(let choices)?: lines.append(line("'\(command.name)'", choose(choices)))
            case .storeURL?: lines.append(stores("'\(command.name)'"))
            default: break
            }
        }
        return lines.joined(separator: "\n")
    }
}
