import Glibc
import SluiceModel
import SluicePipeline

/// What a value becomes in a type, by rules written down a second time and without any care for speed.
///
/// Nil is a mismatch.
func slowValue(_ tree: Tree, type: FieldType, values: [String] = [], format: String? = nil) -> FieldValue? {
    if type == .json { return FieldValue(tree.compact) }
    switch (type, tree) {
    case (.bool, .bool(let value)): return .integer(value ? 1 : 0)
    case (.datetime, .number(let token)) where format == "unix":
        return SlowNumber(token)?.integer.flatMap { slowMoment(seconds: $0, fraction: "") }
    case (.int, .number(let token)), (.int, .string(let token)):
        return SlowNumber(token)?.integer.map { .integer($0) }
    case (.double, .number(let token)), (.double, .string(let token)):
        guard let number = SlowNumber(token), let value = Double(token), value.isFinite else { return nil }
        if let exact = number.integer, Int64(exactly: value) != exact { return nil }
        return .real(value)
    case (.decimal, .number(let token)), (.decimal, .string(let token)):
        guard let number = SlowNumber(token) else { return nil }
        let isPlain = !token.lowercased().contains("e") && (!token.hasPrefix("-") || !number.digits.isEmpty)
        return FieldValue(isPlain ? token : number.written)
    case (.string, .number(let text)), (.string, .string(let text)): return FieldValue(text)
    case (.enumeration, .number(let text)), (.enumeration, .string(let text)):
        return values.contains { $0.utf8.elementsEqual(text.utf8) } ? FieldValue(text) : nil
    case (.uuid, .string(let text)):
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        let isUUID =
            parts.map(\.utf8.count) == [8, 4, 4, 4, 12]
            && parts.allSatisfy { $0.allSatisfy { $0.isASCII && $0.isHexDigit } }
        return isUUID ? FieldValue(text.lowercased()) : nil
    case (.url, .string(let text)): return text.contains("://") ? FieldValue(text) : nil
    case (.date, .string(let text)):
        let midnight = /([Tt ]00:00:00(\.0+)?([Zz]|[+-]([01][0-9]|2[0-3]):[0-5][0-9])?)?/
        let day = String(text.prefix(10))
        let isDay = day.utf8.count == 10 && slowTime("\(day)T00:00:00Z") != nil
        return isDay && text.dropFirst(10).wholeMatch(of: midnight) != nil ? FieldValue(day) : nil
    case (.datetime, .string(let text)): return slowTime(text)
    default: return nil
    }
}

/// `YYYY-MM-DDThh:mm:ss[.f](Z|±hh:mm)` in UTC, by the C library's calendar.
private func slowTime(_ text: String) -> FieldValue? {
    let bytes = Array(text.utf8)
    func number(_ range: Range<Int>) -> Int32? {
        guard range.upperBound <= bytes.count else { return nil }
        let digits = String(decoding: bytes[range], as: UTF8.self)
        return digits.utf8.allSatisfy { (0x30...0x39).contains($0) } ? Int32(digits) : nil
    }
    guard bytes.count >= 20, bytes[4] == 0x2D, bytes[7] == 0x2D, bytes[10] == 0x54, bytes[13] == 0x3A,
        bytes[16] == 0x3A, let year = number(0..<4), let month = number(5..<7), let day = number(8..<10),
        let hour = number(11..<13), let minute = number(14..<16), let second = number(17..<19), hour < 24, minute < 60,
        second < 60
    else { return nil }
    var parts = unsafe tm()
    unsafe (parts.tm_year, parts.tm_mon, parts.tm_mday) = (year - 1900, month - 1, day)
    unsafe (parts.tm_hour, parts.tm_min, parts.tm_sec) = (hour, minute, second)
    var seconds = unsafe timegm(&parts)
    // The C library turns the 30th of February into the 1st of March.
    guard unsafe parts.tm_mon == month - 1, unsafe parts.tm_mday == day else { return nil }
    var rest = bytes[19...]
    var fraction = ""
    if rest.first == UInt8(ascii: ".") {
        fraction = String(decoding: rest.dropFirst().prefix { (0x30...0x39).contains($0) }, as: UTF8.self)
        if fraction.isEmpty { return nil }
        rest = rest.dropFirst(1 + fraction.utf8.count)
    }
    let zone = String(decoding: rest, as: UTF8.self)
    if zone != "Z" {
        let signs: [Character: Int] = ["+": 1, "-": -1]
        guard zone.utf8.count == 6, let first = zone.first, let sign = signs[first],
            let hours = Int(zone.dropFirst().prefix(2)), let minutes = Int(zone.suffix(2)), hours < 24, minutes < 60
        else { return nil }
        seconds -= sign * (hours * 3600 + minutes * 60)
    }
    return slowMoment(seconds: Int64(seconds), fraction: fraction)
}

private func slowMoment(seconds: Int64, fraction: String) -> FieldValue? {
    var time = time_t(seconds)
    var parts = unsafe tm()
    _ = unsafe gmtime_r(&time, &parts)
    guard unsafe (0...9999).contains(parts.tm_year + 1900) else { return nil }
    func padded(_ value: Int32, _ width: Int) -> String {
        String(repeating: "0", count: max(0, width - String(value).count)) + String(value)
    }
    let date = unsafe "\(padded(parts.tm_year + 1900, 4))-\(padded(parts.tm_mon + 1, 2))-\(padded(parts.tm_mday, 2))"
    let clock = unsafe "\(padded(parts.tm_hour, 2)):\(padded(parts.tm_min, 2)):\(padded(parts.tm_sec, 2))"
    var digits = fraction
    while digits.hasSuffix("0") { digits.removeLast() }
    return FieldValue("\(date)T\(clock)\(digits.isEmpty ? "" : ".\(digits)")Z")
}
