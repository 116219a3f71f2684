internal import SluiceDecode
internal import SluiceHTTP
internal import SluicePages
internal import SluicePipeline

/// Tells by what a person says, or else by its name, its type or its beginning, whether a source has rows of cells, and
/// what stands between these.
struct RowFormatGuess {
    /// The place of the records; nil where they are not rows.
    let place: RecordsPlace?

    /// - Throws: What reading the page throws.
    init(_ source: ImportSource, first page: Page) throws {
        let form = source.form
        if let format = form.format, !format.hasRows {
            place = nil
            return
        }
        let header = Header(try ImportInspection.unreadable(page) { Array(try PageBytes(page).firstBytes()) })
        let name = source.place.fileName
        let type = source.fetched.head?.headers.first("Content-Type")?.lowercased() ?? ""
        let found: (format: StreamDefinition.Format, reason: String)?
        if let format = form.format ?? form.delimiter.map({ _ in .csv }) {
            found = (format, "as asked for")
        } else if let format = Self.formats.first(where: { name.hasSuffix(".\($0.rawValue)") }) {
            found = (format, "the name says so")
        } else if let format = Self.formats.first(where: { Self.types[$0].map { type.hasPrefix($0) } == true }) {
            found = (format, "the type of the response says so")
        } else {
            found = header.format.map { ($0, "the first line is a header and no JSON") }
        }
        guard let (format, reason) = found else {
            place = nil
            return
        }
        var place = RecordsPlace(format: format, reason: reason)
        place.delimiter = form.delimiter
        if format == .csv, form.delimiter == nil, let delimiter = header.unusualDelimiter {
            place.delimiter = delimiter
            place.reason += "; the header has `\(delimiter.rawValue)` between its names, and no comma"
        }
        self.place = place
    }

    private static let formats = StreamDefinition.Format.allCases.filter(\.hasRows)
    private static let types: [StreamDefinition.Format: String] = [
        .csv: "text/csv", .tsv: "text/tab-separated-values",
    ]
}

/// The beginning of a source's first line, as far as it may be the header of rows.
private struct Header {
    /// Whether the text begins as no JSON does that has records.
    private let isNoJSON: Bool
    /// How often what may stand between cells does, outside of quotes.
    private var counts: [StreamDefinition.Delimiter: Int] = [:]

    init(_ bytes: [UInt8]) {
        let text = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes.dropFirst(3) : bytes[...]
        isNoJSON =
            text.first.map { (0x61...0x7A).contains($0 | 0x20) || $0 >= 0x80 || "\"_".utf8.contains($0) } ?? false
        var isQuoted = false
        for byte in text {
            if byte == UInt8(ascii: "\"") { isQuoted.toggle() }
            if isQuoted { continue }
            if byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r") { break }
            for delimiter in StreamDefinition.Delimiter.allCases where delimiter.byte == byte {
                counts[delimiter, default: 0] += 1
            }
        }
    }

    /// The format of a text whose first line has several cells.
    var format: StreamDefinition.Format? {
        if !isNoJSON || counts.isEmpty { return nil }
        return counts[.tab] == nil ? .csv : .tsv
    }

    /// What stands between the names where no comma does: the most frequent.
    var unusualDelimiter: StreamDefinition.Delimiter? {
        if counts[.comma] != nil { return nil }
        return StreamDefinition.Delimiter.allCases.filter { counts[$0] != nil }
            .max { counts[$0] ?? 0 < counts[$1] ?? 0 }
    }
}

extension ImportSource.Place {
    /// The name of its file in lower case, without what says that it is packed; empty where it has none.
    package var fileName: String {
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
