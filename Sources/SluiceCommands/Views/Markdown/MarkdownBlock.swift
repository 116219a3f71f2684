/// A part of a report that takes as much room as it gets.
struct MarkdownBlock {
    /// What stands before its entries.
    let head: String
    /// Its entries, whole lines each.
    var entries: [String]
    /// How many entries it stands for, here or not.
    let count: Int
    /// What stands behind its entries.
    var foot = "\n"
    /// How much of the room it gets, as a multiple of what others get.
    var weight = 1
    /// Which blocks stay where not all have room: the lowest first.
    var rank = Rank.change
    /// What its entries are called where some are left out, one and several; nil for entries of any kind.
    var nouns: (one: String, many: String)?

    /// How much a block matters to people.
    enum Rank: Int, Comparable {
        /// Counts and problems, which tell of all that happens.
        case summary
        /// Records that need a person.
        case urgent
        /// All else.
        case change

        static func < (left: Rank, right: Rank) -> Bool { left.rawValue < right.rawValue }
    }

    /// The part of the room that a summary keeps, as its divisor.
    private static let summaryShare = 4

    /// How many bytes it needs for all that it has.
    var size: Int {
        let more = entries.isEmpty || count <= entries.count ? 0 : rest(count).utf8.count
        return head.utf8.count + entries.reduce(0) { $0 + $1.utf8.count } + foot.utf8.count + more
    }

    /// Shares room among blocks: each one that stays gets enough for its first entry, and the rest is shared by weight. What one
    /// of them does not need, the others get.
    ///
    /// - Parameters:
    ///   - room: The bytes that there are.
    ///   - blocks: The blocks.
    /// - Returns: The room of each, in their order; none for blocks that are left out, the least important ones.
    static func rooms(of room: Int, for blocks: [MarkdownBlock]) -> [Int] {
        var rooms = blocks.map { _ in 0 }
        var left = max(0, room)
        var open: [Int] = []
        for index in blocks.indices.sorted(by: { (blocks[$0].rank, $0) < (blocks[$1].rank, $1) }) {
            let claim = blocks[index].claim(of: max(0, room))
            if claim > left { continue }
            rooms[index] = claim
            left -= claim
            open.append(index)
        }
        while !open.isEmpty {
            let weights = open.reduce(0) { $0 + blocks[$1].weight }
            func share(_ index: Int) -> Int { left * blocks[index].weight / max(1, weights) }
            let modest = open.filter { blocks[$0].reserved - rooms[$0] <= share($0) }
            if modest.isEmpty {
                for (index, more) in open.map({ ($0, share($0)) }) { rooms[index] += more }
                break
            }
            for index in modest {
                left -= blocks[index].reserved - rooms[index]
                rooms[index] = blocks[index].reserved
            }
            open.removeAll(where: modest.contains)
        }
        return rooms
    }

    /// The least room that the block stays with: for its first entry, or a part of the whole for a summary.
    private func claim(of room: Int) -> Int {
        let first = head.utf8.count + (entries.first?.utf8.count ?? 0) + foot.utf8.count + rest(count).utf8.count
        return min(reserved, rank == .summary ? max(first, room / Self.summaryShare) : first)
    }

    /// The room with which nothing of it is left out: ``text(within:)`` keeps some for what it would say of that.
    private var reserved: Int { size + rest(count).utf8.count }

    /// The block with as many entries as fit.
    ///
    /// - Parameter room: The most bytes.
    /// - Returns: Its text, and whether something was left out; no text where not even the first entry fits.
    func text(within room: Int) -> (text: String?, isCut: Bool) {
        var text = head
        var listed = 0
        let reserve = foot.utf8.count + rest(count).utf8.count
        for entry in entries {
            if text.utf8.count + entry.utf8.count + reserve > room { break }
            text += entry
            listed += 1
        }
        if listed == 0 && (!entries.isEmpty || text.utf8.count + reserve > room) { return (nil, true) }
        // What has no entries to list says in its head how many there are.
        let left = entries.isEmpty ? 0 : max(count, entries.count) - listed
        return (text + (left > 0 ? rest(left) : "") + foot, left > 0)
    }

    private func rest(_ count: Int) -> String {
        guard let nouns else { return "\n… and \(CountText.grouped(count)) more.\n" }
        return "\n… and \(CountText.of(count, "more \(nouns.one)", "more \(nouns.many)")).\n"
    }
}
