/// The last lines of a terminal, which say how far streams have come: one for each, in the order in which they began.
///
///     shop/books: fetching, 244 pages, 24.4 MB, 24,400 records, 610/s, 40 s        books is done, and keeps its line
///     shop/orders: fetching, 61 pages, 6.1 MB, 6,100 records, 610/s, 10 s          orders is under way
///
/// The cursor stands behind the last one. Nothing is written here: who has the terminal writes what it is given.
struct ProgressRegion {
    /// A small terminal has this many lines to spare. Of more streams, those that began first make way.
    static let mostLines = 8
    private var lines: [(subject: String, text: String)] = []
    /// What the terminal shows.
    private var shown: [String] = []

    /// Says what the line of a stream is from now on; it may have to be drawn.
    mutating func set(_ text: String, of subject: String) {
        if let place = lines.firstIndex(where: { $0.subject == subject }) { return lines[place].text = text }
        if lines.count == Self.mostLines { lines.removeFirst() }
        lines.append((subject, text))
    }

    /// What brings the terminal up to date: lines that stay as they are, above the first that does not, are left alone.
    mutating func drawing() -> String {
        let texts = lines.map(\.text)
        guard let first = texts.indices.first(where: { $0 >= shown.count || texts[$0] != shown[$0] }) else { return "" }
        let distance = shown.count - 1 - first
        let way = shown.isEmpty || distance == 0 ? "" : distance < 0 ? "\n" : "\u{1B}[\(distance)A"
        shown = texts
        return way + texts[first...].map { "\r\u{1B}[K\($0)" }.joined(separator: "\n")
    }

    /// What takes all lines away. They come back where one of them is drawn again.
    mutating func erasing() -> String {
        defer { shown = [] }
        return shown.indices.reversed().map { $0 == shown.count - 1 ? "\r\u{1B}[K" : "\u{1B}[1A\u{1B}[K" }.joined()
    }
}
