extension FieldDigest {
    // Digests of other ways to compare share no value with those of exact ones: where a field's `compare` changes, every
    // record is looked at again, and what an old digest was taken of can be told.

    /// The digest of text in which case makes no difference.
    package static func ignoringCase(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
        unsafe CaseFolding.folded(bytes).withUnsafeBytes { unsafe nonZero(mix(xxh64($0) ^ 0xCA5E_F01D)) }
    }

    /// The digest of a text of which case makes no difference.
    package static func ignoringCase(_ bytes: [UInt8]) -> UInt64 {
        unsafe bytes.withUnsafeBytes { unsafe ignoringCase($0) }
    }

    /// The digest of a set, whatever the order of its elements and however often each is there.
    ///
    /// - Parameter elements: The elements in their canonical form, which holds no line break.
    /// - Returns: The digest, never zero.
    package static func set(_ elements: [[UInt8]]) -> UInt64 {
        let sorted = Set(elements).sorted { $0.lexicographicallyPrecedes($1) }
        return set(ofText: Array(sorted.joined(separator: [0x0A])))
    }

    /// The digest of a set of integers, each of which is there once, in ascending order.
    ///
    /// - Parameters:
    ///   - numbers: The integers.
    ///   - scratch: Takes their texts.
    /// - Returns: The digest, never zero.
    package static func set(ofSorted numbers: [Int64], by scratch: inout [UInt8]) -> UInt64 {
        guard let first = numbers.first, let last = numbers.last else { return set(ofText: []) }
        let room = numbers.count &* (DecimalDigits.most &+ 1)
        if scratch.count < room { scratch = [UInt8](repeating: 0, count: room) }
        // With as many digits each, their texts are in the same order.
        let digest: UInt64? = unsafe scratch.withUnsafeMutableBytes { bytes in
            var end = 0
            unsafe DecimalDigits.write(last, to: bytes, at: &end)
            let length = end
            end = 0
            unsafe DecimalDigits.write(first, to: bytes, at: &end)
            guard first >= 0, end == length else { return nil }
            for number in numbers.dropFirst() {
                unsafe bytes[end] = 0x0A
                end &+= 1
                unsafe DecimalDigits.write(number, to: bytes, at: &end)
            }
            return unsafe set(ofText: UnsafeRawBufferPointer(rebasing: bytes[..<end]))
        }
        return digest ?? set(numbers.map { Array(String($0).utf8) })
    }

    /// The digest of a set whose elements stand in a text: in their canonical form, in the order of their bytes, each once,
    /// with a line break between them.
    package static func set(ofText text: [UInt8]) -> UInt64 {
        unsafe text.withUnsafeBytes { unsafe set(ofText: $0) }
    }

    private static func set(ofText text: UnsafeRawBufferPointer) -> UInt64 {
        unsafe nonZero(mix(xxh64(text) ^ 0x5E7_0F_A11))
    }
}
