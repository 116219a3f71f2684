/// Numbers with a unit: durations and sizes.
enum UnitText {
    /// Milliseconds of a duration such as `10s`; nil where it is none.
    static func milliseconds(_ text: String) -> Int? {
        number(text, units: ["ms": 1, "s": 1_000, "m": 60_000, "h": 3_600_000, "d": 86_400_000])
    }

    /// Bytes of a size such as `64MiB`, or of a plain number; nil where it is none.
    static func bytes(_ text: String) -> Int? {
        number(
            text,
            units: [
                "": 1, "B": 1, "KB": 1_000, "MB": 1_000_000, "GB": 1_000_000_000,
                "KiB": 1 << 10, "MiB": 1 << 20, "GiB": 1 << 30,
            ])
    }

    private static func number(_ text: String, units: [String: Int]) -> Int? {
        let digits = text.utf8.prefix { (0x30...0x39).contains($0) }
        guard let value = Int(String(decoding: digits, as: UTF8.self)) else { return nil }
        guard let unit = units[String(text.dropFirst(digits.count))] else { return nil }
        let (product, isTooLarge) = value.multipliedReportingOverflow(by: unit)
        return isTooLarge ? nil : product
    }
}
