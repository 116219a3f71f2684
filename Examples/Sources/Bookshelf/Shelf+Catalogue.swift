import Foundation
import Sluice

extension Shelf {
    /// Merges what the catalogue says now.
    public func sync(_ file: URL) async throws -> String {
        let result = try await store.sync(Book.self, contentsOf: file, .init(source: "catalogue"))
        let summary = result.summary
        let problems = result.quarantined.map { "\n\($0)" }.joined()
        return "\(summary.insert) new, \(summary.update) changed, \(summary.conflict) in conflict" + problems
    }
}

extension Shelf {
    /// The conflicts: what both we and the catalogue changed.
    public func conflicts() async throws -> [String] {
        try await store.conflicts(of: Book.self).compactMap { conflict in
            guard let title = try conflict.sides(\.title) else { return nil }
            return "was \(title.base ?? "none") | ours \(title.local ?? "none") | theirs \(title.remote ?? "none")"
        }
    }

    /// Decides all conflicts alike.
    public func decide(_ decision: Conflict<Book>.Decision) async throws {
        for conflict in try await store.conflicts(of: Book.self) { try await store.resolve(conflict, decision) }
    }

    /// Takes back the last run that is no undo itself, and was not taken back before.
    public func undo() async throws -> String {
        for run in try await store.history(limit: 100) where run.undoes == nil && run.undoneBy == nil {
            let result = try await store.undo(run: run.id)
            // A run that changed nothing has nothing to take back.
            if result.run == nil { continue }
            let rows = result.summary.insert + result.summary.update + result.summary.delete
            return "\(rows) changed back"
        }
        return "nothing to undo"
    }
}
