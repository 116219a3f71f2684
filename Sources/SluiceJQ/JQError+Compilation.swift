extension JQError {
    /// The error of a program that does not compile.
    ///
    /// libjq writes, for each fault, a line with the message, the line of the program, and after that line as many
    /// spaces as stand before the fault in it.
    ///
    /// - Parameters:
    ///   - report: What libjq wrote.
    ///   - program: The text of the program.
    init(report: String, program: String) {
        let source = program.split(separator: "\n", omittingEmptySubsequences: false)
        var messages: [String] = []
        var place: (line: Int, column: Int?)?
        // The number of a line of the program that is to come.
        var awaited: Int?
        for text in report.split(separator: "\n", omittingEmptySubsequences: false) {
            if let line = awaited {
                awaited = nil
                let count = line <= source.count ? source[line - 1].utf8.count : 0
                if place == nil { place = (line, max(0, text.utf8.count - count) + 1) }
                continue
            }
            guard let (message, line) = Self.message(of: text) else { continue }
            messages.append(line.map { $0 == 1 ? message : "\(message), in line \($0)" } ?? message)
            awaited = line
        }
        if messages.isEmpty { messages = ["the program is not valid jq"] }
        self.init(
            code: .syntax, message: messages.joined(separator: "\n"), program: program, line: place?.line,
            column: place?.column)
    }

    /// A message without what libjq puts around it, and the line that it names; nil for lines that say nothing.
    private static func message(of text: Substring) -> (String, Int?)? {
        var text = text
        if text.hasPrefix("jq: error: ") { text = text.dropFirst("jq: error: ".count) }
        // How many errors there were is seen from the messages.
        if text.isEmpty || text.hasSuffix(" compile error") || text.hasSuffix(" compile errors") { return nil }
        var line: Int?
        let marker = " at <top-level>, line "
        if text.hasSuffix(":"), let start = lastRange(of: marker, in: text) {
            line = Int(text[start...].dropFirst(marker.count).dropLast())
            text = text[..<start]
        }
        let advice = " (Unix shell quoting issues?)"
        if text.hasSuffix(advice) { text = text.dropLast(advice.count) }
        return (String(text), line)
    }

    private static func lastRange(of marker: String, in text: Substring) -> Substring.Index? {
        text.indices.last { text[$0...].hasPrefix(marker) }
    }
}
