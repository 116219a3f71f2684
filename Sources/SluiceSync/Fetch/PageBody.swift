internal import SluiceJSON
internal import SluicePipeline

/// A page's body as its paginator sees it: where the next page is, and how many records there are.
///
/// The body is parsed as a whole, which `max_response` bounds.
final class PageBody {
    private let parser = JSONParser()
    private let root: JSONElement

    /// Parses a body.
    ///
    /// - Parameters:
    ///   - bytes: The body.
    ///   - name: The page's name, for messages.
    ///   - showsValues: Whether messages may quote the body.
    /// - Throws: ``SyncError`` where it is no JSON.
    init(_ bytes: [UInt8], name: String, showsValues: Bool = true) throws {
        do {
            unsafe root = try parser.parse(bytes)
        } catch {
            let error = showsValues ? unsafe bytes.withUnsafeBytes { unsafe error.found(in: $0) } : error
            throw SyncError(.invalidDocument, "\(name) cannot be read: \(error.advice) Nothing was written.")
        }
    }

    /// The text of a value; nil where there is none, or where it is null or empty.
    func text(at path: JSONPath) -> String? {
        guard let text = path.first(in: root)?.string, !text.isEmpty else { return nil }
        return text
    }

    /// A value that is sent back; nil where there is none, or where it is null or empty.
    func value(at path: JSONPath) -> PageValue? { path.first(in: root).flatMap { PageValue($0) } }

    /// The same of the page's last record.
    func lastRecordValue(at path: JSONPath, of stream: StreamDefinition) -> PageValue? {
        var last: JSONElement?
        forEachRecord(of: stream) { last = $0 }
        return last.flatMap { path.first(in: $0) }.flatMap { PageValue($0) }
    }

    /// Whether a value is false.
    func isFalse(at path: JSONPath) -> Bool {
        guard let element = path.first(in: root) else { return false }
        return element.kind == .bool && !element.boolean
    }

    func appendJSON(to bytes: inout [UInt8]) { JSONWriter.append(root, to: &bytes) }

    /// The page's records as a JSON array.
    func appendRecords(of stream: StreamDefinition, to bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "["))
        var isFirst = true
        forEachRecord(of: stream) { record in
            if !isFirst { bytes.append(UInt8(ascii: ",")) }
            isFirst = false
            JSONWriter.append(record, to: &bytes)
        }
        bytes.append(UInt8(ascii: "]"))
    }

    private func forEachRecord(of stream: StreamDefinition, _ body: (JSONElement) -> Void) {
        guard let path = stream.records else {
            if root.kind != .array { return body(root) }
            var elements = root.elements()
            while elements.next() { body(elements.value) }
            return
        }
        path.forEach(in: root) { place in
            if stream.entries == nil { return body(place) }
            var members = place.members()
            while members.next() { body(members.value) }
        }
    }

    /// A whole number, as a number or as text.
    func integer(at path: JSONPath) -> Int? {
        guard let element = path.first(in: root) else { return nil }
        if element.kind == .integer { return Int(exactly: element.integer) }
        return (element.string ?? element.numberText).flatMap { Int($0) }
    }

    /// The number of records on the page.
    func recordCount(of stream: StreamDefinition) -> Int {
        guard let path = stream.records else { return root.kind == .array ? root.count : 1 }
        if stream.entries != nil { return path.first(in: root)?.count ?? 0 }
        var count = 0
        path.forEach(in: root) { _ in count += 1 }
        return count
    }
}
