extension Timestamp {
    /// The moment in a format, in UTC.
    package func text(_ format: TimeFormat) -> String {
        var bytes: [UInt8] = []
        switch format {
        case .rfc3339: appendRFC3339(to: &bytes)
        case .date: appendDate(to: &bytes)
        case .unix:
            bytes = Array(String(seconds).utf8)
        case .unixMilliseconds:
            bytes = Array(String(seconds * 1000 + Int64(milliseconds)).utf8)
        case .mail:
            bytes += weekday.utf8.prefix(3)
            append(Array(", %d %b %Y %T +0000".utf8), to: &bytes)
        case .usenet:
            bytes += weekday.utf8
            append(Array(", %d-%b-%y %T GMT".utf8), to: &bytes)
        case .http:
            bytes += weekday.utf8.prefix(3)
            append(Array(", %d %b %Y %T GMT".utf8), to: &bytes)
        case .pattern(let pattern): append(pattern, to: &bytes)
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private var weekday: String {
        // 1970-01-01 was a Thursday.
        let names = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"]
        return names[((dayNumber + 4) % 7 + 7) % 7]
    }

    private var milliseconds: Int {
        (0..<3).reduce(0) { sum, index in
            sum * 10 + (index < fraction.count ? Int(fraction[index]) - Int(UInt8(ascii: "0")) : 0)
        }
    }

    /// Appends what strftime's directives stand for. See: `man 3 strftime`
    private func append(_ pattern: [UInt8], to bytes: inout [UInt8]) {
        var rest = pattern[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%"), let letter = rest.popFirst() else {
                bytes.append(byte)
                continue
            }
            append(directive: letter, to: &bytes)
        }
    }

    private func append(directive letter: UInt8, to bytes: inout [UInt8]) {
        let second = secondOfDay
        let (hour, minute) = (second / 3600, second / 60 % 60)
        let date = Timestamp.date(days: dayNumber)
        switch Unicode.Scalar(letter) {
        case "Y": Self.append(date.year, width: 4, to: &bytes)
        case "y": Self.append(date.year % 100, width: 2, to: &bytes)
        case "m": Self.append(date.month, width: 2, to: &bytes)
        case "d": Self.append(date.day, width: 2, to: &bytes)
        case "e":
            if date.day < 10 { bytes.append(UInt8(ascii: " ")) }
            Self.append(date.day, width: date.day < 10 ? 1 : 2, to: &bytes)
        case "j":
            let first = Timestamp.days(year: date.year, month: 1, day: 1) ?? dayNumber
            Self.append(dayNumber - first + 1, width: 3, to: &bytes)
        case "H": Self.append(hour, width: 2, to: &bytes)
        case "I": Self.append(hour % 12 == 0 ? 12 : hour % 12, width: 2, to: &bytes)
        case "M": Self.append(minute, width: 2, to: &bytes)
        case "S": Self.append(second % 60, width: 2, to: &bytes)
        case "f": bytes += (fraction + Array(repeating: UInt8(ascii: "0"), count: 6)).prefix(6)
        case "p": bytes += Array((hour < 12 ? "AM" : "PM").utf8)
        case "B": bytes += Array(Self.months[date.month - 1].utf8)
        case "b": bytes += Array(Self.months[date.month - 1].utf8.prefix(3))
        case "z": bytes += Array("+0000".utf8)
        case "Z": bytes += Array("UTC".utf8)
        case "T": append(Array("%H:%M:%S".utf8), to: &bytes)
        case "D": append(Array("%m/%d/%y".utf8), to: &bytes)
        case "F": append(Array("%Y-%m-%d".utf8), to: &bytes)
        default: bytes.append(letter)
        }
    }

    private static let months = [
        "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
        "December",
    ]
}
