internal import SluiceDiagnostics

/// Numbers for people.
package enum CountText {
    /// A number with a comma between each three digits.
    package static func grouped(_ number: Int) -> String { Plural.grouped(number) }

    /// A number of things: `1 page`, `2 pages`.
    package static func of(_ number: Int, _ one: String, _ many: String? = nil) -> String {
        Plural.of(number, one, many)
    }

    /// The word that agrees with a number, such as a verb.
    package static func word(_ number: Int, _ one: String, _ many: String) -> String { Plural.word(number, one, many) }

    /// A time that something took.
    package static func duration(_ seconds: Double) -> String {
        let tenths = (min(max(seconds, 0), 1e9) * 10).rounded()
        if tenths < 1 { return "under 0.1 s" }
        if tenths < 100 { return "\(Int(tenths) / 10).\(Int(tenths) % 10) s" }
        let whole = Int(tenths / 10)
        return whole < 60 ? "\(whole) s" : "\(whole / 60) min \(whole % 60) s"
    }

    /// A time that something took, as far as clocks that show whole seconds tell.
    package static func time(_ seconds: Int) -> String {
        switch seconds {
        case ..<1: "under 1 s"
        case ..<60: "\(seconds) s"
        case ..<3600: "\(seconds / 60) min \(seconds % 60) s"
        default: "\(grouped(seconds / 3600)) h \(seconds / 60 % 60) min"
        }
    }

    /// How long ago something was, in one unit, rounded down.
    package static func age(_ seconds: Int) -> String {
        let units = [(172_800, 86_400, "day"), (7200, 3600, "hour"), (120, 60, "minute")]
        let unit = units.first { seconds >= $0.0 }
        if let unit { return of(seconds / unit.1, unit.2) }
        return seconds < 1 ? "under a second" : of(seconds, "second")
    }

    /// A number of bytes with a unit.
    package static func bytes(_ count: Int) -> String {
        var value = Double(count)
        for unit in ["bytes", "kB", "MB", "GB"] {
            if value < 1000 { return unit == "bytes" ? "\(count) bytes" : "\(tenths(value)) \(unit)" }
            value /= 1000
        }
        return "\(tenths(value)) TB"
    }

    private static func tenths(_ value: Double) -> String {
        let tenths = Int((value * 10).rounded())
        return "\(tenths / 10).\(tenths % 10)"
    }
}
