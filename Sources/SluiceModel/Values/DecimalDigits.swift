/// Writes integers as decimal digits without a string for each.
enum DecimalDigits {
    /// The most bytes that an integer takes.
    static let most = 20

    /// Writes an integer.
    ///
    /// - Parameters:
    ///   - value: The integer.
    ///   - bytes: Where it is written, which has room for ``most`` bytes from the position on.
    ///   - position: Where it begins; becomes the position behind it.
    @inline(__always)
    static func write(_ value: Int64, to bytes: UnsafeMutableRawBufferPointer, at position: inout Int) {
        if value < 0 {
            unsafe bytes[position] = UInt8(ascii: "-")
            position &+= 1
        }
        var magnitude = value.magnitude
        let start = position
        repeat {
            let rest = magnitude / 10
            unsafe bytes[position] = UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: magnitude &- rest &* 10)
            position &+= 1
            magnitude = rest
        } while magnitude > 0
        // The digits came from the last to the first.
        var (left, right) = (start, position &- 1)
        while left < right {
            unsafe bytes.swapAt(left, right)
            (left, right) = (left &+ 1, right &- 1)
        }
    }
}
