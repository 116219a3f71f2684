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

    /// How many bytes it needs for all that it has.
    var size: Int {
        let more = entries.isEmpty || count <= entries.count ? 0 : Self.rest(count).utf8.count
        return head.utf8.count + entries.reduce(0) { $0 + $1.utf8.count } + foot.utf8.count + more
    }

    /// Shares room among blocks by their weight: what one of them does not need, the others get.
    ///
    /// - Parameters:
    ///   - room: The bytes that there are.
    ///   - blocks: The blocks.
    /// - Returns: The room of each, in their order.
    static func rooms(of room: Int, for blocks: [MarkdownBlock]) -> [Int] {
        var rooms = blocks.map { _ in 0 }
        var (left, open) = (max(0, room), Array(blocks.indices))
        while !open.isEmpty {
            let weights = open.reduce(0) { $0 + blocks[$1].weight }
            let modest = open.filter { blocks[$0].reserved <= left * blocks[$0].weight / max(1, weights) }
            if modest.isEmpty {
                for index in open { rooms[index] = left * blocks[index].weight / max(1, weights) }
                break
            }
            for index in modest {
                rooms[index] = blocks[index].reserved
                left -= rooms[index]
            }
            open.removeAll(where: modest.contains)
        }
        return rooms
    }

    /// The room with which nothing of it is left out: ``text(within:)`` keeps some for what it would say of that.
    private var reserved: Int { size + Self.rest(count).utf8.count }

    /// The block with as many entries as fit.
    ///
    /// - Parameter room: The most bytes.
    /// - Returns: Its text, and whether something was left out; no text where not even the first entry fits.
    func text(within room: Int) -> (text: String?, isCut: Bool) {
        var text = head
        var listed = 0
        let reserve = foot.utf8.count + Self.rest(count).utf8.count
        for entry in entries {
            if text.utf8.count + entry.utf8.count + reserve > room { break }
            text += entry
            listed += 1
        }
        if listed == 0 && (!entries.isEmpty || text.utf8.count + reserve > room) { return (nil, true) }
        // What has no entries to list says in its head how many there are.
        let left = entries.isEmpty ? 0 : max(count, entries.count) - listed
        return (text + (left > 0 ? Self.rest(left) : "") + foot, left > 0)
    }

    private static func rest(_ count: Int) -> String { "\n… and \(CountText.grouped(count)) more.\n" }
}
