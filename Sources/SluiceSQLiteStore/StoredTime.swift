internal import SluiceModel

/// A moment as tables of other programs keep it: text without a zone is UTC.
struct StoredTime {
    /// `2024-01-31`
    private let date: ArraySlice<UInt8>
    /// `12:00:00`
    private let time: ArraySlice<UInt8>
    /// Digits without zeros at their end.
    private let fraction: ArraySlice<UInt8>
    /// Nothing for UTC, else `+01:00`.
    private let zone: ArraySlice<UInt8>

    /// Reads `2024-01-31 12:00:00.5`, with a `T` or a blank, with a zone or without; nil where the text is no time.
    init?(_ text: [UInt8]) {
        let pattern = Array("dddd-dd-ddTdd:dd:dd".utf8)
        guard text.count >= pattern.count else { return nil }
        for (byte, sign) in zip(text, pattern) {
            let fits =
                switch sign {
                case UInt8(ascii: "d"): Self.isDigit(byte)
                case UInt8(ascii: "T"): byte == sign || byte == UInt8(ascii: " ")
                default: byte == sign
                }
            if !fits { return nil }
        }
        var rest = text[pattern.count...]
        var digits = rest[rest.startIndex..<rest.startIndex]
        if rest.first == UInt8(ascii: ".") {
            digits = rest.dropFirst().prefix(while: Self.isDigit)
            rest = rest.dropFirst(digits.count + 1)
            if digits.isEmpty { return nil }
            while digits.last == UInt8(ascii: "0") { digits = digits.dropLast() }
        }
        if rest.elementsEqual("Z".utf8) || rest.elementsEqual("+00:00".utf8) { rest = rest.dropFirst(rest.count) }
        guard rest.isEmpty || rest.count == 6 && "+-".utf8.contains(rest.first ?? 0) else { return nil }
        (date, time, fraction, zone) = (text[..<10], text[11..<19], digits, rest)
    }

    /// Makes a moment of a number of parts of a second since 1970; nil outside of the years 0 to 9999.
    init?(count: Int64, perSecond: Int64) {
        let seconds = Self.floor(count, perSecond)
        guard (-62_167_219_200...253_402_300_799).contains(seconds) else { return nil }
        let (day, second) = (Self.floor(seconds, 86_400), Self.remainder(seconds, 86_400))
        let (year, month, number) = Self.date(day: day)
        var text = Array("\(Self.padded(year, 4))-\(Self.padded(month, 2))-\(Self.padded(number, 2))T".utf8)
        text +=
            "\(Self.padded(second / 3600, 2)):\(Self.padded(second / 60 % 60, 2)):\(Self.padded(second % 60, 2))"
            .utf8
        let rest = Self.remainder(count, perSecond)
        if rest > 0 { text += ".\(Self.padded(rest, String(perSecond).count - 1))".utf8 }
        self.init(text)
    }

    /// As a table of ours has it, but for the zone of one that is not UTC.
    var value: FieldValue {
        var text = Array(date) + [UInt8(ascii: "T")] + time
        if !fraction.isEmpty { text += [UInt8(ascii: ".")] + fraction }
        return .text(text + (zone.isEmpty ? Array("Z".utf8) : Array(zone)))
    }

    /// With a blank and up to six digits of a fraction, which are all there or none; nil where that is not enough.
    func spaced(hasAllDigits: Bool) -> [UInt8]? {
        guard zone.isEmpty, fraction.count <= 6 else { return nil }
        let zeros = [UInt8](repeating: UInt8(ascii: "0"), count: 6 - fraction.count)
        let text = Array(date) + [UInt8(ascii: " ")] + time
        return fraction.isEmpty && !hasAllDigits ? text : text + [UInt8(ascii: ".")] + fraction + zeros
    }

    /// How many parts of a second it is since 1970; nil where it is no whole number of them.
    func count(perSecond: Int64) -> Int64? {
        let places = String(perSecond).count - 1
        guard zone.isEmpty, fraction.count <= places else { return nil }
        func number(_ bytes: ArraySlice<UInt8>) -> Int64 {
            bytes.reduce(0) { $0 * 10 + Int64($1) - Int64(UInt8(ascii: "0")) }
        }
        let day = Self.day(
            year: number(date.prefix(4)), month: number(date.dropFirst(5).prefix(2)), day: number(date.suffix(2)))
        let second =
            number(time.prefix(2)) * 3600 + number(time.dropFirst(3).prefix(2)) * 60 + number(time.suffix(2))
        let zeros = [UInt8](repeating: UInt8(ascii: "0"), count: places - fraction.count)
        return (day * 86_400 + second) * perSecond + number(ArraySlice(Array(fraction) + zeros))
    }

    private static func isDigit(_ byte: UInt8) -> Bool { byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9") }

    private static func padded(_ number: Int64, _ width: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }

    private static func floor(_ number: Int64, _ divisor: Int64) -> Int64 {
        number / divisor - (number % divisor < 0 ? 1 : 0)
    }

    private static func remainder(_ number: Int64, _ divisor: Int64) -> Int64 {
        number - floor(number, divisor) * divisor
    }

    // Days since 1970 in the Gregorian calendar, in years that begin in March, so that the leap day comes last.

    private static func day(year: Int64, month: Int64, day: Int64) -> Int64 {
        let shifted = month > 2 ? year : year - 1
        let leapDays = floor(shifted, 4) - floor(shifted, 100) + floor(shifted, 400)
        return shifted * 365 + leapDays + (153 * ((month + 9) % 12) + 2) / 5 + day - 719_469
    }

    private static func date(day: Int64) -> (year: Int64, month: Int64, day: Int64) {
        let shifted = day + 719_468
        let era = floor(shifted, 146_097)
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        return (
            yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
        )
    }
}
