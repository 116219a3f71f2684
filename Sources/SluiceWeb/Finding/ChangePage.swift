internal import SluiceModel
internal import SluiceReview
internal import SluiceStore

/// A stretch of what a run changed, found without reading more than needed.
struct ChangePage {
    /// What is looked for.
    struct Filter: Sendable, Equatable {
        /// What a record may have gone through.
        static let actions = ["insert", "update", "delete", "base"]
        var entity: String?
        var action: String?
        /// Words that all have to stand in the change, whatever their case.
        var words: [String] = []

        init(entity: String? = nil, action: String? = nil, search: String? = nil) {
            (self.entity, self.action) = (entity, action)
            words = (search ?? "").lowercased().split(separator: " ").map(String.init)
        }

        func matches(_ change: HistoryChange) -> Bool {
            if let entity, change.mapping.entity != entity { return false }
            if let action, change.action.rawValue != action { return false }
            if words.isEmpty { return true }
            let text =
                ([change.mapping.entity, change.key] + change.fields.flatMap { [$0.name, $0.old ?? "", $0.new ?? ""] })
                .joined(separator: "\n").lowercased()
            return words.allSatisfy { text.contains($0) }
        }
    }

    /// How many changes are looked at for one page: a search over millions goes on from page to page.
    private static let mostLookedAt = 10_000
    private(set) var changes: [HistoryChange] = []
    /// Where to go on; nil at the end.
    private(set) var next: HistoryPlace?

    /// Reads a stretch.
    ///
    /// - Parameters:
    ///   - reader: Tells what runs changed.
    ///   - run: The run.
    ///   - filter: What is looked for.
    ///   - place: The change behind which to go on, nil for the beginning.
    ///   - limit: The most of it.
    /// - Throws: `StoreError`.
    init(
        _ reader: HistoryReader, of run: RunEntry, _ filter: Filter, after place: HistoryPlace?, limit: Int
    ) throws {
        var page: [HistoryChange] = []
        var last: HistoryPlace?
        var lookedAt = 0
        let isCut = try reader.changes(of: run, after: place) { change, place in
            if page.count == limit || lookedAt == Self.mostLookedAt { return false }
            lookedAt += 1
            last = place
            let change = try change()
            if filter.matches(change) { page.append(change) }
            return true
        }
        changes = page
        next = isCut ? last : nil
    }
}
