package import SluiceJSON

/// A JSON value as a paginator reads it: the body of a page, or its last record.
///
/// It is parsed as a whole, which `max_response` bounds. A record that cannot be taken does not keep a page from being
/// followed.
package final class PageBody {
    private let document: JSONDocument
    private var root: JSONElement { document.element }

    /// Parses a text.
    ///
    /// - Parameters:
    ///   - bytes: The text.
    ///   - showsValues: Whether an error may quote it.
    ///   - parser: What parses it; the value is gone when the parser parses something else.
    /// - Throws: `JSONError` where it is no JSON.
    package init(_ bytes: [UInt8], showsValues: Bool = true, parser: JSONParser = JSONParser()) throws(JSONError) {
        do throws(JSONError) {
            document = try JSONDocument(tamed: bytes, parser: parser)
        } catch {
            throw showsValues ? error.found(in: bytes) : error
        }
    }

    /// The text of a value; nil where there is none, or where it is null or empty.
    package func text(at path: JSONPath) -> String? {
        guard let text = path.first(in: root)?.string, !text.isEmpty else { return nil }
        return text
    }

    /// A value as it stands; nil where there is none.
    package func element(at path: JSONPath) -> JSONElement? { path.first(in: root) }

    /// A value that is sent back; nil where there is none, or where it is null or empty.
    package func value(at path: JSONPath) -> PageValue? { path.first(in: root).flatMap { PageValue($0) } }

    /// Whether a value is false.
    package func isFalse(at path: JSONPath) -> Bool {
        guard let element = path.first(in: root) else { return false }
        return element.kind == .bool && !element.boolean
    }

    /// Whether a key is there that leads nowhere: it is null, false or an empty text.
    package func isEmpty(at path: JSONPath) -> Bool {
        guard let element = path.firstOrNull(in: root) else { return false }
        return element.isNull || element.string?.isEmpty == true || element.kind == .bool && !element.boolean
    }

    /// A whole number, as a number or as text.
    package func integer(at path: JSONPath) -> Int? {
        guard let element = path.first(in: root) else { return nil }
        if element.kind == .integer { return Int(exactly: element.integer) }
        return (element.string ?? element.numberText).flatMap { Int($0) }
    }

    /// The length of its longest list, an array or an object of objects: as many records as it lists at least, where a
    /// program picks some. Lists within an array do not count.
    package var longestList: Int { Self.longestList(in: root) }

    private static func longestList(in element: JSONElement) -> Int {
        if element.kind != .object { return element.count }
        var (longest, holdsObjects) = (0, true)
        var cursor = element.members()
        while cursor.next() {
            let value = cursor.value
            holdsObjects = holdsObjects && value.kind == .object
            longest = max(longest, longestList(in: value))
        }
        return holdsObjects ? max(longest, element.count) : longest
    }

    package func appendJSON(to bytes: inout [UInt8]) { JSONWriter.append(root, to: &bytes) }
}
