extension Int {
    /// A number of bytes as `max_response` takes it, such as `64MiB`, where it is a round one.
    package var inBinaryUnits: String {
        for (shift, unit) in [(30, "GiB"), (20, "MiB"), (10, "KiB")]
        where self >= 1 << shift && self % (1 << shift) == 0 {
            return "\(self >> shift)\(unit)"
        }
        return "\(self) bytes"
    }
}
