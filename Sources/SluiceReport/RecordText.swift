/// A record as it was read, and where it stands.
package struct RecordText {
    package let bytes: [UInt8]
    /// The page's name.
    package let page: String
    /// The page's position among those that were read, from 0; nil where it stands on none.
    package let pageIndex: Int?
    /// The record's position on the page, from 1.
    package let number: Int
    /// The line of its page, nil where that is not known.
    package let line: Int?
    /// The JSON pointer within its document or line, nil where that is not known.
    package let pointer: String?

    /// The entry in quarantine that the record was taken from, where it was.
    package var entry: Int64?

    /// Makes a value of its parts.
    package init(
        bytes: [UInt8], page: String, pageIndex: Int? = nil, number: Int, line: Int?, pointer: String?,
        entry: Int64? = nil
    ) {
        self.bytes = bytes
        self.page = page
        self.pageIndex = pageIndex
        self.number = number
        self.line = line
        self.pointer = pointer
        self.entry = entry
    }

    /// The place in words, as in `books.json, line 4, /items/2`.
    package var place: String {
        guard let line else { return "\(page), record \(number)" }
        return ([page, "line \(line)"] + [pointer].compactMap { $0 }.filter { !$0.isEmpty }).joined(separator: ", ")
    }
}
