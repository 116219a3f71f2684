/// Goes through the members of an object without allocating.
///
/// ```swift
/// var members = element.members()
/// while members.next() { print(members.name, members.value.kind) }
/// ```
@frozen
@safe
public struct JSONMemberCursor {
    @usableFromInline var current: UnsafePointer<UInt64>
    @usableFromInline var following: UnsafePointer<UInt64>
    @usableFromInline let end: UnsafePointer<UInt64>
    @usableFromInline let texts: UnsafePointer<UnsafePointer<UInt8>?>

    @inlinable @inline(__always)
    init(
        next: UnsafePointer<UInt64>, end: UnsafePointer<UInt64>, texts: UnsafePointer<UnsafePointer<UInt8>?>
    ) {
        unsafe self.current = next
        unsafe self.following = next
        unsafe self.end = end
        unsafe self.texts = texts
    }

    /// Goes to the next member; false behind the last one, where the present member stays the last.
    @inlinable @inline(__always)
    public mutating func next() -> Bool {
        guard unsafe following < end else { return false }
        unsafe current = following
        unsafe following = current + 1 + JSONElement.width(current[1])
        return true
    }

    /// The present member's name as a string element. Only after ``next()`` has returned true.
    @inlinable
    public var keyElement: JSONElement { unsafe JSONElement(word: current, texts: texts) }

    /// The unescaped bytes of the present member's name. Only after ``next()`` has returned true.
    @inlinable @inline(__always)
    public var key: UnsafeRawBufferPointer {
        unsafe JSONElement(word: current, texts: texts).text(current.pointee)
    }

    /// A copy of the unescaped bytes of the present member's name. Only after ``next()`` has returned true.
    package var keyCopy: [UInt8] { unsafe Array(key) }

    /// Whether the present member has a name. Only after ``next()`` has returned true.
    package func isNamed(_ name: [UInt8]) -> Bool { unsafe name.elementsEqual(key) }

    /// The present member's value. Only after ``next()`` has returned true.
    @inlinable @inline(__always)
    public var value: JSONElement { unsafe JSONElement(word: current + 1, texts: texts) }
}

@available(*, unavailable)
extension JSONMemberCursor: Sendable {}
