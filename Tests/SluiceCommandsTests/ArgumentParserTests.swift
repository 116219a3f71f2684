import SluiceCommands
import Testing

@Suite struct ArgumentParserTests {
    struct Accepted: Sendable, CustomTestStringConvertible {
        let arguments: String
        let command: String
        var operands: [String] = []
        var texts: [OptionSpec.ID: String] = [:]
        var flags: [OptionSpec.ID] = []
        var testDescription: String { arguments }
    }

    @Test(arguments: [
        Accepted(arguments: "run", command: "run"),
        Accepted(arguments: "run a.yaml b", command: "run", operands: ["a.yaml", "b"]),
        Accepted(
            arguments: "run a.yaml --stream books b", command: "run", operands: ["a.yaml", "b"],
            texts: [.stream: "books"]),
        Accepted(arguments: "run --stream=books", command: "run", texts: [.stream: "books"]),
        Accepted(arguments: "--strict run", command: "run", flags: [.strict]),
        Accepted(arguments: "plan -q -o out.txt", command: "plan", texts: [.output: "out.txt"], flags: [.quiet]),
        Accepted(arguments: "plan -qoout.txt", command: "plan", texts: [.output: "out.txt"], flags: [.quiet]),
        Accepted(arguments: "plan -o -", command: "plan", texts: [.output: "-"]),
        Accepted(arguments: "run -- --strict", command: "run", operands: ["--strict"]),
        Accepted(arguments: "conflicts list --all", command: "conflicts list", flags: [.all]),
        Accepted(arguments: "quarantine show 4", command: "quarantine show", operands: ["4"]),
        Accepted(arguments: "schedule a.yaml b", command: "schedule", operands: ["a.yaml", "b"]),
        Accepted(arguments: "schedule", command: "schedule"),
        Accepted(arguments: "schedule next @daily", command: "schedule next", operands: ["@daily"]),
        Accepted(
            arguments: "schedule --from 2026-01-01 next @daily", command: "schedule next", operands: ["@daily"],
            texts: [.from: "2026-01-01"]),
        Accepted(arguments: "schedule ./next", command: "schedule", operands: ["./next"]),
        Accepted(arguments: "schedule -- next", command: "schedule", operands: ["next"]),
        Accepted(arguments: "schedule a next", command: "schedule", operands: ["a", "next"]),
        Accepted(arguments: "schedule next next", command: "schedule next", operands: ["next"]),
        Accepted(arguments: "plan --changes all", command: "plan", texts: [.changes: "all"]),
        Accepted(arguments: "run --stream a --stream b", command: "run", texts: [.stream: "b"]),
        Accepted(arguments: "run --store sqlite:a=b.db", command: "run", texts: [.store: "sqlite:a=b.db"]),
    ])
    func isAccepted(_ wanted: Accepted) throws {
        guard
            case .command(let parsed) = try ArgumentParser.parse(
                wanted.arguments.split(separator: " ").map(String.init))
        else {
            Issue.record("no command")
            return
        }
        #expect(parsed.command.name == wanted.command)
        #expect(parsed.operands == wanted.operands)
        for (id, text) in wanted.texts { #expect(parsed.text(id) == text) }
        for flag in wanted.flags { #expect(parsed.has(flag)) }
    }

    struct Refused: Sendable, CustomTestStringConvertible {
        let arguments: String
        let text: String
        var testDescription: String { arguments }
    }

    @Test(arguments: [
        Refused(
            arguments: "rnu", text: "error: Unknown command `rnu`. Did you mean `run`?\nSee `sluice --help`.\n"),
        // A command is found by its last word alone.
        Refused(
            arguments: "drift",
            text: "error: Unknown command `drift`. Did you mean `sluice inspect drift`?\nSee `sluice --help`.\n"),
        Refused(
            arguments: "resolve 7 --take local",
            text: "error: Unknown command `resolve`. Did you mean `sluice conflicts resolve`?\nSee `sluice --help`.\n"),
        Refused(
            arguments: "inspect Customers 7",
            text: """
                error: Unknown command `Customers` of `sluice inspect`. Did you mean `sluice inspect record Customers 7`?
                See `sluice inspect --help`.
                """ + "\n"),
        Refused(
            arguments: "conflicts lst",
            text: """
                error: Unknown command `lst` of `sluice conflicts`. Did you mean `list`?
                See `sluice conflicts --help`.\n
                """),
        Refused(
            arguments: "conflicts",
            text:
                "error: `sluice conflicts` needs a command: `list`, `show`, `resolve`, `export`, `import`.\nSee `sluice conflicts --help`.\n"
        ),
        Refused(
            arguments: "run --stroe x",
            text: "error: Unknown option `--stroe`. Did you mean `--store`?\nSee `sluice run --help`.\n"),
        Refused(
            arguments: "status --strict",
            text: "error: `--strict` is not an option of `sluice status`.\nSee `sluice status --help`.\n"),
        Refused(arguments: "run -x", text: "error: Unknown option `-x`.\nSee `sluice run --help`.\n"),
        Refused(
            arguments: "run --output --quiet",
            text: "error: The option `--output` needs a value, as in `--output FILE`.\nSee `sluice run --help`.\n"),
        Refused(
            arguments: "run --stream",
            text: "error: The option `--stream` needs a value, as in `--stream NAME`.\nSee `sluice run --help`.\n"),
        Refused(
            arguments: "run --quiet=yes",
            text: "error: The option `--quiet` takes no value.\nSee `sluice run --help`.\n"),
        Refused(
            arguments: "run --allow-deletes -1",
            text: """
                error: The option `--allow-deletes` needs a whole number, 0 or more, and got `-1`.
                See `sluice run --help`.\n
                """),
        Refused(
            arguments: "run --changes 99999999999999999999",
            text: """
                error: The option `--changes` needs a whole number, 0 or more, or `all`, and got `99999999999999999999`.
                See `sluice run --help`.\n
                """),
        Refused(
            arguments: "probe http://a/b --pages 0",
            text: """
                error: The option `--pages` needs a whole number, 1 or more, and got `0`.
                See `sluice probe --help`.\n
                """),
        Refused(
            arguments: "init http://a/b --pages=0",
            text: """
                error: The option `--pages` needs a whole number, 1 or more, and got `0`.
                See `sluice init --help`.\n
                """),
        Refused(
            arguments: "import books.json --sample 0",
            text: """
                error: The option `--sample` needs a whole number, 1 or more, or `all`, and got `0`.
                See `sluice import --help`.\n
                """),
        Refused(
            arguments: "serve books.yaml --workers 257",
            text: """
                error: The option `--workers` needs a whole number, 1 to 256, and got `257`.
                See `sluice serve --help`.\n
                """),
        Refused(
            arguments: "undo 55 pipelines extra",
            text: """
                error: `sluice undo` takes RUN and pipeline files, and `extra` is neither. A path is told by a slash or a full \
                stop, as in `./extra`.
                See `sluice undo --help`.\n
                """),
        Refused(
            arguments: "run --wait 10",
            text: """
                error: The option `--wait` needs a time such as 30s, 10m or 2h, and got `10`.
                See `sluice run --help`.\n
                """),
        Refused(
            arguments: "run --var =x",
            text: "error: The option `--var` needs NAME=VALUE, and got `=x`.\nSee `sluice run --help`.\n"),
        Refused(
            arguments: "run --format yaml",
            text:
                "error: The option `--format` knows `text`, `json`, `markdown`, `html`, `csv`, and got `yaml`.\nSee `sluice run --help`.\n"
        ),
        Refused(
            arguments: "run --store shop.db",
            text: """
                error: The option `--store` needs sqlite:FILE, as in `sqlite:shop.db`, or a URL like \
                `postgres://user@host/shop`, and got `shop.db`. \
                Did you mean `sqlite:shop.db`?
                See `sluice run --help`.\n
                """),
        Refused(
            arguments: "run --store mysql://host/db",
            text: """
                error: The option `--store` needs sqlite:FILE, as in `sqlite:shop.db`, or a URL like \
                `postgres://user@host/shop`; stores of the kind \
                `mysql:` are not known.
                See `sluice run --help`.\n
                """),
        Refused(
            arguments: "generate schema x",
            text:
                "error: `sluice generate schema` knows `pipeline`, `report`, `history`, `swift-config`, and got `x`.\nSee `sluice generate schema --help`.\n"
        ),
        Refused(
            arguments: "quarantine show",
            text: """
                error: `sluice quarantine show` needs ID, the number that `quarantine list` shows.
                See `sluice quarantine show --help`.\n
                """),
        Refused(
            arguments: "quarantine show 1 2",
            text: """
                error: `sluice quarantine show` takes ID alone, and got `2` too.
                See `sluice quarantine show --help`.\n
                """),
        Refused(
            arguments: "run --\u{1B}[2J", text: "error: Unknown option `--\\u{1B}[2J`.\nSee `sluice run --help`.\n"),
        Refused(
            arguments: "help rn", text: "error: Unknown command `rn`. Did you mean `run`?\nSee `sluice --help`.\n"),
    ])
    func isRefused(_ wanted: Refused) {
        let sink = MemorySink()
        let output = MemorySink()
        let code = Sluice.run(
            arguments: wanted.arguments.split(separator: " ").map(String.init),
            context: CommandContext(output: output, errors: sink))
        #expect(code == 64)
        #expect(sink.text == wanted.text)
        #expect(output.text.isEmpty)
    }

    @Test func variablesKeepWhatFollowsTheFirstEqualsSign() throws {
        guard case .command(let parsed) = try ArgumentParser.parse(["run", "--var", "a=b=c", "--var=d="]) else {
            Issue.record("no command")
            return
        }
        #expect(parsed.variables == ["a": "b=c", "d": ""])
    }

    @Test(arguments: [("500ms", 0.5), ("30s", 30), ("10m", 600), ("2h", 7200), ("1d", 86_400)])
    func waitIsATime(text: String, seconds: Double) throws {
        guard case .command(let parsed) = try ArgumentParser.parse(["run", "--wait", text]) else {
            Issue.record("no command")
            return
        }
        #expect(parsed.waitSeconds == seconds)
    }

    @Test func noArgumentsShowTheHelpOnStandardError() {
        let output = MemorySink()
        let errors = MemorySink()
        #expect(Sluice.run(arguments: [], context: CommandContext(output: output, errors: errors)) == 64)
        #expect(errors.text == HelpText.of([]))
        #expect(output.text.isEmpty)
    }

    @Test func versionIsPrinted() {
        let output = MemorySink()
        let code = Sluice.run(
            arguments: ["--version"], context: CommandContext(output: output, errors: MemorySink()))
        #expect(code == 0)
        #expect(output.text == "sluice 0.1.0\n")
    }
}
