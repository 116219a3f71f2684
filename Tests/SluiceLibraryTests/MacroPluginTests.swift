import Foundation
import Testing

/// The plugin that expands the macros, as the compiler talks to it.
struct MacroPluginTests {
    /// The folder of what was built: the plugin lies beside the tests.
    static let built = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()

    /// Sends messages, and reads the answers.
    private func ask(_ messages: [[String: Any]]) throws -> [[String: Any]] {
        let process = Process()
        process.executableURL = Self.built.appendingPathComponent("SluiceMacros-tool")
        let (input, output) = (Pipe(), Pipe())
        (process.standardInput, process.standardOutput) = (input, output)
        try process.run()
        for message in messages {
            let json = try JSONSerialization.data(withJSONObject: message)
            let length = (0..<8).map { UInt8(truncatingIfNeeded: json.count >> (8 * $0)) }
            try input.fileHandleForWriting.write(contentsOf: Data(length) + json)
        }
        try input.fileHandleForWriting.close()
        var bytes = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
        var answers: [[String: Any]] = []
        while bytes.count >= 8 {
            let count = bytes.prefix(8).reversed().reduce(0) { $0 << 8 | Int($1) }
            bytes = Data(bytes.dropFirst(8))
            let answer = try JSONSerialization.jsonObject(with: bytes.prefix(count))
            answers.append(try #require(answer as? [String: Any]))
            bytes = Data(bytes.dropFirst(count))
        }
        return answers
    }

    private func request(
        _ macro: String, _ role: String, _ source: String, type: String = "Book", offset: Int = 0,
        within outer: String? = nil
    ) -> [String: Any] {
        [
            "expandAttachedMacro": [
                "lexicalContext": (outer.map { [["kind": "declaration", "source": $0]] } ?? []) as [[String: String]],
                "macro": ["moduleName": "SluiceMacros", "typeName": macro, "name": "x"], "macroRole": role,
                "declSyntax": [
                    "source": source,
                    "location": [
                        "fileID": "Shop/Book.swift", "fileName": "/Book.swift", "offset": offset, "line": 7,
                        "column": 1,
                    ],
                ],
                "extendedTypeSyntax": ["source": type],
            ]
        ]
    }

    private func expansion(_ answer: [String: Any]) throws -> (text: String?, diagnostics: [[String: Any]]) {
        let result = try #require(answer["expandMacroResult"] as? [String: Any])
        return (result["expandedSource"] as? String, result["diagnostics"] as? [[String: Any]] ?? [])
    }

    @Test func saysWhatItCanAndGoesOn() throws {
        let answers = try ask([
            ["getCapability": ["capability": ["protocolVersion": 7]]], ["somethingNew": [:]],
            request("PersistentModelMacro", "extension", "struct Book { let id: Int }"),
            request("AttributeMacro", "peer", "var x: Int", within: "@PersistentModel struct Book {}"),
        ])
        #expect(answers.count == 4)
        let capability = answers[0]["getCapabilityResult"] as? [String: Any]
        #expect((capability?["capability"] as? [String: Any])?["protocolVersion"] as? Int == 7)
        let model = try expansion(answers[2])
        #expect(model.diagnostics.isEmpty && model.text?.contains("extension Book: ") == true)
        #expect(try expansion(answers[3]).text == "")
    }

    /// Members have the type's access, and none is narrower than the extension that has it.
    @Test(arguments: ["", "public ", "package ", "private ", "fileprivate "])
    func membersHaveTheAccessOfTheirType(_ access: String) throws {
        let source = "\(access)struct Book { let id: Int; private var secret: Int?; \(access)var title: String }"
        let text = try #require(try expansion(try ask([request("PersistentModelMacro", "extension", source)])[0]).text)
        // A private member would be seen by its extension alone.
        let word = access == "private " ? "fileprivate " : access
        #expect(text.contains("\(word)nonisolated struct Paths"), "\(text)")
        #expect(text.contains("\(word)init(unboxing"), "\(text)")
        let members = text.split(separator: "\n").map { $0.drop { $0 == " " } }
        #expect(!members.contains { $0.hasPrefix("private ") && !$0.contains("let scope") }, "\(text)")
        let secret = try #require(members.first { $0.contains("var secret: ") || $0.contains("var `secret`: ") })
        #expect(secret.hasPrefix("fileprivate "), "\(secret)")
    }

    /// What is wrong is told at the place in the file, and edits are those of the file.
    @Test(
        arguments: [
            (
                "PersistentModelMacro", "extension", "struct Book {\n    let id = 1\n}",
                "a constant with an initial value", "id", "struct Book {\n    var id = 1\n}"
            ),
            ("PersistentModelMacro", "extension", "class Book { let id: Int = 1 }", "for structs", "Book", nil),
            ("StoreActorMacro", "member", "class Book {}", "@StoreActor is for actors", "Book", nil),
            ("MainStoreActorMacro", "member", "actor Book {}", "@MainStoreActor is for classes", "Book", nil),
            ("CompositionMacro", "extension", "class Book { let x: Int }", "@Composition is for structs", "Book", nil),
            (
                "PersistentModelMacro", "extension",
                "struct Book { let id: Int; @Attribute(.unique) var x: Int { 3 } }",
                "@Attribute is for stored properties; `x` is computed", "@Attribute",
                "struct Book { let id: Int;  var x: Int { 3 } }"
            ),
        ] as [(String, String, String, String, String, String?)])
    func problemsHaveTheirPlace(
        macro: String, role: String, source: String, message: String, place: String, mended: String?
    ) throws {
        let offset = 1_000
        let (text, diagnostics) = try expansion(try ask([request(macro, role, source, offset: offset)])[0])
        #expect(text == nil)
        let diagnostic = try #require(diagnostics.first)
        #expect((diagnostic["message"] as? String)?.contains(message) == true && diagnostics.count == 1)
        #expect(diagnostic["severity"] as? String == "error")
        let position = try #require(diagnostic["position"] as? [String: Any])
        #expect(position["fileName"] as? String == "/Book.swift")
        let start = try #require(position["offset"] as? Int) - offset
        #expect(source.utf8.dropFirst(start).starts(with: place.utf8))
        let fixIts = diagnostic["fixIts"] as? [[String: Any]] ?? []
        guard let mended else { return #expect(fixIts.isEmpty) }
        let change = try #require((fixIts.first?["changes"] as? [[String: Any]])?.first)
        let range = try #require(change["range"] as? [String: Any])
        let first = try #require(range["startOffset"] as? Int) - offset
        let last = try #require(range["endOffset"] as? Int) - offset
        var bytes = Array(source.utf8)
        bytes.replaceSubrange(first..<last, with: Array(try #require(change["newText"] as? String).utf8))
        #expect(String(decoding: bytes, as: UTF8.self) == mended)
    }

    /// An attribute that no macro reads says so itself.
    @Test func attributesOutsideOfModelsAreTold() throws {
        let source = "\n    @Attribute(.unique) var isbn: String"
        let answers = try ask([
            request("AttributeMacro", "peer", source, within: "struct Book {}"),
            request("AttributeMacro", "peer", source),
        ])
        for answer in answers {
            let (text, diagnostics) = try expansion(answer)
            #expect(text == "" && diagnostics.count == 1)
            #expect(
                diagnostics.first?["message"] as? String
                    == "@Attribute is for properties of structs with @PersistentModel")
            #expect((diagnostics.first?["position"] as? [String: Any])?["offset"] as? Int == 5)
        }
    }
}
