/// Takes secrets out of JSON text without making it another kind of text: whatever the bytes are, none of them traps.
///
/// It looks at strings and numbers alone, so it serves lines of JSON and broken documents as well.
struct JSONScrubber {
    private let bytes: [UInt8]
    private let isLogin: Bool
    private let secretNumbers: Set<String>
    private var index = 0
    private var result: [UInt8] = []
    /// The name of the member that is read.
    private var name = ""

    /// - Parameters:
    ///   - bytes: The text.
    ///   - isLogin: Whether it answers a login.
    ///   - secretNumbers: Texts that must not stand there as a number either.
    init(_ bytes: [UInt8], isLogin: Bool, secretNumbers: Set<String>) {
        self.bytes = bytes
        self.isLogin = isLogin
        self.secretNumbers = secretNumbers
        result.reserveCapacity(bytes.count)
    }

    /// Whether bytes begin as JSON of an API does.
    static func isLikelyJSON(_ bytes: [UInt8]) -> Bool {
        let rest = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes.dropFirst(3) : bytes[...]
        guard let first = rest.first(where: { !" \t\r\n".utf8.contains($0) }) else { return false }
        return "{[\"".utf8.contains(first)
    }

    /// The text without secrets.
    ///
    /// - Parameter scrub: Takes them out of the text of a string.
    /// - Returns: JSON where the text was JSON.
    mutating func run(_ scrub: ([UInt8]) -> [UInt8]) -> [UInt8] {
        while index < bytes.count {
            let byte = bytes[index]
            if byte == UInt8(ascii: "\"") {
                readString(scrub)
            } else if byte == UInt8(ascii: "-") || 0x30...0x39 ~= byte {
                readNumber()
            } else {
                result.append(byte)
                index += 1
            }
        }
        return result
    }

    private mutating func readString(_ scrub: ([UInt8]) -> [UInt8]) {
        var end = index + 1
        while end < bytes.count, bytes[end] != UInt8(ascii: "\"") {
            end += bytes[end] == UInt8(ascii: "\\") ? 2 : 1
        }
        guard end < bytes.count else {
            // A string without an end: the rest is text.
            result += isLogin ? Array(Disguise.mask.utf8) : scrub(Array(bytes[index...]))
            index = bytes.count
            return
        }
        let raw = bytes[(index + 1)..<end]
        index = end + 1
        let isName = bytes[index...].first { !" \t\r\n".utf8.contains($0) } == UInt8(ascii: ":")
        let text = raw.contains(UInt8(ascii: "\\")) ? JSONStringText.decoded(raw) : Array(raw)
        if isName { name = String(decoding: text, as: UTF8.self).lowercased() }
        let clean: [UInt8]
        if isLogin, !isName, !Self.harmlessTexts.contains(name) {
            clean = Array(Disguise.mask.utf8)
        } else {
            clean = scrub(text)
        }
        result.append(UInt8(ascii: "\""))
        result += clean == text ? raw : JSONStringText.encoded(clean)[...]
        result.append(UInt8(ascii: "\""))
    }

    private mutating func readNumber() {
        let token = bytes[index...].prefix { "+-.eE".utf8.contains($0) || 0x30...0x39 ~= $0 }
        index = token.endIndex
        if isLogin, !name.hasPrefix("expires") {
            result += "\"\(Disguise.mask)\"".utf8
        } else if secretNumbers.contains(String(decoding: token, as: UTF8.self)) {
            // A number has no other way to say that it is hidden.
            result.append(UInt8(ascii: "0"))
        } else {
            result += token
        }
    }

    private static let harmlessTexts: Set<String> = ["token_type", "scope", "error", "error_description", "error_uri"]
}

/// The text of JSON strings, read and written without judging them.
enum JSONStringText {
    static func decoded(_ raw: ArraySlice<UInt8>) -> [UInt8] {
        var result: [UInt8] = []
        var units: [UInt16] = []
        var index = raw.startIndex
        func flush() {
            result += String(decoding: units, as: UTF16.self).utf8
            units = []
        }
        while index < raw.endIndex {
            guard raw[index] == UInt8(ascii: "\\"), index + 1 < raw.endIndex else {
                flush()
                result.append(raw[index])
                index += 1
                continue
            }
            let letter = raw[index + 1]
            if letter == UInt8(ascii: "u"), index + 6 <= raw.endIndex,
                let unit = UInt16(String(decoding: raw[(index + 2)..<(index + 6)], as: UTF8.self), radix: 16)
            {
                units.append(unit)
                index += 6
                continue
            }
            flush()
            result.append(escapes[letter] ?? letter)
            index += 2
        }
        flush()
        return result
    }

    static func encoded(_ text: [UInt8]) -> [UInt8] {
        let digits = Array("0123456789abcdef".utf8)
        return text.flatMap { byte -> [UInt8] in
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"): [UInt8(ascii: "\\"), byte]
            case 0..<0x20: Array("\\u00".utf8) + [digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            default: [byte]
            }
        }
    }

    private static let escapes: [UInt8: UInt8] = [
        UInt8(ascii: "b"): 0x08, UInt8(ascii: "f"): 0x0C, UInt8(ascii: "n"): 0x0A, UInt8(ascii: "r"): 0x0D,
        UInt8(ascii: "t"): 0x09,
    ]
}
