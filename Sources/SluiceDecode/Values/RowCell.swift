internal import SluiceJSON

/// The JSON value of a cell.
enum RowCell {
    private static let longestNumber = 400

    /// Appends the value of a cell: null for an empty one, else its text.
    ///
    /// - Parameters:
    ///   - cell: The cell, which is UTF-8.
    ///   - isTyped: Whether a number or a truth value becomes one, so that types can be told; a number must be written as
    ///     in JSON, so that `007` stays a text.
    ///   - bytes: Where to append it.
    static func append(_ cell: ArraySlice<UInt8>, isTyped: Bool, to bytes: inout [UInt8]) {
        if cell.isEmpty {
            bytes += Array("null".utf8)
        } else if isTyped, isNumber(cell) {
            bytes += cell
        } else if isTyped, let truth = truth(cell) {
            bytes += Array((truth ? "true" : "false").utf8)
        } else {
            unsafe cell.withUnsafeBytes { unsafe JSONWriter.append(utf8: $0, to: &bytes) }
        }
    }

    /// The truth value that a text stands for: `true` or `false` in any case.
    static func truth(_ text: some Collection<UInt8>) -> Bool? {
        guard text.count == 4 || text.count == 5 else { return nil }
        let lower = text.map { $0 | 0x20 }
        return lower == Array("true".utf8) ? true : lower == Array("false".utf8) ? false : nil
    }

    private static func isNumber(_ cell: ArraySlice<UInt8>) -> Bool {
        guard let first = cell.first, first == UInt8(ascii: "-") || (0x30...0x39).contains(first),
            cell.count <= longestNumber
        else { return false }
        var rest = cell
        if first == UInt8(ascii: "-") { rest = rest.dropFirst() }
        guard let digit = rest.popFirst(), (0x30...0x39).contains(digit) else { return false }
        func skipDigits() -> Bool {
            let digits = rest.prefix { (0x30...0x39).contains($0) }
            rest = rest[digits.endIndex...]
            return !digits.isEmpty
        }
        if skipDigits(), digit == UInt8(ascii: "0") { return false }
        if rest.first == UInt8(ascii: ".") {
            rest = rest.dropFirst()
            if !skipDigits() { return false }
        }
        if let mark = rest.first, mark | 0x20 == UInt8(ascii: "e") {
            rest = rest.dropFirst()
            if let sign = rest.first, "+-".utf8.contains(sign) { rest = rest.dropFirst() }
            if !skipDigits() { return false }
        }
        return rest.isEmpty
    }
}
