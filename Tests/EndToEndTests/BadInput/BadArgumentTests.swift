import Foundation
import Testing

/// Command lines that are wrong: each says what is, what was probably meant, and where to look.
@Suite struct BadArgumentTests {
    /// One command line, and what is said of it.
    struct Row: Sendable, CustomTestStringConvertible {
        let arguments: [String]
        let words: [String]
        let code: Int32
        var testDescription: String { arguments.joined(separator: " ") }

        init(_ line: String, _ words: String..., code: Int32 = 64) {
            arguments = line.split(separator: " ").map { $0 == "''" ? "" : String($0) }
            self.words = words
            self.code = code
        }
    }

    static let rows: [Row] = [
        Row("rn books.yaml", "Unknown command `rn`", "Did you mean `run`?", "See `sluice --help`"),
        Row("frobnicate", "Unknown command `frobnicate`", "See `sluice --help`"),
        Row("conflicts", "`sluice conflicts` needs a command", "`list`", "See `sluice conflicts --help`"),
        Row("schedule nxet", "nxet: error:", "does not exist", code: 78),
        Row("schedule next", "`sluice schedule next` needs EXPR"),
        Row("schedule --count 3", "`--count` is not an option of `sluice schedule`"),
        Row("schedule --next 1001", "`--next` needs a whole number, 0 to 1000, and got `1001`."),
        Row("schedule --from soon", "`--from` needs a time", "`soon`"),
        Row("conflicts lst", "Unknown command `lst` of `sluice conflicts`", "Did you mean `list`?"),
        Row("help rn", "Unknown command `rn`", "Did you mean `run`?"),
        Row(
            "run books.yaml --stor sqlite:a", "Unknown option `--stor`", "Did you mean `--store`?",
            "See `sluice run --help`"),
        Row("run books.yaml --dry-run", "`--dry-run`", "`sluice plan` shows what a run would do."),
        Row("apply a.plan --dry-run", "`sluice show FILE` shows what the plan does."),
        Row("undo 3 -n", "Unknown option `-n`. Write `--plan`."),
        Row("plan books.yaml --json", "Unknown option `--json`. Write `--format json`."),
        Row("run books.yaml -v", "Unknown option `-v`. Write `--log-level debug`."),
        Row("run books.yaml -z", "Unknown option `-z`", "See `sluice run --help`"),
        Row("--versio", "Unknown option `--versio`", "Did you mean `--version`?"),
        Row("status --wait 5s", "`--wait` is not an option of `sluice status`", "See `sluice status --help`"),
        // Whatever its value is.
        Row("conflicts export --format csv", "`--format` is not an option of `sluice conflicts export`"),
        Row("generate schema books.yaml", "knows `pipeline`, `report`, `history`", "`books.yaml`"),
        Row("run books.yaml --store", "`--store` needs a value", "`--store URL`"),
        Row("run books.yaml --wait --quiet", "`--wait` needs a value", "`--wait TIME`"),
        Row("run books.yaml --store=", "`--store` needs sqlite:FILE, as in `sqlite:shop.db`, or a URL like"),
        Row("run books.yaml --store shop.db", "`--store` needs sqlite:FILE", "Did you mean `sqlite:shop.db`?"),
        Row("run books.yaml --store mysql://x", "`--store` needs sqlite:FILE", "`mysql:` are not known"),
        Row("run books.yaml --quiet=yes", "`--quiet` takes no value"),
        Row("run books.yaml --wait soon", "`--wait` needs a time such as 30s", "`soon`"),
        Row("run books.yaml --wait -1s", "`--wait` needs a time such as 30s", "`-1s`"),
        Row("run books.yaml --wait 5", "`--wait` needs a time such as 30s", "`5`"),
        Row("run books.yaml --allow-deletes many", "`--allow-deletes` needs a whole number, 0 or more", "`many`"),
        Row("run books.yaml --allow-deletes -1", "`--allow-deletes` needs a whole number, 0 or more", "`-1`"),
        Row("run books.yaml --allow-deletes 1.5", "`--allow-deletes` needs a whole number, 0 or more", "`1.5`"),
        Row("run books.yaml --allow-deletes 99999999999999999999", "`--allow-deletes` needs a whole number, 0 or more"),
        Row("run books.yaml --changes few", "`--changes` needs a whole number, 0 or more, or `all`", "`few`"),
        Row("run books.yaml --format jsn", "`--format` knows `text`, `json`", "`jsn`", "Did you mean `json`?"),
        Row("run books.yaml --color blue", "`--color` knows `auto`, `always`, `never`", "`blue`"),
        Row("run books.yaml --log-level warn", "`--log-level` knows", "`warn`", "Did you mean `warning`?"),
        Row("run books.yaml --var owner", "`--var` needs NAME=VALUE", "`owner`"),
        Row("run books.yaml --var =x", "`--var` needs NAME=VALUE", "`=x`"),
        Row("run books.yaml --var ownr=x", "`ownr`, which `vars` does not have", "Declare it under `vars`", code: 78),
        Row("run books.yaml --stream boks", "No pipeline has a stream `boks`", "Did you mean `books`?"),
        Row("run books.yaml --stream ''", "`--stream` needs a NAME"),
        Row("run nowhere.yaml", "nowhere.yaml: error:", "does not exist", "Name a pipeline file", code: 78),
        Row("conflicts show", "`sluice conflicts show` needs ID", "`conflicts list`"),
        Row("conflicts show one", "ID of a conflict is a number", "`one`"),
        Row("conflicts show 1 2", "takes ID alone", "`2`"),
        Row(
            "conflicts show 99 --store sqlite:shop.db", "has no conflict 99",
            "`sluice conflicts list --all --store sqlite:shop.db`", code: 1),
        Row("conflicts resolve", "Name conflicts by their IDs", "`--all`"),
        Row("conflicts resolve 1", "Choose a value", "`--take local|remote|base`"),
        Row("conflicts resolve 1 --take loca", "`--take` knows `local`", "Did you mean `local`?"),
        Row("conflicts resolve 1 --set title", "`--set` needs NAME=VALUE", "`title`"),
        Row("conflicts resolve --kind edit-edit --take local", "`--kind` knows", "Did you mean `edit_edit`?"),
        Row("quarantine show 99999999999999999999", "is a number", "99999999999999999999"),
        Row(
            "quarantine show 7 --store sqlite:shop.db", "has no record 7",
            "`sluice quarantine list --all --store sqlite:shop.db`", code: 1),
        Row("quarantine drop", "Name records by their IDs", "`--all`"),
        Row("status --store sqlite:none.db", "`none.db` does not exist", "--store sqlite:FILE", code: 1),
        Row("import", "`sluice import` needs URL|FILE|-", "standard input"),
        Row("import nothing.json", "`nothing.json` does not exist", "Check how", code: 1),
        Row("import . --table books", "`.` is a folder", "`base_url: \"file:FOLDER\"`", code: 1),
        Row("import books.json --key nope", "no field `nope`", "`id`, `title`, `price`"),
        Row("import books.json --sample some", "`--sample` needs a whole number", "`some`"),
        Row("import books.json --table _sluice_runs", "`_sluice_runs` cannot be used", "reserved for the store"),
        Row("import books.json --header s3cr3t", "`--header` needs NAME: VALUE", "'Accept: application/json'"),
        Row("import books.json --records a[", "`--records` needs a path such as `data.items`", "`a[`"),
        Row("completions csh", "knows `bash`, `zsh`, `fish`", "`csh`"),
    ]

    @Test(arguments: rows)
    func aWrongCommandLineSaysWhatIsMeant(row: Row) throws {
        let scene = try Scene(records: 3)
        #expect(try Program.run("run", "books.yaml", in: scene.path).code == 0)
        let before = try StoreDump(scene.store)
        let result = try Program.start(row.arguments, in: scene.path).wait()
        expectOneError(result, code: row.code, row.words)
        if row.code == 64 { #expect(result.errors.contains("See `sluice"), "\(result.errors)") }
        #expect(!(result.output + result.errors).contains("s3cr3t"))
        let after = try StoreDump(scene.store)
        #expect(after.differences(from: before) == [])
        #expect(after.runs == before.runs)
    }

    @Test func noCommandAtAllShowsTheHelp() throws {
        let scene = try Scene(records: 1)
        let result = try Program.run(in: scene.path)
        #expect(result.code == 64)
        #expect(result.output.isEmpty)
        #expect(result.errors.contains("Usage:") && result.errors.contains("Commands:"))
    }
}
