#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

/// The compiler's side of a plugin: messages of eight bytes of length, little-endian, and so many bytes of JSON.
///
/// See: github.com/swiftlang/swift-syntax, Sources/SwiftCompilerPluginMessageHandling
struct PluginChannel {
    private let input: Int32
    private let output: Int32

    /// Takes standard input and output for itself: what anything else prints goes to standard error.
    init() {
        input = dup(0)
        output = dup(1)
        _ = dup2(2, 1)
        _ = close(0)
    }

    /// The next message; nil where there is none any more.
    func receive() -> [UInt8]? {
        guard let header = accept(8) else { return nil }
        let count = header.reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        return Int(exactly: count).flatMap(accept)
    }

    /// Sends a message.
    ///
    /// - Parameter text: JSON.
    /// - Returns: Whether anybody took it.
    func send(_ text: String) -> Bool {
        let payload = Array(text.utf8)
        let length = UInt64(payload.count)
        let message = (0..<8).map { UInt8(truncatingIfNeeded: length >> (8 * UInt64($0))) } + payload
        var done = 0
        while done < message.count {
            let rest = Array(message[done...])
            let written = unsafe rest.withUnsafeBytes { unsafe write(output, $0.baseAddress, $0.count) }
            if written <= 0 { return false }
            done += written
        }
        return true
    }

    private func accept(_ count: Int) -> [UInt8]? {
        var bytes: [UInt8] = []
        var part = [UInt8](repeating: 0, count: min(count, 1 << 16))
        while bytes.count < count {
            let wanted = min(part.count, count - bytes.count)
            let got = unsafe part.withUnsafeMutableBytes { unsafe read(input, $0.baseAddress, wanted) }
            if got <= 0 { return nil }
            bytes += part.prefix(got)
        }
        return bytes
    }
}
