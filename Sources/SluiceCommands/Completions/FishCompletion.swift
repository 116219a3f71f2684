/// The completions for fish.
enum FishCompletion {
    static var script: String {
        """
        # Completions of sluice for fish, made by `sluice completions fish`.
        function __sluice_at --description 'Whether the words so far name this command'
            set -l words (commandline -opc)
            set -l command
            set -l skips 0
            for word in $words[2..-1]
                if test $skips -eq 1
                    set skips 0
                    continue
                end
                switch $word
                    case \(CompletionModel.optionsWithValue.joined(separator: " "))
                        set skips 1
                    case '-*'
                    case '*'
                        if contains -- "$command $word" \(commandWords)
                            set command (string trim -- "$command $word")
                        end
                end
            end
            test "$command" = "$argv"
        end
        function __sluice_stores --description 'sqlite: and files, postgres://'
            set -l file (commandline -ct | string replace -r '^--store=' '' | string replace -r '^sqlite:' '')
            echo sqlite:
            echo postgres://
            for path in $file*
                test -d $path; and set path $path/
                echo sqlite:$path
            end
        end
        complete -c sluice -f
        complete -c sluice -n __sluice_at -l version -d 'show the version'
        complete -c sluice -n __sluice_at -s h -l help -d 'show this help'
        \(CompletionModel.places.flatMap(words).joined(separator: "\n"))
        \(CommandSpec.all.flatMap(lines).joined(separator: "\n"))

        """
    }

    private static var commandWords: String {
        CompletionModel.places.flatMap { place in
            CompletionModel.words(after: place).map { quoted("\(place) \($0.text)") }
        }.joined(separator: " ")
    }

    private static func words(after place: String) -> [String] {
        CompletionModel.words(after: place).map { word in
            "\(start(place)) -a \(word.text) -d \(quoted(word.help))"
        }
    }

    private static func lines(_ command: CommandSpec) -> [String] {
        var lines = command.optionSpecs.map { option in
            let letter = option.letter.map { " -s \($0)" } ?? ""
            let value = option.valueName == nil ? "" : " " + action(option.value)
            let help = quoted(CompletionModel.help(option, of: command))
            return "\(start(command.name))\(letter) -l \(option.name.dropFirst(2))\(value) -d \(help)"
        }
        switch CompletionModel.operands(of: command) {
        case .file?: lines.append("\(start(command.name)) -F")
        case .choice(let choices)?: lines.append("\(start(command.name)) -a \(quoted(choices.joined(separator: " ")))")
        case .storeURL?: lines.append("\(start(command.name)) -x -a '(__sluice_stores)'")
        default: break
        }
        return lines
    }

    private static func start(_ place: String) -> String {
        "complete -c sluice -n \(quoted(place.isEmpty ? "__sluice_at" : "__sluice_at \(place)"))"
    }

    private static func action(_ value: OptionSpec.Value) -> String {
        switch value {
        case .choice(let choices): "-x -a \(quoted(choices.map(CompletionModel.word).joined(separator: " ")))"
        case .numberOrAll: "-x -a all"
        case .file: "-r -F"
        case .storeURL: "-x -a '(__sluice_stores)'"
        case .text, .assignment, .header, .recordsPath, .number, .duration: "-x"
        }
    }

    private static func quoted(_ text: String) -> String { CompletionModel.quoted(text, escapedQuote: "\\'") }
}
