#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

extension JSONElement {
    /// The value of an object's member; nil if there is none or the value is not an object.
    ///
    /// Of several members with this name the last one counts, as in most readers. Takes time linear in the members.
    public func member(named name: String) -> JSONElement? {
        var name = name
        return name.withUTF8 { bytes in unsafe member(named: UnsafeRawBufferPointer(bytes)) }
    }

    /// The value of an object's member whose name has these bytes, see ``member(named:)-(String)``.
    public func member(named name: UnsafeRawBufferPointer) -> JSONElement? {
        var found: JSONElement?
        var cursor = members()
        while cursor.next() {
            if unsafe cursor.key.hasSameBytes(as: name) { found = cursor.value }
        }
        return found
    }

    /// The element of an array at an index, where a negative one counts from the end; nil if there is none.
    ///
    /// Takes time linear in the index.
    public func element(at index: Int) -> JSONElement? {
        guard kind == .array else { return nil }
        let position = index < 0 ? index + count : index
        guard position >= 0, position < count else { return nil }
        var cursor = elements()
        for _ in 0...position where !cursor.next() { return nil }
        return cursor.value
    }

    /// The text of a string; nil for anything else.
    public var string: String? {
        kind == .string ? unsafe String(decoding: utf8, as: UTF8.self) : nil
    }

    /// The text of a number as the source wrote it; nil for anything else.
    public var numberText: String? {
        kind == .integer || kind == .number ? unsafe String(decoding: token, as: UTF8.self) : nil
    }

    /// Appends the text of a number as the source wrote it; nothing for anything else.
    public func appendNumberToken(to bytes: inout [UInt8]) {
        unsafe bytes.append(contentsOf: token)
    }

    /// Whether the value is a string of exactly these characters.
    public func isString(_ text: StaticString) -> Bool {
        guard kind == .string, text.hasPointerRepresentation else { return false }
        return unsafe utf8.hasSameBytes(
            as: UnsafeRawBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }
}

extension JSONMemberCursor {
    /// The present member's name. Only after ``next()`` has returned true.
    public var name: String { unsafe String(decoding: key, as: UTF8.self) }
}

extension UnsafeRawBufferPointer {
    func hasSameBytes(as other: UnsafeRawBufferPointer) -> Bool {
        guard count == other.count else { return false }
        guard let base = baseAddress, let otherBase = other.baseAddress else { return true }
        return unsafe memcmp(base, otherBase, count) == 0
    }

    /// Whether the bytes come before others, as the words of a dictionary do.
    func isBefore(_ other: UnsafeRawBufferPointer) -> Bool {
        guard let base = baseAddress, let otherBase = other.baseAddress else { return count < other.count }
        let order = unsafe memcmp(base, otherBase, Swift.min(count, other.count))
        return order == 0 ? count < other.count : order < 0
    }
}
