internal import SluicePipeline

/// A number of rows, or a share of them.
enum RowLimitText {
    /// The limit of a text such as `100` or `2.5%`; nil where it is none.
    static func limit(_ text: String) -> DeleteRule.Limit? {
        guard text.hasSuffix("%") else {
            guard text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let count = Int(text) else { return nil }
            return .count(count)
        }
        let number = text.dropLast()
        let isPlain = number.utf8.allSatisfy { (0x30...0x39).contains($0) || $0 == UInt8(ascii: ".") }
        guard isPlain, number.utf8.first != UInt8(ascii: "."), number.utf8.last != UInt8(ascii: "."),
            let percent = Double(number), percent <= 100
        else { return nil }
        return .percent(percent)
    }
}
