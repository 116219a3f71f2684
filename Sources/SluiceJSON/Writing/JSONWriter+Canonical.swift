#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

extension JSONWriter {
    /// Appends the one text of a value that does not depend on how the source wrote it.
    ///
    /// Members are sorted by the UTF-8 bytes of their names, and of several with one name the last counts. Numbers of
    /// equal value are equal (see ``DecimalText``), strings have the fewest escapes, and there is no white space.
    ///
    /// - Parameters:
    ///   - element: The value.
    ///   - bytes: The text, in UTF-8.
    package static func appendCanonical(_ element: JSONElement, to bytes: inout [UInt8]) {
        switch element.kind {
        case .number: unsafe DecimalText.appendNormalized(element.token, to: &bytes)
        case .null, .bool, .integer, .string: append(element, to: &bytes)
        case .array:
            bytes.append(UInt8(ascii: "["))
            var elements = element.elements()
            var isFirst = true
            while elements.next() {
                if !isFirst { bytes.append(UInt8(ascii: ",")) }
                isFirst = false
                appendCanonical(elements.value, to: &bytes)
            }
            bytes.append(UInt8(ascii: "]"))
        case .object: appendSorted(element, to: &bytes)
        }
    }

    private static func appendSorted(_ element: JSONElement, to bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "{"))
        var isFirst = true
        func append(_ name: JSONElement, _ value: JSONElement) {
            if !isFirst { bytes.append(UInt8(ascii: ",")) }
            isFirst = false
            appendString(name, to: &bytes)
            bytes.append(UInt8(ascii: ":"))
            appendCanonical(value, to: &bytes)
        }
        if isSorted(element) {
            var members = element.members()
            while members.next() { append(members.keyElement, members.value) }
        } else {
            var sorted: [(name: JSONElement, value: JSONElement)] = []
            sorted.reserveCapacity(element.count)
            var members = element.members()
            while members.next() { sorted.append((members.keyElement, members.value)) }
            // The sort is stable, so the last of equal names is the last of the text.
            sorted.sort { unsafe compare($0.name.utf8, $1.name.utf8) < 0 }
            for (index, member) in sorted.enumerated() {
                let next = index + 1
                if next < sorted.count, unsafe compare(member.name.utf8, sorted[next].name.utf8) == 0 { continue }
                append(member.name, member.value)
            }
        }
        bytes.append(UInt8(ascii: "}"))
    }

    /// Whether each name is greater than the one before.
    private static func isSorted(_ element: JSONElement) -> Bool {
        var members = element.members()
        guard members.next() else { return true }
        var last = unsafe members.key
        while members.next() {
            let key = unsafe members.key
            if unsafe compare(last, key) >= 0 { return false }
            unsafe last = key
        }
        return true
    }

    private static func compare(_ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer) -> Int {
        if let leftStart = left.baseAddress, let rightStart = right.baseAddress {
            let order = unsafe memcmp(leftStart, rightStart, min(left.count, right.count))
            if order != 0 { return Int(order) }
        }
        return left.count - right.count
    }
}
