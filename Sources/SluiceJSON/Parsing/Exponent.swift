/// An exponent of any size: sign and magnitude, the digits without leading zeros.
struct Exponent: Comparable {
    private var isNegative = false
    private var digits: [UInt8] = []

    init() {}

    /// Reads ASCII digits.
    init(isNegative: Bool, digits: some Sequence<UInt8>) {
        self.digits = Array(digits.drop { $0 == UInt8(ascii: "0") })
        self.isNegative = isNegative && !self.digits.isEmpty
    }

    /// The value if it has up to 18 digits, which leaves room to calculate.
    var small: Int? {
        guard digits.count <= 18 else { return nil }
        let magnitude = digits.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
        return isNegative ? -magnitude : magnitude
    }

    static func < (left: Exponent, right: Exponent) -> Bool {
        if left.isNegative != right.isNegative { return left.isNegative }
        let (less, more) = left.isNegative ? (right.digits, left.digits) : (left.digits, right.digits)
        return less.count == more.count ? less.lexicographicallyPrecedes(more) : less.count < more.count
    }

    func adding(_ value: Int) -> Exponent {
        if let small { return Exponent(small + value) }
        // The magnitude has more digits than the other value: the sign stays, whatever is added.
        var sum = self
        sum.addToMagnitude(isNegative ? -value : value)
        return sum
    }

    func append(to bytes: inout [UInt8]) {
        if isNegative { bytes.append(UInt8(ascii: "-")) }
        if digits.isEmpty { bytes.append(UInt8(ascii: "0")) }
        bytes.append(contentsOf: digits)
    }

    private init(_ value: Int) {
        self.init(isNegative: value < 0, digits: String(value.magnitude).utf8)
    }

    private mutating func addToMagnitude(_ value: Int) {
        var carry = value
        for index in digits.indices.reversed() where carry != 0 {
            let sum = Int(digits[index] - UInt8(ascii: "0")) + carry
            let digit = (sum % 10 + 10) % 10
            digits[index] = UInt8(ascii: "0") + UInt8(digit)
            carry = (sum - digit) / 10
        }
        if carry > 0 { digits.insert(contentsOf: String(carry).utf8, at: 0) }
        digits.removeFirst(digits.prefix { $0 == UInt8(ascii: "0") }.count)
    }
}
