import SluiceModel

/// Times as tables write them.
enum Moment {
    /// Seconds since the epoch of `2012-03-11T00:00:00-05:00`; UTC without an offset. A fraction does not count.
    static func of(_ text: String) -> Int64? {
        let digits = text.split { !$0.isNumber }.compactMap { Int($0) }
        guard digits.count >= 6, let days = Timestamp.days(year: digits[0], month: digits[1], day: digits[2]) else {
            return nil
        }
        var offset = 0
        let tail = text.dropFirst(19).drop { $0 == "." || $0.isNumber }
        if let sign = tail.first, sign == "+" || sign == "-" {
            let parts = tail.dropFirst().split(separator: ":").compactMap { Int($0) }
            offset = (parts[0] * 3600 + parts[1] * 60) * (sign == "-" ? -1 : 1)
        }
        return Timestamp(days: days, hour: digits[3], minute: digits[4], second: digits[5], offsetSeconds: offset)?
            .seconds
    }

    static func text(_ moment: Int64) -> String {
        var bytes: [UInt8] = []
        Timestamp(seconds: moment)?.appendRFC3339(to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }
}
