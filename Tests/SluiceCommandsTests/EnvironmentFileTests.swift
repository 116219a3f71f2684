import SluiceCommands
import SluiceSystem
import Testing

/// `--env-file` gives values to `${env:NAME}`; no message tells any of them.
@Suite struct EnvironmentFileTests {
    /// A text, and what it says.
    struct Case: CustomTestStringConvertible {
        let name: String
        let text: String
        var variables: [String: String] = [:]
        /// The line that cannot be read, nil where all can.
        var line: Int?
        /// A piece of what is said of it.
        var message = ""
        var testDescription: String { name }
    }

    @Test(arguments: [
        Case(name: "nothing", text: ""),
        Case(name: "comments and empty lines", text: "# A=1\n\n  \t# B=2\n"),
        Case(name: "lines", text: "A=1\nB=two\n", variables: ["A": "1", "B": "two"]),
        Case(name: "no line break at the end", text: "A=1", variables: ["A": "1"]),
        Case(name: "line breaks of Windows", text: "A=1\r\nB='2'\r\n\r\n", variables: ["A": "1", "B": "2"]),
        Case(name: "a byte order mark", text: "\u{FEFF}A=1\n", variables: ["A": "1"]),
        Case(name: "export", text: "export A=1\n\texport\tB=2\n", variables: ["A": "1", "B": "2"]),
        Case(
            name: "a name that begins as export", text: "exported=1\nexport=2",
            variables: ["exported": "1", "export": "2"]),
        Case(
            name: "an empty value", text: "A=\nB=''\nC=\"\"\nD= # none",
            variables: ["A": "", "B": "", "C": "", "D": ""]),
        Case(name: "blanks around a value", text: "A=  one two \t\n", variables: ["A": "one two"]),
        Case(
            name: "comments behind a value", text: "A=1 # one\nB=a#b\nC='c' # see\nD=\"d\"\t#\nE='#'",
            variables: ["A": "1", "B": "a#b", "C": "c", "D": "d", "E": "#"]),
        Case(name: "further equals signs", text: "A=b=c==\n", variables: ["A": "b=c=="]),
        Case(
            name: "single quotes are literal", text: #"A='a "b" \n $C ${D} \' "#,
            variables: ["A": #"a "b" \n $C ${D} \"#]),
        Case(
            name: "double quotes have escapes", text: #"A="a\nb \"c\" \\n \$d 'e' $F""#,
            variables: ["A": "a\nb \"c\" \\n $d 'e' $F"]),
        Case(
            name: "nothing is filled in", text: "A=1\nB=$A\nC=\"${A}\"\nD=`id`",
            variables: ["A": "1", "B": "$A", "C": "${A}", "D": "`id`"]),
        Case(name: "quotes within a bare value", text: "A=it's\nB=5\" x", variables: ["A": "it's", "B": "5\" x"]),
        Case(name: "a backslash in a bare value", text: #"A=C:\new"#, variables: ["A": #"C:\new"#]),
        Case(name: "the last value counts", text: "A=1\nA=2\n", variables: ["A": "2"]),
        Case(name: "other letters", text: "A=Žofie 🎈\n", variables: ["A": "Žofie 🎈"]),
        Case(name: "names with digits", text: "_a1=x\n1A=y\n", variables: ["_a1": "x", "1A": "y"]),
        Case(name: "no equals sign", text: "A=1\nhidden\n", line: 2, message: "It has no `=`"),
        Case(name: "export alone", text: "export hidden", line: 1, message: "It has no `=`"),
        Case(name: "no name", text: "\n\n=hidden", line: 3, message: "is no name"),
        Case(name: "a blank before the equals sign", text: "A =hidden", line: 1, message: "no blanks"),
        Case(name: "a name with another character", text: "hidden-a=1", line: 1, message: "is no name"),
        Case(
            name: "an open single quote", text: "A=1\nB='hidden\nC=1'", line: 2, message: "single quote is not closed"),
        Case(name: "an open double quote", text: "A=\"hidden\\\"", line: 1, message: "double quote is not closed"),
        Case(name: "an escape at the end", text: "A=\"hidden\\", line: 1, message: "In double quotes"),
        Case(name: "another escape", text: #"A="hidden\t""#, line: 1, message: "Single quotes"),
        Case(name: "text behind quotes", text: "A='x'hidden", line: 1, message: "behind the closing quote"),
        Case(name: "a zero character", text: "A=hid\0den", line: 1, message: "not UTF-8"),
    ])
    func aFileIsRead(_ expected: Case) throws {
        do {
            let file = try EnvironmentFile(parsing: Array(expected.text.utf8))
            #expect(file.variables == expected.variables && expected.line == nil)
        } catch {
            #expect(error.line == expected.line && error.message.contains(expected.message), "\(error)")
            #expect(!error.message.contains("hidden") && !error.message.contains("hid\0"))
        }
    }

    @Test func bytesThatAreNoTextAreAProblemOfTheirLine() {
        let error = #expect(throws: EnvironmentFile.Problem.self) {
            try EnvironmentFile(parsing: Array("A=1\nB=".utf8) + [0xFF, 0x0A])
        }
        #expect(error?.line == 2 && error?.message == "It is not UTF-8 text.")
    }

    // MARK: On the command line

    private func shop() throws -> Workshop {
        let shop = try Workshop()
        try shop.writePipeline()
        let text = try shop.read("shop.yaml").replacing("\"file:.\"", with: "\"${env:BASE}\"")
        try shop.write(text, to: "shop.yaml")
        try shop.write(#"[{"id":1,"title":"One"}]"#, to: "books.json")
        return shop
    }

    /// Every command that reads pipeline files takes it.
    @Test func commandsThatReadPipelinesTakeIt() {
        for command in CommandSpec.all where command.optionSpecs.contains(where: { $0.name == "--var" }) {
            let own = command.optionSpecs.filter { $0.name == "--env-file" }
            #expect(own.map(\.id) == [.environmentFile], "\(command.name)")
        }
    }

    @Test(arguments: [["validate", "--strict"], ["plan"], ["run"], ["doctor"], ["inspect", "drift"]])
    func itGivesWhatThePipelineNames(command: [String]) throws {
        let shop = try shop()
        try shop.write("# where the books are\nexport BASE='file:.'\n", to: "shop.env")
        #expect(shop.sluice(command + [shop.pipeline]).code != 0)
        let outcome = shop.sluice(command + [shop.pipeline, "--env-file", "\(shop.folder)/shop.env"])
        #expect(outcome.code == 0, "\(outcome.output)\(outcome.errors)")
    }

    /// Who wins: the environment, then the last file.
    @Test func theEnvironmentCountsMoreThanFilesAndLaterOnesMoreThanEarlierOnes() throws {
        let shop = try shop()
        try shop.write("BASE=file:nowhere\n", to: "a.env")
        try shop.write("BASE=file:.\n", to: "b.env")
        func code(_ files: String...) -> Int32 {
            shop.sluice(["plan", shop.pipeline] + files.flatMap { ["--env-file", "\(shop.folder)/\($0)"] }).code
        }
        #expect(code("a.env") == 1)
        #expect(code("a.env", "b.env") == 0)
        #expect(code("b.env", "a.env") == 1)
        shop.environment["BASE"] = "file:."
        #expect(code("a.env") == 0)
    }

    @Test func itNamesTheStoreToo() throws {
        let shop = try shop()
        try shop.write("BASE=file:.\nSLUICE_STORE=sqlite:\(shop.folder)/other.db\n", to: "shop.env")
        let outcome = shop.run(["run", shop.pipeline, "-q", "--env-file", "\(shop.folder)/shop.env"])
        #expect(outcome.code == 0 && shop.files.contains("other.db"), "\(outcome.errors)")
    }

    @Test func commandLinesThatReportsNameHaveIt() throws {
        let shop = try shop()
        try shop.write("BASE=file:.\n", to: "the shop.env")
        try shop.write(#"[{"id":1,"title":"One"},{"id":2,"title":"2"},{"id":3,"title":"3"}]"#, to: "books.json")
        _ = shop.sluice("run", shop.pipeline, "-q", "--env-file", "\(shop.folder)/the shop.env")
        try shop.write(#"[{"id":1,"title":"One"}]"#, to: "books.json")
        let outcome = shop.sluice("run", shop.pipeline, "--env-file", "\(shop.folder)/the shop.env")
        #expect(outcome.code == 4)
        #expect(
            outcome.output.contains("--env-file '\(shop.folder)/the shop.env' --allow-deletes 2"), "\(outcome.output)")
    }

    /// A file that cannot be read, and what is said of it.
    struct Broken: CustomTestStringConvertible {
        let name: String
        var text: String?
        let message: String
        var testDescription: String { name }
    }

    @Test(arguments: [
        Broken(name: "missing", message: "the file `FILE` does not exist. Check how the path is written."),
        Broken(name: "a folder", text: "/", message: "the file `FILE` is a folder. Name a file in it."),
        Broken(
            name: "a wrong line", text: "A=1\nhunter2 hidden\n",
            message: "line 2 of `FILE` cannot be read. It has no `=`: a line is `NAME=value`."),
    ])
    func whatCannotBeReadIsAnErrorWithoutTheValue(_ broken: Broken) throws {
        let shop = try shop()
        let path = broken.text == "/" ? shop.folder : "\(shop.folder)/shop.env"
        if let text = broken.text, text != "/" { try shop.write(text, to: "shop.env") }
        let outcome = shop.sluice("run", shop.pipeline, "--env-file", path)
        #expect(outcome.code == 1 && outcome.output == "")
        #expect(
            outcome.errors.contains("`--env-file`: \(broken.message.replacing("FILE", with: path))"),
            "\(outcome.errors)")
        #expect(!outcome.errors.contains("hidden") && !shop.files.contains("shop.db"))
    }

    /// What libpq would read of the process is not in the process where a file has it: a store is refused that would lack it.
    @Test(arguments: [
        ("run", "PGHOST=127.0.0.1\nPGPASSWORD=hidden\n", "postgres:///shop", ["`PGHOST`, `PGPASSWORD`"]),
        ("status", "PGPORT=1\n", "postgres://me@127.0.0.1/shop", ["`PGPORT`", "would not get it."]),
        ("plan", "PGUSER=me\n", "postgres://me@127.0.0.1:1/shop", []),
        ("status", "PGAPPNAME=me\n", "postgres://me@127.0.0.1:1/shop", []),
        ("run", "PGHOST=127.0.0.1\n", "sqlite:FOLDER/shop.db", []),
    ])
    func variablesOfLibpqAreNotLostInSilence(
        _ command: String, _ file: String, _ store: String, _ parts: [String]
    ) throws {
        let shop = try Workshop()
        try shop.writePipeline()
        try shop.write("[]", to: "books.json")
        try shop.write(file, to: "shop.env")
        let words = [
            command, shop.pipeline, "--env-file", "\(shop.folder)/shop.env", "--store",
            store.replacing("FOLDER", with: shop.folder),
        ]
        let outcome = shop.run(words)
        let isRefused = outcome.errors.contains("libpq reads from the environment of the process alone")
        #expect(isRefused == !parts.isEmpty, "\(outcome.errors)")
        if isRefused { #expect(outcome.code == 1) }
        for part in parts { #expect(outcome.errors.contains(part), "\(outcome.errors)") }
        #expect(!outcome.errors.contains("hidden"))
        guard !parts.isEmpty else { return }
        // What the process has itself is used.
        shop.environment = ["PGHOST": "127.0.0.1", "PGPORT": "1", "PGPASSWORD": "x"]
        #expect(!shop.run(words).errors.contains("of the process alone"))
    }
}
