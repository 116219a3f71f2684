/// Reads the characters of a time text, one after the other.
@safe
package struct TimeScanner {
    private let bytes: UnsafeRawBufferPointer
    private var position = 0

    package init(_ bytes: UnsafeRawBufferPointer) { unsafe self.bytes = bytes }

    package var isAtEnd: Bool { unsafe position == bytes.count }
    package var current: UInt8? { unsafe position < bytes.count ? bytes[position] : nil }

    package mutating func skip(_ byte: UInt8) -> Bool {
        guard current == byte else { return false }
        position += 1
        return true
    }

    package mutating func skip(_ character: Unicode.Scalar) -> Bool { skip(UInt8(ascii: character)) }

    package mutating func advance() { position += 1 }

    /// A number of exactly so many digits, or of at least one and at most so many.
    package mutating func number(digits: Int, orFewer: Bool = false) -> Int? {
        var value = 0
        var count = 0
        while count < digits, let byte = current, byte >= UInt8(ascii: "0"), byte <= UInt8(ascii: "9") {
            value = value * 10 + Int(byte - UInt8(ascii: "0"))
            position += 1
            count += 1
        }
        return count == digits || (orFewer && count > 0) ? value : nil
    }

    /// One or more digits, as they are.
    package mutating func digits() -> [UInt8] {
        var digits: [UInt8] = []
        while let byte = current, byte >= UInt8(ascii: "0"), byte <= UInt8(ascii: "9") {
            digits.append(byte)
            position += 1
        }
        return digits
    }

    /// The position of the name that comes next, compared without case.
    package mutating func name(of names: [String], prefixLength: Int? = nil) -> Int? {
        for (index, name) in names.enumerated() {
            let wanted = Array(name.utf8.prefix(prefixLength ?? name.utf8.count))
            guard unsafe position + wanted.count <= bytes.count else { continue }
            let matches = wanted.indices.allSatisfy { unsafe bytes[position + $0] | 0x20 == wanted[$0] | 0x20 }
            if matches {
                position += wanted.count
                return index
            }
        }
        return nil
    }

    /// `Z`, `+hh:mm` or, where `isLenient`, `+hhmm` and `+hh`: seconds east of UTC.
    package mutating func offset(isLenient: Bool) -> Int? {
        if skip("Z") || skip("z") { return 0 }
        let sign: Int
        if skip("+") { sign = 1 } else if skip("-") { sign = -1 } else { return nil }
        guard let hours = number(digits: 2), hours <= 23 else { return nil }
        let hasColon = skip(":")
        if !hasColon && !isLenient { return nil }
        if isLenient && !hasColon && !(current.map { $0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9") } ?? false) {
            return sign * hours * 3600
        }
        guard let minutes = number(digits: 2), minutes <= 59 else { return nil }
        return sign * (hours * 3600 + minutes * 60)
    }
}

extension Timestamp {
    /// Reads a date and time, or a date, as it is stored.
    package init?(stored bytes: [UInt8]) { self.init(stored: bytes[...]) }

    /// The same of a part of other bytes.
    package init?(stored bytes: ArraySlice<UInt8>) {
        let read = unsafe bytes.withUnsafeBytes { unsafe Timestamp(rfc3339: $0) ?? Timestamp(date: $0) }
        guard let read else { return nil }
        self = read
    }

    /// Reads a date and time as RFC 3339 section 5.6 writes it; a leap second is no moment here.
    ///
    /// - Parameters:
    ///   - bytes: The text.
    ///   - defaultOffset: Seconds east of UTC where the text states none, nil where it must.
    ///   - isLocal: Whether the offset that the text states is left aside, so that day and time are those that it writes.
    package init?(rfc3339 bytes: UnsafeRawBufferPointer, defaultOffset: Int? = nil, isLocal: Bool = false) {
        var scanner = unsafe TimeScanner(bytes)
        guard let days = Self.date(&scanner), scanner.skip("T") || scanner.skip("t") || scanner.skip(" "),
            let hour = scanner.number(digits: 2), scanner.skip(":"), let minute = scanner.number(digits: 2),
            scanner.skip(":"), let second = scanner.number(digits: 2)
        else { return nil }
        var fraction: [UInt8] = []
        if scanner.skip(".") {
            fraction = scanner.digits()
            if fraction.isEmpty { return nil }
        }
        guard let offset = scanner.isAtEnd ? defaultOffset : scanner.offset(isLenient: false), scanner.isAtEnd else {
            return nil
        }
        self.init(
            days: days, hour: hour, minute: minute, second: second, fraction: fraction,
            offsetSeconds: isLocal ? 0 : offset)
    }

    /// Reads `YYYY-MM-DD`.
    package init?(date bytes: UnsafeRawBufferPointer) {
        var scanner = unsafe TimeScanner(bytes)
        guard let days = Self.date(&scanner), scanner.isAtEnd else { return nil }
        self.init(seconds: Int64(days) * 86_400)
    }

    private static func date(_ scanner: inout TimeScanner) -> Int? {
        guard let year = scanner.number(digits: 4), scanner.skip("-"), let month = scanner.number(digits: 2),
            scanner.skip("-"), let day = scanner.number(digits: 2)
        else { return nil }
        return days(year: year, month: month, day: day)
    }

    /// Whether text is a moment as this program writes it, so that it can be kept as it is: `YYYY-MM-DDThh:mm:ssZ`, or
    /// with a fraction that does not end in zero.
    package static func isCanonical(_ bytes: UnsafeRawBufferPointer) -> Bool {
        let end = bytes.count &- 1
        guard end >= 19, unsafe bytes[end] == 0x5A else { return false }
        if end > 19 {
            guard end > 20, unsafe bytes[19] == 0x2E, unsafe bytes[end &- 1] != 0x30 else { return false }
            for index in 20..<end where unsafe bytes[index] < 0x30 || bytes[index] > 0x39 { return false }
        }
        // Four digits, or a number of two.
        func pair(_ index: Int) -> Int {
            let high = unsafe Int(bytes[index]) &- 48
            let low = unsafe Int(bytes[index &+ 1]) &- 48
            return high >= 0 && high <= 9 && low >= 0 && low <= 9 ? high &* 10 &+ low : 1000
        }
        guard unsafe bytes[4] == 0x2D, unsafe bytes[7] == 0x2D, unsafe bytes[10] == 0x54, unsafe bytes[13] == 0x3A,
            unsafe bytes[16] == 0x3A
        else { return false }
        let (century, year, month, day) = (pair(0), pair(2), pair(5), pair(8))
        guard century < 100, year < 100, month >= 1, month <= 12, day >= 1, pair(11) <= 23, pair(14) <= 59,
            pair(17) <= 59
        else { return false }
        return day <= 28 || day <= length(ofMonth: month, year: century &* 100 &+ year)
    }
}

extension Timestamp {
    /// The seconds east of UTC that a text such as `UTC`, `+01:00` or `-0500` states; nil where it is none.
    package static func offset(_ text: String) -> Int? {
        if text.uppercased() == "UTC" { return 0 }
        var text = text
        return text.withUTF8 { utf8 in
            var scanner = unsafe TimeScanner(UnsafeRawBufferPointer(utf8))
            return scanner.offset(isLenient: true)
        }
    }
}
