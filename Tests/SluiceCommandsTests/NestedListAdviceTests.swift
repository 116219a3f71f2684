import Testing

/// What an import says of lists of objects, which it keeps as JSON: a pipeline can make rows of them.
@Suite struct NestedListAdviceTests {
    struct Case: CustomTestStringConvertible {
        let name: String
        let source: String
        /// What a pipeline has to say; nil where there is nothing to say.
        let children: String?
        var testDescription: String { name }
    }

    struct Shared: CustomTestStringConvertible {
        let testDescription: String
        let source: String
        let isShared: Bool
    }

    private static let shared = [
        Shared(
            testDescription: "tags that several records have",
            source:
                #"[{"id":1,"tags":[{"id":1,"name":"gold"},{"id":2,"name":"uk"}]},{"id":2,"tags":[{"id":1,"name":"gold"}]}]"#,
            isShared: true),
        Shared(
            testDescription: "one key and other values",
            source: #"[{"id":1,"tags":[{"id":1,"name":"gold"}]},{"id":2,"tags":[{"id":1,"name":"blue"}]}]"#,
            isShared: false),
        Shared(
            testDescription: "a key for each element",
            source: #"[{"id":1,"tags":[{"id":1,"name":"gold"}]},{"id":2,"tags":[{"id":2,"name":"gold"}]}]"#,
            isShared: false),
        Shared(
            testDescription: "positions",
            source: #"[{"id":1,"tags":[{"line":1,"name":"gold"}]},{"id":2,"tags":[{"line":1,"name":"gold"}]}]"#,
            isShared: false),
    ]

    /// What several records have is a record of its own: as a child, each would have a copy of it.
    @Test(arguments: shared) func whatRecordsShareIsReferredTo(_ story: Shared) throws {
        let shop = try Workshop()
        try shop.write(story.source, to: "orders.json")
        let outcome = shop.sluice(
            "import", "\(shop.folder)/orders.json", "--key", "id", "--plan", "--write-pipeline", shop.pipeline)
        let pipeline = try shop.read("shop.yaml")
        let references = #"tags: {refs: Tags, from: "$.tags[*]"}"#
        #expect(outcome.output.contains("with the field `\(references)`") == story.isShared, "\(outcome.output)")
        #expect(outcome.output.contains("if records share them, with `refs`") != story.isShared, "\(outcome.output)")
        #expect(
            pipeline.contains("# lists of objects that records share; as rows of their own: `\(references)`")
                == story.isShared, "\(pipeline)")
    }

    private static let cases = [
        Case(
            name: "a number within its record",
            source:
                #"[{"id":1,"lines":[{"line_no":1,"qty":2},{"line_no":2,"qty":2}]},{"id":2,"lines":[{"line_no":1,"qty":1}]}]"#,
            children: #"children: {lines: {entity: Lines, from: "$.lines[*]", key: [line_no]}}"#),
        Case(
            name: "an identifier goes before the key of something else",
            source: #"[{"id":1,"lines":[{"product_id":7,"id":1},{"product_id":8,"id":2}]}]"#,
            children: #"children: {lines: {entity: Lines, from: "$.lines[*]", key: [id]}}"#),
        Case(
            name: "what repeats within a list is no key",
            source: #"[{"id":1,"lines":[{"code":"A"},{"code":"A"}]},{"id":2,"lines":[{"code":"B"}]}]"#,
            children: #"children: {lines: {entity: Lines, from: "$.lines[*]", ordered: true}}"#),
        Case(
            name: "within an object",
            source: #"[{"id":1,"data":{"lines":[{"no":1},{"no":2}],"total":3}}]"#,
            children: #"children: {data_lines: {entity: DataLines, from: "$.data.lines[*]", key: [no]}}"#),
        Case(name: "a list of texts", source: #"[{"id":1,"tags":["a","b"]}]"#, children: nil),
        Case(name: "a list of objects and texts", source: #"[{"id":1,"tags":["a",{"id":1}]}]"#, children: nil),
        Case(name: "empty lists", source: #"[{"id":1,"tags":[]}]"#, children: nil),
    ]

    @Test func recordsWithinOthersAreNotTakenForRecordsOfTheirOwn() throws {
        let shop = try Workshop()
        try shop.write(#"[{"id":1,"lines":[{"no":1}]},{"id":2,"lines":[{"no":2}]}]"#, to: "orders.json")
        func found(_ path: String) -> String {
            let outcome = shop.sluice("import", "\(shop.folder)/orders.json", "--records", path, "--plan")
            return outcome.output + outcome.errors
        }
        let words = "these records stand within others and are unique only together with their keys"
        #expect(found("$[*].lines[*]").contains(words), "\(found("$[*].lines[*]"))")
        #expect(!found("$[*]").contains(words))
    }

    @Test(arguments: cases) func anImportSaysIt(_ story: Case) throws {
        let shop = try Workshop()
        try shop.write(story.source, to: "orders.json")
        let outcome = shop.sluice(
            "import", "\(shop.folder)/orders.json", "--key", "id", "--plan", "--write-pipeline", shop.pipeline)
        #expect(outcome.code == 0, "\(outcome.errors)")
        let pipeline = try shop.read("shop.yaml")
        guard let children = story.children else {
            #expect(!outcome.output.contains("lists of objects") && !pipeline.contains("children"), "\(outcome.output)")
            return
        }
        #expect(outcome.output.contains("A pipeline makes rows of them with `\(children)`"), "\(outcome.output)")
        #expect(pipeline.contains("  # lists of objects; as rows of their own: `\(children)`\n"), "\(pipeline)")
    }
}
