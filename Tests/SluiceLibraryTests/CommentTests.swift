import Foundation
import Testing

/// The comments of what is public show what the compiler takes.
@Suite(.enabled(if: Toolchain.compiler != nil, "there is no compiler"))
struct CommentTests {
    /// What the blocks speak of.
    private static let prelude = """
        import Foundation
        import Sluice
        import SluiceDecoding
        import SluicePipelines
        import SluiceTesting

        enum Kind: String, StoredValue, Codable { case novel, essay }
        struct Settings: Codable { var retry = 0 }
        @PersistentModel(table: "books") struct Book: Codable {
            let id: Int
            var title: String
            var price: Decimal?
            var pages = 0
            var kind: Kind = .novel
            var isRead = false
            var isDraft: Bool?
            @Attribute(storageMethod: .codable) var settings: Settings?
            @Relationship(inverse: "books", deleteRule: .nullify) var author: Ref<Author>?
            @Relationship(inverse: .none, deleteRule: .nullify) var tags: Refs<Tag>
            var origin = Origin()
        }
        @PersistentModel struct Author {
            let id: Int
            var name: String
            @Relationship(inverse: "author", deleteRule: .cascade) var books: Refs<Book>
        }
        @PersistentModel struct Tag: Codable { let id: Int; var name: String }
        @Composition struct Location: Equatable { var lat: Double; var lng: Double }
        @PersistentModel struct Shop { let id: Int; @Attribute(storageMethod: .composition) var location: Location? }
        @PersistentModel struct Song { let id: Int; var title: String }
        @PersistentModel struct Playlist { let id: Int; @Relationship(inverse: .none, deleteRule: .nullify) var songs: OrderedRefs<Song> }
        @PersistentModel struct UserRecord { let id: String; var name: String }
        struct User: RecordConvertible {
            var id: String
            var name: String
            init(id: String, name: String) { (self.id, self.name) = (id, name) }
            init(record: UserRecord) { (id, name) = (record.id, record.name) }
            func makeRecord() -> UserRecord { UserRecord(id: id, name: name) }
        }
        struct NoUser: Error {}
        struct UserService {
            let worker: any StoreWorker
            func rename(_ id: String, to name: String) async throws {}
        }
        func show(_ books: [Book]) {}
        func forget(_ keys: Set<Int>) {}
        func forgetAll() {}
        func check(_ holds: Bool) {}
        """

    /// The blocks of Swift in the comments of a file.
    private static func blocks(in text: String) -> [[String]] {
        var blocks: [[String]] = []
        var isWithin = false
        for line in text.split(separator: "\n").map({ $0.trimmingCharacters(in: .whitespaces) }) {
            if line == "/// ```swift" {
                isWithin = true
                blocks.append([])
            } else if line == "/// ```" {
                isWithin = false
            } else if isWithin, line.hasPrefix("///") {
                blocks[blocks.count - 1].append(String(line.dropFirst(4)))
            }
        }
        return blocks
    }

    /// A block as a part of a program: an extension, a type or its members in a namespace of their own, statements in a function.
    private static func program(_ lines: [String], _ number: Int) -> String {
        var lines = lines.map { $0.replacing("#expect(", with: "check(") }
        var program = ""
        if lines[0].hasPrefix("extension "), let end = lines.firstIndex(of: "}") {
            program = lines[...end].joined(separator: "\n")
            lines.removeFirst(end + 1)
        }
        guard let first = lines.first else { return program }
        let body = lines.joined(separator: "\n")
        if first.hasPrefix("@Attribute") {
            return "@PersistentModel struct Block\(number) {\nlet id: Int\n\(body)\n}"
        }
        if ["@", "struct ", "enum ", "actor ", "final "].contains(where: first.hasPrefix) {
            return "enum Block\(number) {\n\(body)\n}"
        }
        let parameters = [
            "_ store: Store", "_ reader: Reader", "_ tx: Transaction", "_ author: Author", "_ playlist: Playlist",
            "_ pipeline: Pipeline", "_ json: String", "_ page: String",
        ]
        return """
            \(program)
            func block\(number)(\(parameters.joined(separator: ", "))) async throws {
            var playlist = playlist
            playlist.songs = []
            \(body)
            }
            """
    }

    @Test func eachBlockIsCompiled() throws {
        let root = #filePath.components(separatedBy: "/Tests/")[0]
        var programs: [String] = []
        for folder in ["Sluice", "SluiceDecoding", "SluicePipelines", "SluiceTesting"] {
            let path = "\(root)/Sources/\(folder)"
            for file in try FileManager.default.subpathsOfDirectory(atPath: path).sorted()
            where file.hasSuffix(".swift") {
                let text = try String(contentsOfFile: "\(path)/\(file)", encoding: .utf8)
                for block in Self.blocks(in: text) {
                    programs.append("// \(file)\n" + Self.program(block, programs.count))
                }
            }
        }
        #expect(programs.count > 30)
        let (told, status) = try Toolchain.compile(Self.prelude + "\n" + programs.joined(separator: "\n"))
        #expect(status == 0, "\(told.split(separator: "\n").filter { $0.contains("error:") }.joined(separator: "\n"))")
    }
}
