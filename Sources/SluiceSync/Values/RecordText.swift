/// A record as it was read, and where it stands.
struct RecordText {
    let bytes: [UInt8]
    /// The page's name.
    let page: String
    /// The record's position on the page, from 1.
    let number: Int
    /// The line of its page, nil where that is not known.
    let line: Int?
    /// The JSON pointer within its document or line, nil where that is not known.
    let pointer: String?

    /// The entry in quarantine that the record was taken from, where it was.
    var entry: Int64?

    /// The place in words, as in `books.json, line 4, /items/2`.
    var place: String {
        guard let line else { return "\(page), record \(number)" }
        return ([page, "line \(line)"] + [pointer].compactMap { $0 }.filter { !$0.isEmpty }).joined(separator: ", ")
    }
}
