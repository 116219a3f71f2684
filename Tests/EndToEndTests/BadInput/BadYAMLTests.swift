import Foundation
import TestSupport
import Testing

/// Pipeline files that are wrong: each says where and why, and nothing is done with them.
@Suite struct BadYAMLTests {
    /// One file, and what is said of it.
    struct Row: Sendable, CustomTestStringConvertible {
        let name: String
        let bytes: [UInt8]
        let words: [String]
        var testDescription: String { name }

        init(_ name: String, _ text: String, _ words: String...) {
            self.init(name, bytes: Array(text.utf8), words)
        }

        init(_ name: String, bytes: [UInt8], _ words: [String]) {
            self.name = name
            self.bytes = bytes
            self.words = words
        }
    }

    /// What is right after the part that is not.
    private static let rest = """
        name: books
        store: sqlite:shop.db
        source: {base_url: "file:."}
        entities:
          Book: {table: books, primary_key: [id], fields: {id: int, title: string}}
        streams: [{name: books, entity: Book, path: books.json}]

        """
    private static let begin = "version: 1\n"
    private static let whole = begin + rest

    private static var aliasBomb: String {
        let levels = zip("bcdefghij", "abcdefghi").map { name, inner in
            "  \(name): &\(name) [\(Array(repeating: "*\(inner)", count: 9).joined(separator: ", "))]\n"
        }
        return begin + "vars:\n  a: &a [x]\n" + levels.joined() + rest
    }

    static let rows: [Row] = [
        Row("a tab", begin + "entities:\n\tBook: {}\n", "books.yaml:3:1: error:", "blanks, not with tabs"),
        Row("a bad alias", begin + "defaults: *nobody\n" + rest, "books.yaml:2:11: error:", "`&nobody`", "in quotes"),
        Row(
            "an alias within itself", begin + "vars: &a {x: *a}\n" + rest, "books.yaml:2:14:", "`*a`", "Write the value"
        ),
        Row(
            "an anchor without a name", begin + "vars: {x: & 1}\n" + rest, "books.yaml:2:", "anchor", "letters, digits"),
        Row("an alias bomb", aliasBomb, "books.yaml:8:", "100000 values", "fewer aliases"),
        Row(
            "nested far too deep", begin + "vars: " + String(repeating: "[", count: 20_000), "books.yaml:2:70:",
            "64 deep",
            "Write it flatter"),
        Row(
            "a list that stays open", begin + "include: [a\n" + rest, "books.yaml:3:5:", "line 2, column 10", "with `]`"
        ),
        Row("a mapping that stays open", begin + "vars: {a: b\n" + rest, "books.yaml:3:5:", "with `}`"),
        Row("a quote that stays open", whole + "description: \"x", "books.yaml:8:14:", "Close the text with the quote"),
        Row("a key without a colon", begin + "nonsense\n" + rest, "books.yaml:3:1:", "a colon and a blank"),
        Row("an indentation that fits nowhere", begin + "  name: books\n", "books.yaml:2:7:", "Indent the keys"),
        Row("an unknown escape", whole + "description: \"\\q\"", "books.yaml:8:", "a backslash is written"),
        Row("a tag", whole + "description: !!binary aGk=", "books.yaml:8:14:", "tag:yaml.org,2002:binary", "in quotes"),
        Row("a key that is a list", whole + "? [a]\n: b\n", "books.yaml:8:3:", "A key is a single word", "plain YAML"),
        Row(
            "a duplicate key", begin + "name: a\n" + rest, "books.yaml:3:1:", "`name`", "line 2, column 1", "Leave one"),
        Row("a second document", whole + "---\n" + begin, "books.yaml:8:1:", "one document", "a file of its own"),
        Row(
            "bytes that are no UTF-8",
            bytes: Array(begin.utf8) + Array("vars: {a: \"".utf8) + [0xFF] + Array("\"}\n".utf8),
            ["books.yaml:2:12: error:", "not valid UTF-8", "Save the file as UTF-8"]),
        Row("UTF-16", bytes: [0xFF, 0xFE, 0x76, 0], ["books.yaml:1:1: error:", "Save the file as UTF-8"]),
        Row("a control character", whole + "description: \"a\u{1}\"", "books.yaml:8:16:", "Control char", "an escape"),
        Row("a zero", whole + "description: a\u{0}b", "books.yaml:8:15:", "Control char", "Remove the character"),
        Row("nothing", "", "books.yaml:1:1: error:", "holds no pipeline", "`version: 1`"),
        Row("a comment alone", "# soon\n", "books.yaml:1:1: error:", "holds no pipeline", "`version: 1`"),
        Row("a text", "books", "books.yaml:1:1: error:", "must be a mapping", "the text `books`", "`version: 1`"),
        Row("a list", "- books\n", "books.yaml:1:1: error:", "must be a mapping", "a list", "`version: 1`"),
        Row("another version", "version: 2\n" + rest, "books.yaml:1:10:", "`version` must be 1", "`2`"),
        Row("a word for a number", "version: one\n" + rest, "books.yaml:1:10:", "`version`", "`one`", "`version: 1`"),
        Row(
            "a list for a mapping", begin + "vars: [a]\n" + rest, "books.yaml:2:7:", "`vars`", "a list", "vars: {owner"),
        Row(
            "a mapping for a text", begin + "description: {a: b}\n" + rest, "books.yaml:2:14:", "`description`", "text"),
        Row(
            "a number for a text", begin + "description: 5\n" + rest, "books.yaml:2:14:", "`description`",
            "in quotes: `\"5\"`"),
        Row("an unknown key", begin + "strems: []\n" + rest, "books.yaml:2:1:", "`strems`", "Did you mean `streams`?"),
        Row(
            "an unknown key that replaces a required one", whole.replacing("streams:", with: "strems:"),
            "books.yaml:7:1:", "`strems`", "Did you mean `streams`?"),
        Row(
            "an unknown key of a source",
            whole.replacing("{base_url: \"file:.\"}", with: "{base_url: \"file:.\", tmeout: 5}"),
            "books.yaml:4:30:", "`tmeout`", "Did you mean `timeout`?"),
        Row(
            "an unknown type", whole.replacing("title: string", with: "title: strng"), "books.yaml:6:68:", "strng",
            "Did you mean `string`?"),
        Row(
            "a missing key", begin + rest.replacing("name: books\n", with: ""), "books.yaml:1:1:", "`name`",
            "name: github-issues"),
        Row(
            "an unknown entity", whole.replacing("entity: Book", with: "entity: Bok"), "books.yaml:7:33:", "`Bok`",
            "Did you mean `Book`?"),
        Row(
            "a field of the key that is not there", whole.replacing("primary_key: [id]", with: "primary_key: [ID]"),
            "books.yaml:6:", "`ID`", "Did you mean `id`?"),
        Row(
            "an unknown variable", begin + "vars: {owner: a}\ndescription: \"${var:ownr}\"\n" + rest,
            "books.yaml:3:14:", "`ownr`", "Did you mean `owner`?"),
        Row(
            "an unknown reference", begin + "description: \"${en:HOME}\"\n" + rest, "books.yaml:2:15:", "`${en:HOME}`",
            "`$${`"),
        Row("an open reference", begin + "description: \"${env:\"\n" + rest, "books.yaml:2:15:", "not closed", "`$${`"),
        Row(
            "an include that is missing", begin + "include: [common.yaml]\n" + rest, "books.yaml:2:11:",
            "`common.yaml`", "does not exist", "relative to the file"),
        Row(
            "an include of itself", begin + "include: [books.yaml]\n" + rest, "books.yaml:2:11:",
            "books.yaml → books.yaml", "third file"),
        Row(
            "an include of a circle", begin + "include: [a.yaml]\n" + rest, "b.yaml:1:11:", "a.yaml → b.yaml → a.yaml",
            "third file", "books.yaml:2:11"),
        Row(
            "an include of a folder", begin + "include: [.]\n" + rest, "books.yaml:2:11:", "is a folder",
            "Name a file in it"),
        Row(
            "an include that is no YAML", begin + "include: [bad.yaml]\n" + rest, "bad.yaml:1:1:",
            "blanks, not with tabs", "books.yaml:2:11"),
        Row(
            "a base URL without a scheme", whole.replacing("file:.", with: "books"), "books.yaml:4:20:",
            "`source.base_url`", "`file:data`"),
        Row(
            "a base URL with half an escape", whole.replacing("file:.", with: "file:100%"), "books.yaml:4:20:", "`%20`",
            "`%25`"),
        Row(
            "a store of another kind", whole.replacing("sqlite:shop.db", with: "mysql://x"), "books.yaml:3:8:",
            "`store`", "`sqlite:shop.db`"),
        Row(
            "a program that cannot run",
            whole.replacing("path: books.json", with: "path: books.json, filter: '.a ==='"), "books.yaml:7:", "jq"),
    ]

    @Test(arguments: rows)
    func aWrongFileSaysWhereAndWhy(row: Row) throws {
        let scene = try Scene(records: 2)
        #expect(try Program.run("run", "books.yaml", in: scene.path).code == 0)
        try scene.write("a.yaml", "include: [b.yaml]\n")
        try scene.write("b.yaml", "include: [a.yaml]\n")
        try scene.write("bad.yaml", "\tx: y\n")
        try scene.write("books.yaml", bytes: row.bytes)
        let before = try StoreDump(scene.store)
        for command in ["run", "plan"] {
            expectOneError(try Program.run(command, "books.yaml", in: scene.path), code: 78, row.words)
        }
        let checked = try Program.run("validate", "books.yaml", in: scene.path)
        #expect(checked.code == 78)
        for word in row.words + ["1 error in 1 pipeline file."] {
            #expect(checked.output.contains(word), "\(checked.output)")
        }
        #expect(try StoreDump(scene.store).differences(from: before) == [])
    }

    @Test func aVariableThatIsNotSetIsAWarningAndFailsTheRun() throws {
        let scene = try Scene(records: 2)
        #expect(try Program.run("run", "books.yaml", in: scene.path).code == 0)
        let before = try StoreDump(scene.store)
        try scene.write(
            "books.yaml",
            Self.whole.replacing(
                "{base_url: \"file:.\"}", with: "{base_url: \"file:.\", headers: {X: \"${env:NOT_SET_HERE}\"}}"))
        let words = ["books.yaml:4:43:", "`NOT_SET_HERE` is not set", "${env:NOT_SET_HERE:-default}"]
        let checked = try Program.run("validate", "books.yaml", in: scene.path)
        #expect(checked.code == 0)
        for word in words + [": warning: ", "1 pipeline file is valid, with 1 warning."] {
            #expect(checked.output.contains(word), "\(checked.output)")
        }
        #expect(try Program.run("validate", "books.yaml", "--strict", in: scene.path).code == 78)
        expectOneError(try Program.run("run", "books.yaml", in: scene.path), code: 78, words)
        #expect(try StoreDump(scene.store).differences(from: before) == [])
    }

    /// Paths that lead to no file that could be read.
    @Test(arguments: [
        ("gone.yaml", ["gone.yaml: error:", "does not exist", "Name a pipeline file"]),
        ("empty", ["empty: error:", "no `*.yaml`", "Put a pipeline file into it"]),
        ("books.yaml/x", ["books.yaml/x: error:", "does not exist"]),
        ("loop.yaml", ["loop.yaml: error:", "symbolic links", "ls -lL"]),
    ])
    func aPathWithoutAFileSaysSo(path: String, words: [String]) throws {
        let scene = try Scene(records: 1)
        try FileManager.default.createDirectory(atPath: scene.folder.file("empty"), withIntermediateDirectories: false)
        try FileManager.default.createSymbolicLink(
            atPath: scene.folder.file("loop.yaml"), withDestinationPath: "loop.yaml")
        expectOneError(try Program.run("run", path, in: scene.path), code: 78, words)
        let checked = try Program.run("validate", path, in: scene.path)
        #expect(checked.code == 78)
        #expect(checked.output.hasSuffix("\n1 error.\n"), "\(checked.output)")
    }

    @Test(.enabled(if: Privileges.canBeDropped, "permissions do not bind this user"))
    func aFileThatMayNotBeReadSaysSo() throws {
        let scene = try Scene(records: 1)
        try scene.permit(0, "books.yaml")
        let words = ["books.yaml: error:", "may not be read by this user", "ls -l"]
        expectOneError(try Privileges.run("run", "books.yaml", in: scene.path), code: 78, words)
        try scene.permit(0o644, "books.yaml")
        try scene.write("common.yaml", "entities: {}\n")
        try scene.permit(0, "common.yaml")
        try scene.write("books.yaml", Self.begin + "include: [common.yaml]\n" + Self.rest)
        expectOneError(
            try Privileges.run("run", "books.yaml", in: scene.path), code: 78,
            ["books.yaml:2:11: error:", "`common.yaml` may not be read", "ls -l"])
    }
}
