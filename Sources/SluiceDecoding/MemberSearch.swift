internal import SluiceJSON

#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

/// Finds members of one object by name, fast when they are asked for in the order of the text.
///
/// Of several members with one name it finds the first, whatever the order. So it remembers how far each member was
/// found by its name: before that place no other name needs to be looked for.
///
///     {"id": 1, "x": 2, "name": "a", "y": 3}
///      found    passed  found last   next to be looked at; but what was passed is looked at before
@safe
struct MemberSearch {
    private var object: Int
    /// The member that was found last, and how many members there are up to it.
    private var last: JSONMemberCursor
    private var lastCount = 0
    /// The place in front of the first member that was passed.
    private var passed: JSONMemberCursor
    private var passedCount: Int?

    init(_ object: JSONElement) {
        self.object = object.identity
        last = object.members()
        passed = last
    }

    /// The value of the first member with a name; nil if there is none. `steps` grows by the number of names that were
    /// compared in vain.
    @inline(__always)
    mutating func find(_ name: UnsafeRawBufferPointer, in object: JSONElement, steps: inout Int) -> JSONElement? {
        if object.identity != self.object { self = MemberSearch(object) }
        if lastCount > 0, unsafe last.hasName(name) { return last.value }
        if passedCount == nil {
            var next = last
            if next.next(), unsafe next.hasName(name) {
                last = next
                lastCount &+= 1
                return next.value
            }
        }
        return unsafe findElsewhere(name, in: object, steps: &steps)
    }

    @inline(never)
    private mutating func findElsewhere(
        _ name: UnsafeRawBufferPointer, in object: JSONElement, steps: inout Int
    ) -> JSONElement? {
        let startCount = passedCount ?? lastCount
        var cursor = passedCount == nil ? last : passed
        var count = startCount
        while cursor.next() {
            count &+= 1
            steps &+= 1
            guard unsafe cursor.hasName(name) else { continue }
            if count > lastCount {
                if passedCount == nil, count > lastCount + 1 {
                    passed = last
                    passedCount = lastCount
                }
                last = cursor
                lastCount = count
            }
            return cursor.value
        }
        var early = object.members()
        for _ in 0..<startCount where early.next() {
            steps &+= 1
            if unsafe early.hasName(name) { return early.value }
        }
        return nil
    }
}

extension JSONMemberCursor {
    /// Whether the present member has a name.
    @inline(__always)
    fileprivate func hasName(_ name: UnsafeRawBufferPointer) -> Bool {
        let key = unsafe key
        guard key.count == name.count else { return false }
        guard let left = key.baseAddress, let right = name.baseAddress else { return true }
        return unsafe memcmp(left, right, key.count) == 0
    }
}
