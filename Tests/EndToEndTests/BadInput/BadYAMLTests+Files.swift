/// Pipeline files that are wrong.
extension BadYAMLTests {
    /// What is right after the part that is not.
    static let rest = """
        name: books
        store: sqlite:shop.db
        source: {base_url: "file:."}
        entities:
          Book: {table: books, primary_key: [id], fields: {id: int, title: string}}
        streams: [{name: books, entity: Book, path: books.json}]

        """
    static let begin = "version: 1\n"
    static let whole = begin + rest

    private static var aliasBomb: String {
        let levels = zip("bcdefghij", "abcdefghi").map { name, inner in
            "  \(name): &\(name) [\(Array(repeating: "*\(inner)", count: 9).joined(separator: ", "))]\n"
        }
        return begin + "vars:\n  a: &a [x]\n" + levels.joined() + rest
    }

    static let rows: [Row] = [
        Row("a tab", begin + "entities:\n\tBook: {}\n", "books.yaml:3:1: error:", "spaces, not with tabs"),
        Row("a bad alias", begin + "defaults: *nobody\n" + rest, "books.yaml:2:11: error:", "`&nobody`", "in quotes"),
        Row(
            "an alias within itself", begin + "vars: &a {x: *a}\n" + rest, "books.yaml:2:14:", "`*a`", "Write the value"
        ),
        Row(
            "an anchor without a name", begin + "vars: {x: & 1}\n" + rest, "books.yaml:2:", "anchor", "letters, digits"),
        Row("an alias bomb", aliasBomb, "books.yaml:8:", "100000 values", "fewer aliases"),
        Row(
            "nested far too deep", begin + "vars: " + String(repeating: "[", count: 20_000), "books.yaml:2:70:",
            "64 levels deep", "Write it flatter"),
        Row(
            "a list that stays open", begin + "include: [a\n" + rest, "books.yaml:3:5:", "line 2, column 10", "with `]`"
        ),
        Row("a mapping that stays open", begin + "vars: {a: b\n" + rest, "books.yaml:3:5:", "with `}`"),
        Row("a quote that stays open", whole + "description: \"x", "books.yaml:8:14:", "Close the text with the quote"),
        Row("a key without a colon", begin + "nonsense\n" + rest, "books.yaml:3:1:", "a colon and a space"),
        Row("an indentation that fits nowhere", begin + "  name: books\n", "books.yaml:2:7:", "Indent the keys"),
        Row("an unknown escape", whole + "description: \"\\q\"", "books.yaml:8:", "a backslash is written"),
        Row("a tag", whole + "description: !!binary aGk=", "books.yaml:8:14:", "tag:yaml.org,2002:binary", "in quotes"),
        Row("a key that is a list", whole + "? [a]\n: b\n", "books.yaml:8:3:", "A key must be a text", "plain YAML"),
        Row(
            "a duplicate key", begin + "name: a\n" + rest, "books.yaml:3:1:", "`name`", "line 2, column 1", "Leave one"),
        Row("a second document", whole + "---\n" + begin, "books.yaml:8:1:", "holds only one", "another file"),
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
            "a key that people know from elsewhere", begin + "hooks: {on_success: [a]}\n" + rest, "books.yaml:2:1:",
            "`hooks`", "Did you mean `notify`?", "`notify` runs a command or calls a webhook"),
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
            "spaces, not with tabs", "books.yaml:2:11"),
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
}
