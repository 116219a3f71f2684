import Foundation

extension Shelf {
    /// Carries out a line that somebody typed.
    public func perform(_ line: String) async throws -> [String] {
        let words = line.split(separator: " ", maxSplits: 2).map(String.init)
        switch (words.first, words.count) {
        case ("show", _): return try await table()
        case ("title", 3):
            guard let id = Int(words[1]) else { return ["\(words[1]) is no number"] }
            try await correct(id, title: words[2])
            return []
        case ("sync", 2): return [try await sync(URL(fileURLWithPath: words[1]))]
        case ("conflicts", _): return try await conflicts()
        case ("take", 2):
            try await decide(words[1] == "ours" ? .local : .remote)
            return []
        case ("undo", _): return [try await undo()]
        default: return ["show, title NUMBER TEXT, sync FILE, conflicts, take ours, take theirs, undo"]
        }
    }
}
