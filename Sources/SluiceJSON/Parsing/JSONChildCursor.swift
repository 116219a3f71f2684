/// Goes through the children of an object or of an array alike, without allocating.
@safe
struct JSONChildCursor {
    let isObject: Bool
    private var current: UnsafePointer<UInt64>
    private var following: UnsafePointer<UInt64>
    private let end: UnsafePointer<UInt64>
    private let texts: UnsafePointer<UnsafePointer<UInt8>?>

    /// A cursor over the children of a container; over nothing for anything else.
    init(_ element: JSONElement) {
        isObject = element.kind == .object
        unsafe current = element.word
        unsafe following = element.word + 1
        unsafe end = element.word + (element.isContainer ? JSONElement.lower(element.bits) : 1)
        unsafe texts = element.texts
    }

    /// Goes to the next child; false behind the last one.
    mutating func next() -> Bool {
        guard unsafe following < end else { return false }
        unsafe current = isObject ? following + 1 : following
        unsafe following = current + JSONElement.width(current.pointee)
        return true
    }

    /// The present child. Only after ``next()`` has returned true.
    var value: JSONElement { unsafe JSONElement(word: current, texts: texts) }
}

extension JSONElement {
    /// Whether the value is an array or an object.
    @inlinable
    public var isContainer: Bool { bits >> 60 >= 5 }

    /// How many words of the tape the value takes: a measure of its size.
    var width: Int { Self.width(bits) }
}
