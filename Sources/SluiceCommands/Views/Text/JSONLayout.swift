/// JSON text with a line for each member, whatever the text: what is no JSON only looks odd.
enum JSONLayout {
    /// The lines of a text.
    static func lines(of json: [UInt8]) -> [String] {
        var lines: [String] = []
        var line: [UInt8] = []
        var depth = 0
        var isInString = false
        var isEscaped = false
        func end() {
            if line.contains(where: { $0 != UInt8(ascii: " ") }) { lines.append(String(decoding: line, as: UTF8.self)) }
            line = [UInt8](repeating: UInt8(ascii: " "), count: min(max(depth, 0), 40) * 2)
        }
        for (index, byte) in json.enumerated() {
            if isInString {
                line.append(byte)
                if isEscaped {
                    isEscaped = false
                } else if byte == UInt8(ascii: "\\") {
                    isEscaped = true
                } else if byte == UInt8(ascii: "\"") {
                    isInString = false
                }
                continue
            }
            switch byte {
            case UInt8(ascii: " "), UInt8(ascii: "\n"), UInt8(ascii: "\r"), UInt8(ascii: "\t"): break
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                line.append(byte)
                depth += 1
                if !isClosed(json, after: index) { end() }
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                depth -= 1
                let last = line.last { $0 != UInt8(ascii: " ") }
                if last != UInt8(ascii: "{") && last != UInt8(ascii: "[") { end() }
                line.append(byte)
            case UInt8(ascii: ","):
                line.append(byte)
                end()
            case UInt8(ascii: ":"): line += [byte, UInt8(ascii: " ")]
            default:
                line.append(byte)
                isInString = byte == UInt8(ascii: "\"")
            }
        }
        end()
        return lines
    }

    /// Whether an array or object ends right where it begins.
    private static func isClosed(_ json: [UInt8], after index: Int) -> Bool {
        let next = json[(index + 1)...].first { !" \n\r\t".utf8.contains($0) }
        return next == UInt8(ascii: "}") || next == UInt8(ascii: "]")
    }
}
