/// Reads sets of integers as this program stores them, `[1,5,7]`, without a value for each of them.
package final class IntegerSetText {
    /// Where the text of each element stands.
    private var elements: [Range<Int>] = []
    private var text: [UInt8] = []

    /// The digest of a set that a text holds.
    ///
    /// - Parameter source: A JSON array.
    /// - Returns: The digest; nil where it is written in another way, or holds something else.
    package func digest(ofSet source: UnsafeRawBufferPointer) -> UInt64? {
        guard unsafe parse(source) else { return nil }
        if unsafe !isSorted(source) {
            elements.sort { unsafe precedes($0, $1, in: source) }
        }
        text.removeAll(keepingCapacity: true)
        var last: Range<Int>?
        for element in elements {
            if let last, unsafe source[last].elementsEqual(source[element]) { continue }
            if last != nil { text.append(0x0A) }
            unsafe text.append(contentsOf: UnsafeRawBufferPointer(rebasing: source[element]))
            last = element
        }
        return FieldDigest.set(ofText: text)
    }

    /// A set as this program stores it.
    ///
    /// - Parameter members: The members in their order.
    /// - Returns: A JSON array.
    package static func text(of members: [Int64]) -> [UInt8] {
        let room = members.count * (DecimalDigits.most + 1) + 2
        return unsafe [UInt8](unsafeUninitializedCapacity: room) { buffer, count in
            let bytes = UnsafeMutableRawBufferPointer(buffer)
            unsafe bytes[0] = UInt8(ascii: "[")
            count = 1
            for (index, member) in members.enumerated() {
                if index > 0 {
                    unsafe bytes[count] = UInt8(ascii: ",")
                    count += 1
                }
                unsafe DecimalDigits.write(member, to: bytes, at: &count)
            }
            unsafe bytes[count] = UInt8(ascii: "]")
            count += 1
        }
    }

    /// Finds the elements; false where they are no integers in their one form.
    private func parse(_ source: UnsafeRawBufferPointer) -> Bool {
        elements.removeAll(keepingCapacity: true)
        let end = source.count - 1
        guard end >= 1, unsafe source[0] == UInt8(ascii: "["), unsafe source[end] == UInt8(ascii: "]") else {
            return false
        }
        if end == 1 { return true }
        var start = 1
        while start <= end {
            var index = start
            if unsafe source[index] == UInt8(ascii: "-") { index += 1 }
            let digits = index
            while unsafe source[index] >= UInt8(ascii: "0") && source[index] <= UInt8(ascii: "9") { index += 1 }
            // Zero is written without a sign, and other numbers without zeros before them.
            let isZero = unsafe source[digits] == UInt8(ascii: "0")
            guard index > digits, index - digits <= 18, !isZero || index == start + 1,
                unsafe source[index] == (index == end ? UInt8(ascii: "]") : UInt8(ascii: ","))
            else { return false }
            elements.append(start..<index)
            start = index + 1
            if index == end { return true }
        }
        return false
    }

    private func isSorted(_ source: UnsafeRawBufferPointer) -> Bool {
        for index in elements.indices.dropFirst()
        where unsafe !precedes(elements[index - 1], elements[index], in: source) { return false }
        return true
    }

    private func precedes(_ left: Range<Int>, _ right: Range<Int>, in source: UnsafeRawBufferPointer) -> Bool {
        unsafe source[left].lexicographicallyPrecedes(source[right])
    }
}
