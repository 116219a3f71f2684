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
