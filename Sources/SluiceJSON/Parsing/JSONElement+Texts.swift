extension JSONElement {
    /// The number of bytes of a string without its escapes, or of a number as its source wrote it; 0 for anything else.
    package var textByteCount: Int { unsafe kind == .string ? utf8.count : token.count }

    /// Whether a number was written with an exponent.
    package var hasExponent: Bool { unsafe token.contains { $0 | 0x20 == UInt8(ascii: "e") } }
}
