internal import SluiceHTTP
internal import SluicePipeline

/// Tells by its name, its type or its beginning whether a source has rows of cells.
struct RowFormatGuess {
    /// The place of the records; nil where they are not rows.
    let place: RecordsPlace?

    /// - Throws: What reading the page throws.
    init(_ source: ImportSource, first page: Page) throws {
        let name = source.place.fileName
        let type = source.fetched.head?.headers.first("Content-Type")?.lowercased() ?? ""
        if let format = Self.formats.first(where: { name.hasSuffix(".\($0.rawValue)") }) {
            place = RecordsPlace(format: format, reason: "the name says so")
        } else if let format = Self.formats.first(where: { Self.types[$0].map { type.hasPrefix($0) } == true }) {
            place = RecordsPlace(format: format, reason: "the type of the response says so")
        } else if let format = Self.format(
            of: try ImportInspection.unreadable(page) { Array(try PageBytes(page).firstBytes()) })
        {
            place = RecordsPlace(format: format, reason: "the first line is a header and no JSON")
        } else {
            place = nil
        }
    }

    private static let formats = StreamDefinition.Format.allCases.filter(\.hasRows)
    private static let types: [StreamDefinition.Format: String] = [
        .csv: "text/csv", .tsv: "text/tab-separated-values",
    ]

    /// The format of a text whose first line has several cells, and begins as no JSON does that has records.
    private static func format(of bytes: [UInt8]) -> StreamDefinition.Format? {
        let text = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes.dropFirst(3) : bytes[...]
        guard let first = text.first else { return nil }
        let isLetter = (0x61...0x7A).contains(first | 0x20)
        guard isLetter || first >= 0x80 || "\"_".utf8.contains(first) else { return nil }
        let line = text.prefix { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") }
        if line.contains(UInt8(ascii: "\t")) { return .tsv }
        return line.contains(UInt8(ascii: ",")) ? .csv : nil
    }
}

extension ImportSource.Place {
    /// The name of its file in lower case, without what says that it is packed; empty where it has none.
    var fileName: String {
        var name: Substring
        switch self {
        case .url(let url): name = url.prefix { $0 != "?" && $0 != "#" }
        case .file(let path): name = path[...]
        case .stream: return ""
        }
        if name.lowercased().hasSuffix(".gz") { name = name.dropLast(3) }
        return name.lowercased()
    }
}
