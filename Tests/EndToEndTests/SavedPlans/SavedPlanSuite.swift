import Foundation
import SluiceGzip
import TestSupport
import Testing

/// What the suites of saved plans have in common: a store with books, and a plan of what the source says now.
protocol SavedPlanSuite {}

extension SavedPlanSuite {
    static var file: String { "books.plan" }

    /// A store with books, of which the source has new editions, and the plan of that.
    func planned(books: Int = 3, edition: Int = 2) throws -> Scene {
        let scene = try Scene(records: books)
        #expect(try Program.run("run", "books.yaml", in: scene.path).code == 0)
        try scene.writeBooks(books, edition: edition)
        try plan(scene)
        return scene
    }

    func plan(_ scene: Scene, _ more: String...) throws {
        let result = try Program.start(["plan", "books.yaml", "--save", Self.file] + more, in: scene.path).wait()
        #expect(result.code == 0, "\(result.output)\(result.errors)")
    }

    func apply(_ scene: Scene, _ more: String...) throws -> Program.Result {
        try Program.start(["apply", Self.file] + more, in: scene.path).wait()
    }

    func titles(_ scene: Scene) throws -> [String] { try scene.query("SELECT title FROM books ORDER BY id") }

    static func editions(_ numbers: Int...) -> [String] {
        numbers.enumerated().map { "Book \($0 + 1), edition \($1)" }
    }
}

/// The texts that stand in a saved plan.
enum PlanTexts {
    static func all(in path: String) throws -> [String] {
        let data = [UInt8](try Data(contentsOf: URL(filePath: path)))
        func number(_ start: Int) -> Int { data[start..<start + 8].reversed().reduce(0) { $0 << 8 | Int($1) } }
        var position = (data.firstIndex(of: UInt8(ascii: "\n")) ?? 0) + 1
        var texts: [String] = []
        let checksumSize = 32
        while position < data.count - checksumSize {
            let (packed, start) = (number(position + 1), position + 17)
            let bytes = try Packing.unpacked(Array(data[start..<start + packed]), count: number(position + 9))
            texts.append(String(decoding: bytes, as: UTF8.self))
            position = start + packed
        }
        return texts
    }
}
