extension FieldDigest {
    // Digests of other ways to compare share no value with those of exact ones: where a field's `compare` changes, every
    // record is looked at again, and what an old digest was taken of can be told.

    /// The digest of text in which case makes no difference.
    public static func ignoringCase(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
        unsafe CaseFolding.folded(bytes).withUnsafeBytes { unsafe nonZero(mix(xxh64($0) ^ 0xCA5E_F01D)) }
    }

    /// The digest of a set, whatever the order of its elements and however often each is there.
    ///
    /// - Parameter elements: The elements in their canonical form, which holds no line break.
    /// - Returns: The digest, never zero.
    public static func set(_ elements: [[UInt8]]) -> UInt64 {
        let sorted = Set(elements).sorted { $0.lexicographicallyPrecedes($1) }
        let text = Array(sorted.joined(separator: [0x0A]))
        return unsafe text.withUnsafeBytes { unsafe nonZero(mix(xxh64($0) ^ 0x5E7_0F_A11)) }
    }
}
