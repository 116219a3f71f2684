import SluiceSwift
import Testing

/// What a struct is after the edit of its first problem.
struct FixItTests {
    /// A row: what stands in the struct, and what stands there afterwards; nil where no single edit mends it.
    static let edits: [(members: String, mended: String?)] = [
        // An edit takes the word that it is for, whatever stands around it.
        ("let id = 1", "var id = 1"), ("let  id = 1", "var  id = 1"),
        ("public let /* the key */ id = 1", "public var /* the key */ id = 1"), ("let\tid = 1", "var\tid = 1"),
        // Each property has its declaration, with all that stood before the first.
        ("let id: Int; var a: Int, b: Int", "let id: Int; var a: Int\n var b: Int"),
        (
            "let id: Int\n    @Attribute(.indexed) public private(set) var a = 1,\n        b = 2",
            "let id: Int\n    @Attribute(.indexed) public private(set) var a = 1\n    @Attribute(.indexed) public private(set) var b = 2"
        ),
        ("let id: Int, number: Int = 0", "let id: Int\n let number: Int = 0"),
        ("let id: Int; var a, b: Int", nil),
        // What is left out takes its comma along.
        ("let id: Int; @Attribute(storageMethod: .raw) var x: Int", "let id: Int;  var x: Int"),
        (
            "let id: Int; @Attribute(.unique, storageMethod: .raw) var x: Int",
            "let id: Int; @Attribute(.unique) var x: Int"
        ),
        (
            "let id: Int; @Attribute(storageMethod: .raw, owner: .local) var x: Int",
            "let id: Int; @Attribute(owner: .local) var x: Int"
        ),
        // What was probably meant.
        (
            "let id: Int; @Attribute(persistantName: \"y\") var x: Int",
            "let id: Int; @Attribute(persistentName: \"y\") var x: Int"
        ),
        (
            "let id: Int; @Relationship(invers: .none, deleteRule: .nullify) var x: Ref<X>?",
            "let id: Int; @Relationship(inverse: .none, deleteRule: .nullify) var x: Ref<X>?"
        ),
        ("let id: Int; @Attribute(colour: \"y\") var x: Int", nil),
    ]

    @Test(arguments: edits.indices) func mendsWhatItSays(_ index: Int) throws {
        let (members, wanted) = Self.edits[index]
        var source = Array("@PersistentModel struct B { \(members) }".utf8)
        let problem = try #require(ModelReader.read(DeclarationReader.read(source)).problems.first, "\(members)")
        guard let wanted else { return #expect(problem.fixIt == nil, "\(problem)") }
        let fixIt = try #require(problem.fixIt, "\(problem)")
        source.replaceSubrange(fixIt.range, with: Array(fixIt.text.utf8))
        #expect(String(decoding: source, as: UTF8.self) == "@PersistentModel struct B { \(wanted) }")
    }

    /// Names of which no SQL tool can show what they are.
    @Test(arguments: [
        ("\"  \"", "must not be empty"), (#""a\nb""#, "must be one line"), (#""a\0""#, "must be one line"),
    ])
    func refusesNamesThatNobodyCanRead(name: String, message: String) {
        let source = "@PersistentModel struct B { let id: Int; @Attribute(persistentName: \(name)) var x: Int }"
        let problems = ModelReader.read(DeclarationReader.read(Array(source.utf8))).problems
        #expect(problems.count == 1 && problems.first?.message.contains(message) == true, "\(problems)")
    }
}
