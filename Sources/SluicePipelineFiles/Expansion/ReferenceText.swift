internal import SluicePipeline

/// Reads texts with `${…}`.
enum ReferenceText {
    /// A run of a text.
    enum Piece: Equatable {
        case literal(String)
        case environment(name: String, fallback: String?)
        case file(path: String)
        case variable(name: String)
    }

    /// The pieces of a text; `$$` is a literal `$`, and so is a `$` before anything but `{`.
    static func parse(_ text: String) throws(TextProblem) -> [Piece] {
        let bytes = Array(text.utf8)
        let dollar = UInt8(ascii: "$")
        var pieces: [Piece] = []
        var literal: [UInt8] = []
        var index = 0
        while index < bytes.count {
            let next = index + 1 < bytes.count ? bytes[index + 1] : nil
            guard bytes[index] == dollar, next == dollar || next == UInt8(ascii: "{") else {
                literal.append(bytes[index])
                index += 1
                continue
            }
            if next == dollar {
                literal.append(dollar)
                index += 2
                continue
            }
            guard let end = bytes[index...].firstIndex(of: UInt8(ascii: "}")) else {
                throw TextProblem("`${` is not closed by `}`.", offset: index, help: literalHelp)
            }
            if !literal.isEmpty { pieces.append(.literal(String(decoding: literal, as: UTF8.self))) }
            literal = []
            pieces.append(try reference(String(decoding: bytes[index + 2..<end], as: UTF8.self), offset: index))
            index = end + 1
        }
        if !literal.isEmpty { pieces.append(.literal(String(decoding: literal, as: UTF8.self))) }
        return pieces
    }

    private static let literalHelp = "A literal `${` is written `$${`."

    private static func reference(_ body: String, offset: Int) throws(TextProblem) -> Piece {
        let kind = body.prefix { $0 != ":" }
        let rest = body.dropFirst(kind.count + 1)
        if kind.count < body.count, !rest.isEmpty {
            switch kind {
            case "env": return try environment(rest, offset: offset)
            case "file": return .file(path: String(rest))
            case "var": return .variable(name: String(rest))
            default: break
            }
        }
        throw TextProblem(
            "`${\(body)}` is not `${env:NAME}`, `${env:NAME:-default}`, `${file:PATH}` or `${var:name}`.",
            offset: offset, help: literalHelp)
    }

    private static func environment(_ text: Substring, offset: Int) throws(TextProblem) -> Piece {
        let name = text.prefix { $0 != ":" }
        let rest = text.dropFirst(name.count)
        let isName = name.utf8.allSatisfy {
            (0x61...0x7A).contains($0 | 0x20) || (0x30...0x39).contains($0) || $0 == UInt8(ascii: "_")
        }
        guard !name.isEmpty, isName, rest.isEmpty || rest.hasPrefix(":-") else {
            throw TextProblem(
                "The name of an environment variable has ASCII letters (A–Z, a–z), digits and `_` only.",
                offset: offset,
                help: "A default follows `:-`, as in `${env:NAME:-default}`.")
        }
        return .environment(name: String(name), fallback: rest.isEmpty ? nil : String(rest.dropFirst(2)))
    }
}
