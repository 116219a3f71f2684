extension Duration {
    /// The duration in milliseconds, rounded up, from 0 to a number that fits every C type.
    var roundedUpMilliseconds: Int {
        if self <= .zero { return 0 }
        if self >= .milliseconds(Int(Int32.max)) { return Int(Int32.max) }
        let (seconds, attoseconds) = components
        let perMillisecond: Int64 = 1_000_000_000_000_000
        return Int(seconds) * 1000 + Int((attoseconds + perMillisecond - 1) / perMillisecond)
    }

    /// The duration as a message gives it, such as `30 s`.
    var inWords: String {
        let milliseconds = roundedUpMilliseconds
        if milliseconds < 1000 { return "\(milliseconds) ms" }
        let rest = milliseconds % 1000
        if rest == 0 { return "\(milliseconds / 1000) s" }
        let padded = String(String(1000 + rest).dropFirst())
        return "\(milliseconds / 1000).\(padded) s"
    }
}
