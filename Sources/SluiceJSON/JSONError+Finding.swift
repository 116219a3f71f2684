extension JSONError {
    /// The most bytes that an error quotes.
    static let longestFinding = 24

    /// The same error with what stands at its fault.
    ///
    /// - Parameters:
    ///   - bytes: A part of the text.
    ///   - start: Where the part begins in the text.
    /// - Returns: The error with ``found``, where the part holds the fault.
    @unsafe
    public func found(in bytes: UnsafeRawBufferPointer, from start: Int = 0) -> JSONError {
        guard byteOffset >= start, byteOffset - start < bytes.count else { return self }
        let rest = unsafe UnsafeRawBufferPointer(rebasing: bytes[(byteOffset - start)...])
        var count = 1
        while count < min(rest.count, Self.longestFinding), unsafe !Self.ends(rest[count]) { count += 1 }
        // A single bracket, comma or quote stands for itself.
        if unsafe Self.ends(rest[0]) { count = 1 }
        var error = self
        error.found = unsafe String(decoding: rest.prefix(count), as: UTF8.self)
        return error
    }

    /// The same error with what stands at its fault, see ``found(in:from:)-(UnsafeRawBufferPointer,_)``.
    public func found(in text: [UInt8]) -> JSONError { unsafe text.withUnsafeBytes { unsafe found(in: $0) } }

    private static func ends(_ byte: UInt8) -> Bool { byte <= 0x20 || ",:[]{}\"\\".utf8.contains(byte) }
}
