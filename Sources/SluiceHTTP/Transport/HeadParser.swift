/// Puts a response's head together from the lines that libcurl hands over one by one.
struct HeadParser {
    /// A head whose URL is not known here.
    struct Head: Sendable {
        var status: Int
        var httpVersion: String
        var headers: HTTPHeaders

        /// Whether the request did what it asked for.
        var isSuccess: Bool { 200...299 ~= status }
    }

    private var head: Head?
    private var isComplete = false
    private var size = 0

    /// The most bytes of a head; servers send some kilobytes at most.
    static let maximumBytes = 256 << 10

    /// Why a line is refused.
    enum Refusal: Error {
        case tooLarge
        case malformed
    }

    /// Takes one line, its line break included.
    ///
    /// - Returns: The head, once, when its last line was taken. Interim (1xx) responses and trailers give none.
    mutating func accept(_ line: UnsafeRawBufferPointer) throws(Refusal) -> Head? {
        size += line.count
        if size > Self.maximumBytes { throw .tooLarge }
        let text = unsafe String(decoding: line, as: UTF8.self)
        let content = text.trimmingLineBreak
        if content.hasPrefix("HTTP/") {
            head = try Self.statusLine(content)
            isComplete = false
            return nil
        }
        if isComplete { return nil }
        guard var current = head else { throw .malformed }
        if content.isEmpty {
            isComplete = true
            return 100...199 ~= current.status ? nil : current
        }
        Self.add(content, to: &current.headers)
        head = current
        return nil
    }

    private static func statusLine(_ line: String) throws(Refusal) -> Head {
        let words = line.split(separator: " ", maxSplits: 2)
        guard words.count >= 2, let status = Int(words[1]), 100...999 ~= status else { throw .malformed }
        return Head(status: status, httpVersion: String(words[0].dropFirst("HTTP/".count)), headers: HTTPHeaders())
    }

    private static func add(_ line: String, to headers: inout HTTPHeaders) {
        if line.utf8.first?.isBlank == true, let last = headers.fields.indices.last {
            // A folded line continues the value (RFC 9112, section 5.2).
            headers.fields[last].value = (headers.fields[last].value + " " + line.trimmingBlanks).trimmingBlanks
        } else if let colon = line.utf8.firstIndex(of: UInt8(ascii: ":")) {
            let value = String(line[line.utf8.index(after: colon)...])
            headers.fields.append(HTTPField(String(line[..<colon]), value.trimmingBlanks))
        }
    }
}

extension String {
    /// The text without the line break at its end.
    fileprivate var trimmingLineBreak: String {
        String(decoding: utf8.prefix { $0 != 0x0D && $0 != 0x0A }, as: UTF8.self)
    }
}
