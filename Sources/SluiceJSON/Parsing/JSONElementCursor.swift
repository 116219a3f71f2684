/// Goes through the elements of an array without allocating.
@frozen
@safe
public struct JSONElementCursor {
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

    /// Goes to the next element; false behind the last one.
    @inlinable @inline(__always)
    public mutating func next() -> Bool {
        guard unsafe following < end else { return false }
        unsafe current = following
        unsafe following = current + JSONElement.width(current.pointee)
        return true
    }

    /// The present element. Only after ``next()`` has returned true.
    @inlinable @inline(__always)
    public var value: JSONElement { unsafe JSONElement(word: current, texts: texts) }
}

@available(*, unavailable)
extension JSONElementCursor: Sendable {}
