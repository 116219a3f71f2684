/// Text without the difference between capital and small letters: the simple case folding of Unicode (see UAX #44,
/// `Simple_Case_Folding`).
///
/// One letter is one letter: `ß` is not `ss`, and `ı` is not `i`. Accents count, and so does how they are composed.
package enum CaseFolding {
    /// The text with each letter replaced by the one that stands for all its cases.
    ///
    /// Of bytes that are no UTF-8 only the letters of ASCII are folded.
    package static func folded(_ bytes: UnsafeRawBufferPointer) -> [UInt8] {
        var folded: [UInt8] = []
        folded.reserveCapacity(bytes.count)
        if unsafe bytes.contains(where: { $0 > 0x7F }), let text = unsafe String(validating: bytes, as: UTF8.self) {
            for scalar in text.unicodeScalars { folded.append(contentsOf: fold(scalar).utf8) }
        } else {
            folded.append(contentsOf: unsafe bytes.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 })
        }
        return folded
    }

    /// The small letter of the letter's capital one, where both are single letters.
    ///
    /// That gives the same classes as the table of Unicode, but for the letter that shares its capital with `i`.
    package static func fold(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
        if scalar == "ı" { return scalar }
        let capital = single(scalar.properties.uppercaseMapping) ?? scalar
        return single(capital.properties.lowercaseMapping) ?? capital
    }

    private static func single(_ text: String) -> Unicode.Scalar? {
        let scalars = text.unicodeScalars
        return scalars.count == 1 ? scalars.first : nil
    }
}
