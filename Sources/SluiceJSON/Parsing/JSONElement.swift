/// A value on the tape of a ``JSONParser``: two words, passed around freely.
///
/// An element reads the parser's memory and the text that was parsed. It must not be used after the next parse, after
/// the parser is gone, or after the text has changed; whoever calls `parse`, which is marked unsafe, answers for that.
/// Apart from this all accessors are safe: one that does not fit the value's ``kind`` gives an empty result.
@frozen
@safe
public struct JSONElement {
    // The layout of the words is drawn in CSluiceSimdjson.h.
    @usableFromInline let word: UnsafePointer<UInt64>
    @usableFromInline let texts: UnsafePointer<UnsafePointer<UInt8>?>

    @inlinable @inline(__always)
    init(word: UnsafePointer<UInt64>, texts: UnsafePointer<UnsafePointer<UInt8>?>) {
        unsafe self.word = word
        unsafe self.texts = texts
    }

    @inlinable @inline(__always)
    var bits: UInt64 { unsafe word.pointee }

    @inlinable @inline(__always)
    static func upper(_ bits: UInt64) -> Int { Int(truncatingIfNeeded: bits >> 28 & 0x0FFF_FFFF) }

    @inlinable @inline(__always)
    static func lower(_ bits: UInt64) -> Int { Int(truncatingIfNeeded: bits & 0x0FFF_FFFF) }

    /// The type of the value.
    @inlinable @inline(__always)
    public var kind: JSONKind {
        // The tape has no other kinds; null is what an impossible one reads as.
        JSONKind(rawValue: UInt8(truncatingIfNeeded: bits >> 60)) ?? .null
    }

    /// Whether the value is `null`.
    @inlinable
    public var isNull: Bool { bits >> 60 == 0 }

    /// The value of a boolean; false for anything else.
    @inlinable
    public var boolean: Bool { bits == 1 << 60 | 1 }

    /// The value of an integer; zero for anything else.
    @inlinable
    public var integer: Int64 {
        guard bits >> 60 == 2 else { return 0 }
        return unsafe Int64(bitPattern: word[1])
    }

    /// The text of a number as the source wrote it, also of an integer; empty for anything else.
    @inlinable
    public var token: UnsafeRawBufferPointer {
        guard bits >> 61 == 1 else { return unsafe UnsafeRawBufferPointer(start: nil, count: 0) }
        return unsafe text(bits)
    }

    /// The unescaped bytes of a string, always valid UTF-8; empty for anything else.
    @inlinable @inline(__always)
    public var utf8: UnsafeRawBufferPointer {
        guard bits >> 60 == 4 else { return unsafe UnsafeRawBufferPointer(start: nil, count: 0) }
        return unsafe text(bits)
    }

    /// Whether a string was written without escapes, so that its bytes stand in the text as they are.
    @inlinable
    public var isVerbatim: Bool { bits >> 59 == 8 }

    /// The number of elements of an array or of members of an object; zero for anything else.
    @inlinable
    public var count: Int { bits >> 60 >= 5 ? Self.upper(bits) : 0 }

    /// A cursor over the members of an object, in the order of the text; over nothing for anything else.
    @inlinable
    public func members() -> JSONMemberCursor {
        let first = unsafe word + 1
        return unsafe JSONMemberCursor(
            next: first, end: bits >> 60 == 6 ? word + Self.lower(bits) : first, texts: texts)
    }

    /// A cursor over the elements of an array; over nothing for anything else.
    @inlinable
    public func elements() -> JSONElementCursor {
        let first = unsafe word + 1
        return unsafe JSONElementCursor(
            next: first, end: bits >> 60 == 5 ? word + Self.lower(bits) : first, texts: texts)
    }

    /// How many words the value takes.
    @inlinable @inline(__always)
    static func width(_ bits: UInt64) -> Int {
        let kind = bits >> 60
        return kind >= 5 ? lower(bits) : (kind == 2 ? 2 : 1)
    }

    @inlinable @inline(__always)
    func text(_ bits: UInt64) -> UnsafeRawBufferPointer {
        let base = unsafe texts[Int(truncatingIfNeeded: bits >> 59 & 1)]
        return unsafe UnsafeRawBufferPointer(start: base.map { unsafe $0 + Self.lower(bits) }, count: Self.upper(bits))
    }
}

@available(*, unavailable)
extension JSONElement: Sendable {}
