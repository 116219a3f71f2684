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
    package static func set(ofSorted numbers: [Int64]) -> UInt64 {
        guard let first = numbers.first, let last = numbers.last else { return set(ofText: []) }
        // With as many digits each, their texts are in the same order.
        guard first >= 0, String(first).utf8.count == String(last).utf8.count else {
            return set(numbers.map { Array(String($0).utf8) })
        }
        var text: [UInt8] = []
        text.reserveCapacity(numbers.count * 20)
        for number in numbers {
            if !text.isEmpty { text.append(0x0A) }
            text.append(contentsOf: String(number).utf8)
        }
        return set(ofText: text)
    }

    /// The digest of a set whose elements stand in a text: in their canonical form, in the order of their bytes, each once,
    /// with a line break between them.
    package static func set(ofText text: [UInt8]) -> UInt64 {
        unsafe text.withUnsafeBytes { unsafe nonZero(mix(xxh64($0) ^ 0x5E7_0F_A11)) }
    }
}
