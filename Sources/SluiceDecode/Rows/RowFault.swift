internal import SluiceJSON

/// A row that cannot be a record, on its way through the lines of JSON: an array, which no record of such a source is.
package struct RowFault {
    /// The line of the page on which the row begins, from 1.
    let line: Int
    /// What is wrong with it, as a sentence.
    let message: String
    /// The row as it would be written, in one line.
    let text: String

    /// The line of JSON that stands for it.
    func appendJSON(to bytes: inout [UInt8]) {
        bytes += Array("[\(line),".utf8)
        JSONWriter.append(message, to: &bytes)
        bytes.append(UInt8(ascii: ","))
        JSONWriter.append(text, to: &bytes)
        bytes.append(UInt8(ascii: "]"))
    }

    init(line: Int, message: String, text: String) { (self.line, self.message, self.text) = (line, message, text) }

    /// Reads what ``appendJSON(to:)`` wrote; nil for anything else.
    init?(_ element: JSONElement) {
        guard element.kind == .array else { return nil }
        var cursor = element.elements()
        guard cursor.next(), cursor.value.kind == .integer else { return nil }
        let line = cursor.value.integer
        guard cursor.next(), let message = cursor.value.string, cursor.next(), let text = cursor.value.string else {
            return nil
        }
        self.init(line: Int(line), message: message, text: text)
    }
}
