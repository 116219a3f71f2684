internal import SluiceSQLite

/// The sum of decimal numbers as they are stored, digit by digit: nothing is rounded.
struct DecimalSum {
    /// Digits of a number that is not negative, the last one first.
    private typealias Digits = [UInt8]
    private var positive: Digits = []
    private var negative: Digits = []
    /// How many of the digits stand behind the point.
    private var scale = 0
    /// How many numbers there were.
    private(set) var count = 0
    /// Whether something was no number.
    private(set) var isBroken = false

    /// Adds a number, or takes it away.
    mutating func add(_ text: [UInt8], isNegated: Bool = false) {
        guard let number = DecimalOrder.digits(text) else {
            isBroken = true
            return
        }
        count += 1
        var digits = Digits(number.fraction.reversed()) + Digits(number.whole.reversed())
        for index in digits.indices { digits[index] -= UInt8(ascii: "0") }
        let places = number.fraction.count
        if places < scale {
            digits.insert(contentsOf: repeatElement(0, count: scale - places), at: 0)
        } else if places > scale {
            let zeros = repeatElement(UInt8(0), count: places - scale)
            positive.insert(contentsOf: zeros, at: 0)
            negative.insert(contentsOf: zeros, at: 0)
            scale = places
        }
        if number.isNegative != isNegated { Self.add(digits, to: &negative) } else { Self.add(digits, to: &positive) }
    }

    private static func add(_ digits: Digits, to sum: inout Digits) {
        if sum.count < digits.count { sum += repeatElement(0, count: digits.count - sum.count) }
        var carry: UInt8 = 0
        for index in sum.indices {
            if index >= digits.count && carry == 0 { return }
            let value = sum[index] + carry + (index < digits.count ? digits[index] : 0)
            sum[index] = value % 10
            carry = value / 10
        }
        if carry > 0 { sum.append(carry) }
    }

    /// The sum as text, in canonical form.
    var text: String { Self.text(difference.digits, scale, isNegative: difference.isNegative) }

    /// The sum divided by the number of numbers, with ten digits behind those of the sum, half of the last one to even.
    var average: String {
        let (digits, isNegative) = difference
        let places = 10
        var rest = 0
        var quotient: Digits = []
        for digit in digits.reversed() + Digits(repeating: 0, count: places) {
            rest = rest * 10 + Int(digit)
            quotient.append(UInt8(rest / count))
            rest %= count
        }
        quotient.reverse()
        let isOdd = (quotient.first ?? 0) % 2 == 1
        if rest * 2 > count || rest * 2 == count && isOdd { Self.add([1], to: &quotient) }
        return Self.text(quotient, scale + places, isNegative: isNegative)
    }

    private var difference: (digits: Digits, isNegative: Bool) {
        let size = max(positive.count, negative.count)
        var (more, less) = (
            positive + Digits(repeating: 0, count: size - positive.count),
            negative + Digits(repeating: 0, count: size - negative.count)
        )
        let isNegative = more.reversed().lexicographicallyPrecedes(less.reversed())
        if isNegative { swap(&more, &less) }
        var borrow: UInt8 = 0
        for index in more.indices {
            let taken = less[index] + borrow
            borrow = more[index] < taken ? 1 : 0
            more[index] = more[index] + borrow * 10 - taken
        }
        return (more, isNegative)
    }

    /// A number in canonical form.
    ///
    /// - Parameters:
    ///   - digits: Its digits, the last one first.
    ///   - scale: How many of them stand behind the point.
    ///   - isNegative: Whether it is less than zero.
    /// - Returns: The text.
    static func text(_ digits: [UInt8], _ scale: Int, isNegative: Bool) -> String {
        let padded = digits + Digits(repeating: 0, count: max(0, scale + 1 - digits.count))
        var whole = Array(padded[scale...].reversed().drop { $0 == 0 })
        if whole.isEmpty { whole = [0] }
        let fraction = Array(padded[..<scale].drop { $0 == 0 }.reversed())
        let ascii = { (digits: Digits) in String(decoding: digits.map { $0 + UInt8(ascii: "0") }, as: UTF8.self) }
        let isZero = whole == [0] && fraction.isEmpty
        return (isNegative && !isZero ? "-" : "") + ascii(whole) + (fraction.isEmpty ? "" : "." + ascii(fraction))
    }
}

/// The function that sums decimals, or averages them. Nulls do not count, and nothing has no sum.
final class DecimalAggregate: SQLiteAggregate {
    private var sum = DecimalSum()
    private let isAverage: Bool

    init(isAverage: Bool) { self.isAverage = isAverage }

    func accept(_ value: SQLiteValue) {
        switch value {
        case .null: break
        case .text(let text): sum.add(text)
        case .integer(let number): sum.add(Array(String(number).utf8))
        case .real(let number): sum.add(Array(String(number).utf8))
        case .blob: sum.add([])
        }
    }

    var result: SQLiteValue {
        if sum.isBroken { return .text(Array("a value that is no number".utf8)) }
        if sum.count == 0 { return .null }
        return .text(Array((isAverage ? sum.average : sum.text).utf8))
    }
}
