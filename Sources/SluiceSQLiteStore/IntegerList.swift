/// Reads a JSON array of integers as this program writes it: no white space, no signs but minus, no exponents.
struct IntegerList {
    private let text: ArraySlice<UInt8>
    private var position: Int

    init(_ text: ArraySlice<UInt8>) {
        self.text = text
        position = text.startIndex + 1
    }

    /// Whether all of it can be read.
    var isValid: Bool {
        guard text.count >= 2, text.first == UInt8(ascii: "["), text.last == UInt8(ascii: "]") else { return false }
        if text.count == 2 { return true }
        var list = self
        while list.next() != nil {}
        return list.position == text.endIndex
    }

    /// The next integer, nil behind the last one and where there is none.
    mutating func next() -> Int64? {
        var value: Int64 = 0
        var digits = 0
        var isNegative = false
        var index = position
        while index < text.endIndex {
            let byte = text[index]
            index += 1
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"):
                // Behind eighteen digits there may be no room.
                if digits == 18 { return nil }
                value = value &* 10 &+ Int64(byte &- UInt8(ascii: "0"))
                digits += 1
            case UInt8(ascii: "-") where digits == 0 && !isNegative: isNegative = true
            case UInt8(ascii: ","), UInt8(ascii: "]"):
                if digits == 0 { return nil }
                position = index
                return isNegative ? -value : value
            default: return nil
            }
        }
        return nil
    }
}
