/// Reads a program by the lexical grammar of jq, looking for what pipelines may not use.
///
/// It stops at nothing that jq would take for a syntax error: it need only see every name that jq sees, in the role
/// that jq gives it. A name within a string, a comment or a format, a field (`.env`) or the name of a member
/// (`{env: 1}`, `{env}`) is no call.
struct ProgramCheck {
    struct Fault {
        var message: String
        var offset: Int
    }

    /// What is open at the present place, innermost last.
    private enum Nesting {
        case bracket
        /// An object; whether the name of a member comes next.
        case object(expectsName: Bool)
        /// An expression in a string; its closing parenthesis leads back into the string.
        case interpolation
    }

    static let maximumByteCount = 64 << 10

    private let bytes: [UInt8]
    private var position = 0
    private var nesting: [Nesting] = []

    private init(_ text: String) { bytes = Array(text.utf8) }

    /// The first thing in a program that pipelines may not use; nil if there is none.
    static func firstFault(in text: String) -> Fault? {
        var check = ProgramCheck(text)
        return check.run()
    }

    private var current: UInt8 { position < bytes.count ? bytes[position] : 0 }

    private func byte(after offset: Int) -> UInt8 {
        position + offset < bytes.count ? bytes[position + offset] : 0
    }

    private mutating func run() -> Fault? {
        if bytes.count > Self.maximumByteCount {
            return Fault(message: "The program is longer than \(Self.maximumByteCount) bytes.", offset: 0)
        }
        while position < bytes.count {
            let start = position
            if let message = step() { return Fault(message: message, offset: start) }
        }
        return nil
    }

    /// Reads one token; a message if it may not be used.
    private mutating func step() -> String? {
        switch current {
        case UInt8(ascii: "#"): return skipComment()
        case UInt8(ascii: "\""):
            position += 1
            skipString()
        case UInt8(ascii: "("), UInt8(ascii: "["): open(.bracket)
        case UInt8(ascii: "{"): open(.object(expectsName: true))
        case UInt8(ascii: ")"), UInt8(ascii: "]"), UInt8(ascii: "}"): close()
        case UInt8(ascii: ","): separate(expectsName: true)
        case UInt8(ascii: ":"): separate(expectsName: false)
        case UInt8(ascii: "@"):
            position += 1
            _ = readName()
        case UInt8(ascii: "$"): return readVariable()
        case UInt8(ascii: ".") where Self.beginsName(byte(after: 1)):
            position += 1
            _ = readName()
        case UInt8(ascii: "."), UInt8(ascii: "0")...UInt8(ascii: "9"): return readNumber()
        case let byte where Self.beginsName(byte): return judge(readName())
        case 0: return "The program holds a NUL character."
        case UInt8(ascii: "\r"): return "The program holds a carriage return that no line feed follows."
        default: position += 1
        }
        return nil
    }

    // Versions of jq differ in whether a carriage return ends a comment and a backslash continues it; neither may occur
    // in one, so that all agree on what is a comment.
    private mutating func skipComment() -> String? {
        while position < bytes.count, current != UInt8(ascii: "\n") {
            if current == UInt8(ascii: "\r") || current == 0 { return nil }
            if current == UInt8(ascii: "\\") && byte(after: 1) == UInt8(ascii: "\n") {
                return "A comment ends with a backslash, which versions of jq read in different ways."
            }
            position += 1
        }
        return nil
    }

    /// Goes on behind the string, or behind the start of an expression in it.
    private mutating func skipString() {
        while position < bytes.count {
            switch current {
            case UInt8(ascii: "\""):
                position += 1
                return
            case UInt8(ascii: "\\"):
                let isExpression = byte(after: 1) == UInt8(ascii: "(")
                position = min(position + 2, bytes.count)
                if isExpression {
                    nesting.append(.interpolation)
                    return
                }
            // As outside of strings, jq would take what follows for no part of the program.
            case 0: return
            default: position += 1
            }
        }
    }

    private mutating func open(_ level: Nesting) {
        nesting.append(level)
        position += 1
    }

    private mutating func close() {
        position += 1
        if case .interpolation? = nesting.popLast() { skipString() }
    }

    private mutating func separate(expectsName: Bool) {
        position += 1
        if case .object? = nesting.last { nesting[nesting.count - 1] = .object(expectsName: expectsName) }
    }

    private mutating func readVariable() -> String? {
        position += 1
        // White space and comments may stand between the sign and the name.
        while position < bytes.count {
            if current == UInt8(ascii: "#") {
                if let message = skipComment() { return message }
                if current != UInt8(ascii: "\n") { return nil }
            } else if current != UInt8(ascii: " "), current != UInt8(ascii: "\t"), current != UInt8(ascii: "\n") {
                break
            }
            position += 1
        }
        let name = readName()
        return RefusedNames.reason(ofVariable: name).map { "`$\(name)` may not be used: \($0)." }
    }

    private mutating func judge(_ name: Substring) -> String? {
        if case .object(expectsName: true)? = nesting.last { return nil }
        let reason = RefusedNames.reason(ofKeyword: name) ?? RefusedNames.reason(ofFunction: name)
        return reason.map { "`\(name)` may not be used: \($0)." }
    }

    /// Reads a name; of a qualified one (`module::name`) the last part is what is called.
    private mutating func readName() -> Substring {
        var start = position
        while Self.continuesName(current) || isQualifier {
            if current == UInt8(ascii: ":") {
                position += 2
                start = position
            } else {
                position += 1
            }
        }
        return Substring(String(decoding: bytes[start..<position], as: UTF8.self))
    }

    private var isQualifier: Bool {
        current == UInt8(ascii: ":") && byte(after: 1) == UInt8(ascii: ":") && Self.beginsName(byte(after: 2))
    }

    private mutating func readNumber() -> String? {
        let start = position
        while current == UInt8(ascii: ".") || Self.isDigit(current) { position += 1 }
        let isWhole = !bytes[start..<position].contains(UInt8(ascii: "."))
        if current | 0x20 == UInt8(ascii: "e") {
            let sign = byte(after: 1) == UInt8(ascii: "+") || byte(after: 1) == UInt8(ascii: "-") ? 1 : 0
            if Self.isDigit(byte(after: 1 + sign)) {
                position += 1 + sign
                while Self.isDigit(current) { position += 1 }
                return nil
            }
        }
        guard isWhole else { return nil }
        let text = String(decoding: bytes[start..<position], as: UTF8.self)
        if let integer = Int64(text), let double = Double(text), Int64(exactly: double) == integer { return nil }
        return "jq cannot hold the number \(text) with all its digits, since its numbers are doubles."
    }

    private static func isDigit(_ byte: UInt8) -> Bool { byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9") }

    private static func beginsName(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "_") || (byte | 0x20 >= UInt8(ascii: "a") && byte | 0x20 <= UInt8(ascii: "z"))
    }

    private static func continuesName(_ byte: UInt8) -> Bool { beginsName(byte) || isDigit(byte) }
}
