import Glibc
import SluiceCommands
import SluiceJSON
import SluiceSQLite
import SluiceSystem
import Testing

@Suite struct CommandRunTests {
    private let day1 = """
        [{"id":1,"title":"One","price":"1.50"},{"id":2,"title":"Two","price":"2.50"},{"id":3,"title":"Three"},
         {"id":4,"title":"Four"}]
        """

    private func makeShop(deleteMissing: String = "{mode: hard, max_delete: 1}") throws -> Workshop {
        let shop = try Workshop()
        try shop.writePipeline(deleteMissing: deleteMissing)
        try shop.write(day1, to: "books.json")
        return shop
    }

    @Test func aPlanLeavesNoFileAndSaysWhatTheRunThenDoes() throws {
        let shop = try makeShop()
        let before = shop.files
        let plan = shop.sluice("plan", shop.pipeline)
        #expect(plan.code == 0)
        #expect(
            plan.output.hasPrefix(
                "Plan for shop: 4 to insert\n\n+ table books\n\n4 to insert into books, which had no rows\n"))
        #expect(plan.output.hasSuffix("To do it:\n  sluice run \(shop.pipeline) --store sqlite:\(shop.store)\n"))
        let json = shop.sluice("plan", shop.pipeline, "--format", "json")
        #expect(json.output.contains("\"schema_changes\":[\n{\"table\":\"books\",\"change\":\"create_table\",\"sql\":"))
        #expect(shop.sluice("plan", shop.pipeline, "--detailed-exitcode").code == 2)
        #expect(shop.files == before)

        let run = shop.sluice("run", shop.pipeline)
        #expect(run.code == 0)
        #expect(run.output.hasPrefix("Run 1 of shop: 4 inserted"))
        #expect(run.output.contains("4 inserted into books, which had no rows\n"))
        let again = shop.sluice("run", shop.pipeline, "--format", "json")
        #expect(again.output.contains(#""summary":{"insert":0,"update":0,"delete":0,"unchanged":4,"#))
        #expect(shop.sluice("plan", shop.pipeline, "--detailed-exitcode").code == 0)
        #expect(run.errors.isEmpty && again.errors.isEmpty)
    }

    @Test func aLocalEditStandsAndAChangeOfBothSidesIsAConflict() throws {
        let shop = try makeShop()
        _ = shop.sluice("run", shop.pipeline)
        try shop.sql("UPDATE books SET title = 'Eins', price = '9.00' WHERE id = 1")
        try shop.write(
            day1.replacing("\"price\":\"1.50\"", with: "\"price\":\"1.75\""), to: "books.json")
        let run = shop.sluice("run", shop.pipeline, "--strict")
        #expect(run.code == 3)
        #expect(
            run.output.contains(
                """
                ! Book 1
                    title  "Eins"  (edited here, stays; the source says "One")
                    price  base "1.50"   local "9.00"   remote "1.75"  (conflict 1)
                """))
        #expect(try shop.value("SELECT price FROM books WHERE id = 1") == SQLiteValue("9.00"))

        let list = shop.sluice("conflicts", "list")
        #expect(
            list.output == """
                1  Book 1  (shop/books; edit_edit; since run 2)
                    price  base "1.50"   local "9.00"   remote "1.75"

                """)
        let json = shop.sluice("conflicts", "list", "--format", "json")
        #expect(
            json.output.replacing(/"mark":"[0-9a-f]{16}"/, with: #""mark":"…""#) == """
                {"format":"sluice.conflicts/1","conflicts":[
                {"id":1,"kind":"edit_edit","entity":"Book","key":{"id":1},"field":"price","base":"1.50",\
                "local":"9.00","remote":"1.75","policy":"manual","status":"open","pipeline":"shop","stream":"books",\
                "first_run":2,"last_run":2,"seen":1,"mark":"…"}
                ]}

                """)
        let status = shop.sluice("status")
        #expect(status.output.hasPrefix("shop  run 2 succeeded at "))
        #expect(status.output.contains("1 conflict open"))

        try shop.write(day1, to: "books.json")
        _ = shop.sluice("run", shop.pipeline)
        #expect(shop.sluice("conflicts", "list").output == "No open conflicts.\n")
        let words = "closed: the source took its change back"
        #expect(shop.sluice("conflicts", "list", "--all").output.contains("obsolete, \(words)"))
        #expect(shop.sluice("conflicts", "show", "1").output.contains("It is \(words)."))
        #expect(shop.sluice("history", "3").output.contains("conflict 1 \(words)  (edit_edit)"))
        let history = shop.sluice("history", "3", "--format", "json").output
        #expect(history.contains(#""kind":"edit_edit","ended":"source_reverted"}"#))
        let listed = shop.sluice("conflicts", "list", "--all", "--format", "json").output
        #expect(listed.contains(#""status":"obsolete","ended":"source_reverted""#) && !listed.contains("resolution"))
        let decided = shop.sluice("conflicts", "resolve", "1", "--take", "local")
        #expect(decided.output.contains("It is over since run 3: the source took its change back."))
    }

    @Test func recordsThatDoNotFitAreListedAndShown() throws {
        let shop = try makeShop()
        try shop.write(#"[{"id":1,"title":"One","price":"much"},{"id":2,"title":"Two"}]"#, to: "books.json")
        let run = shop.sluice("run", shop.pipeline)
        #expect(run.code == 0)
        #expect(run.output.contains("! Book 1 is not written (quarantine 1)\n    /price  \"much\"  "))
        let list = shop.sluice("quarantine", "list")
        #expect(list.output.hasPrefix("1  Book 1  (shop/books; type_mismatch; since run 1)\n"))
        let shown = shop.sluice("quarantine", "show", "1")
        #expect(shown.output.hasSuffix("{\n  \"id\": 1,\n  \"title\": \"One\",\n  \"price\": \"much\"\n}\n"))
        let json = shop.sluice("quarantine", "show", "1", "--format", "json")
        #expect(json.output.contains(#""record":{"id":1,"title":"One","price":"much"}}"#))
        let missing = shop.sluice("quarantine", "show", "7")
        #expect(missing.code == 1)
        #expect(missing.errors.contains("has no record 7"))
        try shop.write(day1, to: "books.json")
        _ = shop.sluice("run", shop.pipeline)
        #expect(shop.sluice("quarantine", "list").output == "No record is in quarantine.\n")
        #expect(shop.sluice("quarantine", "list", "--all", "--format", "json").output.contains("\"status\":\"closed\""))
    }

    @Test func deletesBeyondTheLimitAreRefusedUntilTheyAreAllowed() throws {
        let shop = try makeShop()
        _ = shop.sluice("run", shop.pipeline)
        try shop.write(#"[{"id":1,"title":"One","price":"1.50"},{"id":2,"title":"2"}]"#, to: "books.json")
        #expect(shop.sluice("plan", shop.pipeline).code == 4)
        let refused = shop.sluice("run", shop.pipeline)
        #expect(refused.code == 4)
        #expect(refused.output.contains("1 updated") && refused.output.contains("2 deletes refused"))
        #expect(refused.errors.contains("--allow-deletes 2"))
        #expect(try shop.value("SELECT count(*) FROM books") == .integer(4))
        let allowed = shop.sluice("run", shop.pipeline, "--allow-deletes", "2")
        #expect(allowed.code == 0)
        #expect(allowed.output.contains("- Book 3  title \"Three\"\n- Book 4  title \"Four\"\n"))
        #expect(try shop.value("SELECT count(*) FROM books") == .integer(2))
    }

    @Test func reportedDeletesAreListedAndStay() throws {
        let shop = try makeShop(deleteMissing: "{mode: report}")
        _ = shop.sluice("run", shop.pipeline)
        try shop.write(#"[{"id":1,"title":"One","price":"1.50"}]"#, to: "books.json")
        let run = shop.sluice("run", shop.pipeline)
        #expect(run.output.contains("\n3 gone from the source: only reported, the rows in books stay\n"))
        #expect(run.output.contains("\n- Book 3  title \"Three\"\n"))
        #expect(try shop.value("SELECT count(*) FROM books") == .integer(4))
    }

    @Test func validateListsProblemsAndNothingRunsWithThem() throws {
        let shop = try makeShop()
        #expect(shop.run(["validate", shop.pipeline]).output == "1 pipeline file is valid.\n")
        try shop.write("version: 1\nname: shop\nsourc: {}\n", to: "shop.yaml")
        let text = shop.run(["validate", shop.pipeline])
        #expect(text.code == 78)
        #expect(text.output.contains("\(shop.pipeline):3:1: error: "))
        #expect(text.output.contains("Did you mean `source`?"))
        let json = shop.run(["validate", shop.pipeline, "--format", "json"])
        #expect(json.code == 78)
        #expect(json.output.hasPrefix("{\"format\":\"sluice.validate/1\",\"problems\":[\n{\"code\":"))
        let run = shop.sluice("run", shop.pipeline, "--format", "json")
        #expect(run.code == 78)
        #expect(run.output.isEmpty)
        #expect(run.errors.contains("shop.yaml:3:1: error: "))
        #expect(!shop.files.contains("shop.db"))
    }

    @Test func twoPipelinesOfOneNameAreRefused() throws {
        let shop = try makeShop()
        try shop.write(try shop.read("shop.yaml"), to: "twin.yaml")
        let outcome = shop.run(["validate", shop.folder])
        #expect(outcome.code == 78)
        #expect(outcome.output.contains("Duplicate pipeline"))
    }

    @Test func anUnknownStreamIsToldWithTheKnownOnes() throws {
        let shop = try makeShop()
        let outcome = shop.sluice("run", shop.pipeline, "--stream", "boks")
        #expect(outcome.code == 64)
        #expect(outcome.errors.contains("Did you mean `books`? The streams are `books`."))
    }

    @Test(arguments: [["status"], ["conflicts", "list"], ["quarantine", "list"], ["quarantine", "show", "1"]])
    func aStoreThatIsMissingIsNotMade(_ command: [String]) throws {
        let shop = try makeShop()
        let outcome = shop.run(command + ["--store", "sqlite:\(shop.store)"])
        #expect(outcome.code == 1)
        #expect(outcome.errors.contains("does not exist"))
        #expect(!shop.files.contains("shop.db"))
    }

    @Test func aDatabaseThatIsNoStoreIsTold() throws {
        let shop = try makeShop()
        try Connection(path: shop.store, mode: .create).execute("CREATE TABLE x (y)")
        let outcome = shop.sluice("status")
        #expect(outcome.code == 1)
        #expect(outcome.errors.contains("is no store yet"))
    }

    @Test func aSourceThatIsMissingFailsAndIsReported() throws {
        let shop = try makeShop()
        FileSystem.remove("\(shop.folder)/books.json")
        let outcome = shop.sluice("run", shop.pipeline, "--format", "json")
        #expect(outcome.code == 1)
        #expect(outcome.output.contains("\"status\":\"failed\""))
        #expect(outcome.errors.contains(#/^[-0-9T:]+Z error: shop/books: /#), "\(outcome.errors)")
        #expect(!shop.files.contains("shop.db"))
    }

    @Test(arguments: [(2, 130), (15, 143)] as [(Int32, Int32)])
    func aSignalStopsAndIsReported(signal: Int32, code: Int32) throws {
        let shop = try makeShop()
        let cancellation = Cancellation()
        cancellation.cancel()
        let arguments = ["run", shop.pipeline, "--store", "sqlite:\(shop.store)", "--format", "json"]
        let outcome = shop.run(arguments, cancellation: cancellation, signal: signal)
        #expect(outcome.code == code)
        #expect(outcome.errors == "Stopped; the store is as before.\n")
        #expect(outcome.output.hasSuffix("\n]}\n"))
        #expect(!shop.files.contains("shop.db"))
    }

    /// What only reads a store ends when it is stopped, with nothing told, also where a file was asked for.
    @Test(arguments: [
        ["status"], ["edits"], ["history"], ["history", "1"], ["history", "1", "--format", "json"],
        ["history", "1", "--format", "csv", "--output", "FOLDER/run.csv"], ["store", "check"], ["inspect", "schema"],
        ["inspect", "record", "Book", "1"], ["conflicts", "list"], ["conflicts", "export", "--output", "FOLDER/c.csv"],
        ["quarantine", "list"], ["undo", "1", "--plan"],
    ])
    func readingEndsWithASignal(_ command: [String]) throws {
        let shop = try makeShop()
        #expect(shop.sluice("run", shop.pipeline, "-q").code == 0)
        let words = command.map { $0.replacing("FOLDER", with: shop.folder) } + ["--store", "sqlite:\(shop.store)"]
        #expect(shop.run(words).code == 0)
        for file in ["run.csv", "c.csv"] { FileSystem.remove("\(shop.folder)/\(file)") }
        for (signal, code) in [(2, 130), (15, 143)] as [(Int32, Int32)] {
            let cancellation = Cancellation()
            cancellation.cancel()
            let outcome = shop.run(words, cancellation: cancellation, signal: signal)
            #expect(outcome.code == code && outcome.errors.contains("Stopped"), "\(outcome)")
            #expect(!shop.files.contains("run.csv") && !shop.files.contains("c.csv"))
        }
    }

    @Test func theStoreIsTakenFromOptionPipelineAndEnvironment() throws {
        let shop = try makeShop()
        shop.environment["SLUICE_STORE"] = "sqlite:\(shop.folder)/environment.db"
        _ = shop.run(["run", shop.pipeline])
        #expect(shop.files.contains("environment.db"))
        try shop.write(try shop.read("shop.yaml") + "\nstore: sqlite:pipeline.db\n", to: "shop.yaml")
        let run = shop.run(["run", shop.pipeline])
        #expect(run.code == 0)
        #expect(shop.files.contains("pipeline.db"))
        _ = shop.sluice("run", shop.pipeline)
        #expect(shop.files.contains("shop.db"))
        shop.environment["SLUICE_STORE"] = "mysql://x"
        #expect(shop.run(["status"]).code == 64)
    }

    @Test func quietSaysNothingButProblems() throws {
        let shop = try makeShop()
        let done = shop.sluice("run", shop.pipeline, "--quiet")
        #expect(done.output.isEmpty && done.errors.isEmpty)
        try shop.write("[]", to: "books.json")
        let refused = shop.sluice("run", shop.pipeline, "-q")
        #expect(refused.code == 4)
        #expect(refused.output.isEmpty)
        #expect(refused.errors.contains("--allow-deletes 4"))
    }

    @Test func anOutputFileIsReplacedAtOnce() throws {
        let shop = try makeShop()
        try shop.write("old", to: "report.txt")
        let path = "\(shop.folder)/report.txt"
        let outcome = shop.sluice("plan", shop.pipeline, "--output", path)
        #expect(outcome.output.isEmpty)
        #expect(try shop.read("report.txt").hasPrefix("Plan for shop: 4 to insert\n"))
        #expect(shop.files.sorted() == ["books.json", "report.txt", "shop.yaml"])
        try shop.write("old", to: "report.txt")
        #expect(shop.sluice("plan", shop.pipeline, "--stream", "x", "-o", path).code == 64)
        #expect(try shop.read("report.txt") == "old")
    }

    @Test(arguments: [UInt32(0o600), 0o640, 0o444, 0o664])
    func anOutputFileKeepsItsPermissions(permissions: UInt32) throws {
        let shop = try makeShop()
        let path = "\(shop.folder)/report.txt"
        _ = try OutputStream(writing: path, permissions: permissions)
        #expect(shop.sluice("plan", shop.pipeline, "--output", path).code == 0)
        #expect(try shop.read("report.txt").hasPrefix("Plan for shop"))
        #expect(FileSystem.permissions(of: path) == permissions)
    }

    @Test func coloursFollowTheTerminalAndTheEnvironment() throws {
        let shop = try makeShop()
        let plan = ["plan", shop.pipeline, "--store", "sqlite:\(shop.store)"]
        func isColored(_ extra: [String] = [], terminal: Bool) -> Bool {
            shop.run(plan + extra, output: MemorySink(isTerminal: terminal)).output.contains("\u{1B}[")
        }
        #expect(isColored(terminal: true))
        #expect(!isColored(terminal: false))
        #expect(isColored(["--color", "always"], terminal: false))
        #expect(!isColored(["--color=never"], terminal: true))
        shop.environment["NO_COLOR"] = "1"
        #expect(!isColored(terminal: true))
        #expect(!isColored(["--format", "json", "--color", "always"], terminal: true))
    }

    @Test func onePipelineThatFailsDoesNotStopTheOthers() throws {
        let shop = try makeShop()
        try shop.write(
            try shop.read("shop.yaml").replacing("name: shop", with: "name: another")
                .replacing("books.json", with: "missing.json"), to: "another.yaml")
        let text = shop.sluice("run", shop.folder)
        #expect(text.code == 1)
        #expect(text.output.hasPrefix("Run of another: failed, the store is as before\nerror: "))
        #expect(text.output.contains("\n\nRun 1 of shop: 4 inserted"))
        let json = shop.sluice("run", shop.folder, "--format", "json")
        #expect(json.code == 1)
        #expect(isJSON(json.output))
        #expect(json.output.contains("\"pipeline\":\"another\"") && json.output.contains("\"pipeline\":\"shop\""))
    }

    @Test func everyCommandPrintsJSON() throws {
        let shop = try makeShop()
        try shop.write(
            #"[{"id":1,"title":"O\u001bne","price":"x"},{"id":2,"title":"Two"},{"title":3}]"#, to: "books.json")
        for command in [
            ["run", shop.pipeline], ["plan", shop.pipeline], ["plan", shop.pipeline, "--changes", "0"], ["status"],
            ["conflicts", "list"], ["quarantine", "list"], ["quarantine", "show", "2"],
        ] {
            let outcome = shop.run(command + ["--format", "json", "--store", "sqlite:\(shop.store)"])
            #expect(isJSON(outcome.output), "\(command)")
        }
        #expect(isJSON(shop.run(["validate", shop.pipeline, "--format", "json"]).output))
    }

    private func isJSON(_ text: String) -> Bool { (try? unsafe JSONParser().parse(Array(text.utf8))) != nil }

    @Test func problemsAreToldOnceWhereOnePlaceShowsAll() throws {
        let shop = try makeShop()
        _ = shop.sluice("run", shop.pipeline)
        try shop.write("[]", to: "books.json")
        let arguments = ["plan", shop.pipeline, "--store", "sqlite:\(shop.store)"]
        for (isShared, times) in [(true, 1), (false, 2)] {
            let sink = MemorySink()
            let context = CommandContext(output: sink, errors: sink, errorsShareOutput: isShared)
            #expect(Sluice.run(arguments: arguments, context: context) == 4)
            #expect(sink.text.ranges(of: "allow it once with `--allow-deletes 4`").count == times)
        }
    }

    @Test func anOutputThatTakesNothingIsAnError() throws {
        let shop = try makeShop()
        let outcome = shop.sluice("plan", shop.pipeline, "--output", "/dev/full")
        #expect(outcome.code == 1)
        #expect(outcome.errors.hasPrefix("error: The program cannot write to `/dev/full`"))
        let folder = shop.sluice("plan", shop.pipeline, "--output", shop.folder)
        #expect(folder.code == 1)
        #expect(folder.errors.contains("is a folder"))
    }

    @Test func theStatusOfARunThatOnlyFoundAConflictTellsOfNothingElse() throws {
        let shop = try Workshop()
        try shop.writePipeline()
        try shop.write(#"[{"id": 1, "title": "Dune"}]"#, to: "books.json")
        #expect(shop.sluice("run", shop.pipeline, "-q").code == 0)
        try shop.sql("UPDATE books SET title = 'Mine'")
        try shop.write(#"[{"id": 1, "title": "Dune II"}]"#, to: "books.json")
        #expect(shop.sluice("run", shop.pipeline, "-q").code == 0)
        let lines = shop.sluice("status").output.split(separator: "\n").map { $0.drop { $0 == " " } }
        let told = lines.dropFirst().filter { !$0.hasPrefix("took ") }
        #expect(told == ["1 in conflict", "1 conflict open", "changed here: 1 value edited in 1 row"], "\(lines)")
    }

    @Test func keysThatNoFieldTakesAreNotedInTheReportAlone() throws {
        let shop = try Workshop()
        try shop.writePipeline()
        try shop.write(#"[{"id": 1, "title": "Dune"}]"#, to: "books.json")
        #expect(shop.sluice("run", shop.pipeline, "-q").code == 0)
        try shop.write(#"[{"id": 1, "title": "Dune", "isbn": "0441013597"}]"#, to: "books.json")
        let note =
            "note: 1 key is not mapped: `isbn`. Add a field for it, or give the stream `books` `schema_contract:"
        let plan = shop.sluice("plan", shop.pipeline)
        #expect(plan.code == 0)
        #expect(plan.output.contains("\(note) {fields: ignore}`.\n"), "\(plan.output)")
        #expect(
            shop.sluice("plan", shop.pipeline, "-q", "--log-level", "info").errors
                .contains("Z info: shop/books: 1 key is not mapped"))
        let run = shop.sluice("run", shop.pipeline, "--format", "json")
        #expect(run.code == 0)
        #expect(run.errors == "")
        #expect(run.output.contains(#""unmapped_keys":1,"unmapped":["isbn"],"#), "\(run.output)")
        #expect(
            run.output.contains(
                #"{"code":"unmapped_keys","severity":"note","message":"1 key is not mapped: `isbn`. Add"#
            ))
        // It is nothing that asks for attention.
        #expect(shop.sluice("run", shop.pipeline, "--strict").code == 0)
        #expect(shop.sluice("plan", shop.pipeline, "--detailed-exitcode").code == 0)
        try shop.write(
            try shop.read("shop.yaml").replacing(
                "path: books.json", with: "path: books.json, schema_contract: {fields: freeze}"),
            to: "shop.yaml")
        for command in ["plan", "run"] {
            let frozen = shop.sluice(command, shop.pipeline)
            #expect(frozen.code == 1)
            #expect(
                frozen.errors.contains("books.json of the stream `books`, record 1 in line 1, /isbn: The key, with"))
        }
        #expect(try shop.value("SELECT count(*) FROM books") == SQLiteValue(1))
    }

    @Test func aNamedPipeInPlaceOfAPipelineIsRefused() throws {
        let shop = try Workshop()
        try #require(unsafe mkfifo(shop.pipeline, 0o600) == 0)
        for command in ["validate", "plan", "run"] {
            let result = shop.run([command, shop.pipeline])
            #expect(result.code == 78)
            #expect(result.errors.contains("The file is a named pipe.") || result.output.contains("is a named pipe."))
        }
    }
}
