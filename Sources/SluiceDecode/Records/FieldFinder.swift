internal import SluiceJSON
internal import SluiceModel
internal import SluiceReport

/// Finds the values of a record's fields: the members of a record are visited once, in their own order.
///
/// Records of one source have their members in one order, most of the time. So each place of the tree remembers, for
/// the first, second, third … member of an object, which name stood there and where it led; a glance at the name's
/// length and its first, middle and last bytes then replaces a search. A name that does not fit is searched for and remembered
/// in its place.
///
/// The memory is unsafe because the remembered names change with every record, and checked access to nested arrays
/// costs more than all of the rest: 4 700 instructions for a record of 19 members, against 900.
@safe
package final class FieldFinder {
    /// What a member's name looks like, and where it leads.
    private struct Slot {
        var first: UInt64 = 0
        var middle: UInt64 = 0
        var last: UInt64 = 0
        /// -1 while nothing is remembered.
        var length = -1
        /// The place below, or -1 where nothing of the member is mapped.
        var child = -1
    }

    private static let slotCount = 64
    private let nodes: [DecodePlan.Node]
    /// Which keys are taken, nil where nobody wants to know.
    private let coverage: KeyCoverage?
    /// The hashes of the keys that were looked up and have no place of their own.
    private var met: Set<UInt64> = []
    /// The keys that no field takes.
    private(set) var unmapped = UnmappedKeys()
    /// The first key that ends the run, and its value.
    private(set) var excess: (path: JSONPath, value: JSONElement)?
    private var newest: JSONPath?
    /// What stands in the place of an object that some fields are parts of, and where.
    private(set) var misplaced: (pointer: String, value: JSONElement)?
    /// For each place the fields below it.
    private let below: [[Int]]
    /// For each place `slotCount` slots.
    private let slots: UnsafeMutableBufferPointer<Slot>
    /// For each field the value that the present record has for it.
    private let found: UnsafeMutableBufferPointer<JSONElement?>

    init(plan: DecodePlan) {
        nodes = plan.nodes
        coverage = plan.coverage
        // A place stands behind the one above it.
        var below = [[Int]](repeating: [], count: plan.nodes.count)
        for place in plan.nodes.indices.reversed() {
            let children = plan.nodes[place].names.map(\.child) + plan.nodes[place].indexes.map(\.child)
            for child in children { below[place] += plan.nodes[child].fields + below[child] }
        }
        self.below = below
        unsafe slots = .allocate(capacity: plan.nodes.count * Self.slotCount)
        unsafe slots.initialize(repeating: Slot())
        unsafe found = .allocate(capacity: plan.fields.count)
        unsafe found.initialize(repeating: nil)
    }

    deinit {
        unsafe slots.deallocate()
        unsafe found.deallocate()
    }

    /// The value of a field, nil where its key is absent.
    @inline(__always)
    subscript(field: Int) -> JSONElement? { unsafe found[field] }

    /// Finds the fields of a record.
    func find(in root: JSONElement) {
        for index in unsafe found.indices { unsafe found[index] = nil }
        (excess, misplaced) = (nil, nil)
        visit(root, place: 0)
    }

    private func visit(_ element: JSONElement, place: Int) {
        for field in nodes[place].fields { unsafe found[field] = element }
        if nodes[place].isLeaf && (place > 0 || coverage == nil) { return }
        // Of several members with one name the last one counts, and nothing of those before it.
        if place > 0 { for field in below[place] { unsafe found[field] = nil } }
        switch element.kind {
        case .object: visitMembers(element, place: place)
        case .array:
            if let pointer = nodes[place].object { misplaced = (pointer, element) }
            for (index, child) in nodes[place].indexes {
                if let value = element.element(at: index) { visit(value, place: child) }
            }
        // A null on the way is a null at its end: what has no author has no author's name.
        case .null: assign(element, below: place)
        default: if let pointer = nodes[place].object { misplaced = (pointer, element) }
        }
    }

    private func assign(_ null: JSONElement, below place: Int) {
        for child in nodes[place].names.map(\.child) + nodes[place].indexes.map(\.child) {
            for field in nodes[child].fields { unsafe found[field] = null }
            assign(null, below: child)
        }
    }

    private func visitMembers(_ element: JSONElement, place: Int) {
        var slot = place &* Self.slotCount
        let end = slot &+ Self.slotCount
        var members = element.members()
        while members.next() {
            let name = unsafe members.key
            let child: Int
            if slot < end {
                child = unsafe self.child(name, slot: slot, place: place)
                slot &+= 1
            } else {
                child = unsafe search(name, place: place)
            }
            if child >= 0 {
                visit(members.value, place: child)
            } else if let path = newest {
                newest = nil
                if excess == nil { excess = (path, members.value) }
            }
        }
    }

    @inline(__always)
    private func child(_ name: UnsafeRawBufferPointer, slot: Int, place: Int) -> Int {
        let (first, last) = unsafe Self.ends(name)
        // Up to 16 bytes the two ends are the whole name, and up to 24 with what stands between them.
        let middle = unsafe name.count > 16 ? name.loadUnaligned(fromByteOffset: 8, as: UInt64.self) : 0
        let known = unsafe slots[slot]
        if known.length == name.count && known.first == first && known.last == last && known.middle == middle
            && name.count <= 24
        {
            return known.child
        }
        let child = unsafe search(name, place: place)
        unsafe slots[slot] = Slot(first: first, middle: middle, last: last, length: name.count, child: child)
        return child
    }

    private func search(_ name: UnsafeRawBufferPointer, place: Int) -> Int {
        for candidate in nodes[place].names where unsafe candidate.name.elementsEqual(name) { return candidate.child }
        if let coverage, coverage.isWatched(place) { unsafe miss(name, place: place, coverage) }
        return -1
    }

    /// Notes a name that has no place of its own, the first time that it is met.
    private func miss(_ name: UnsafeRawBufferPointer, place: Int, _ coverage: KeyCoverage) {
        let hash = unsafe KeyHash.combine(FieldDigest.integer(Int64(place)), FieldDigest.text(name))
        guard met.count < UnmappedKeys.counted, met.insert(hash).inserted,
            let path = unsafe coverage.path(to: name, in: place)
        else { return }
        unmapped.add(path.text.hasPrefix("$.") ? String(path.text.dropFirst(2)) : path.text)
        if coverage.endsRun { newest = path }
    }

    /// The first and the last eight bytes of a name, which overlap in a short one.
    @inline(__always)
    private static func ends(_ name: UnsafeRawBufferPointer) -> (UInt64, UInt64) {
        let count = name.count
        if count >= 8 {
            return unsafe (
                name.loadUnaligned(as: UInt64.self), name.loadUnaligned(fromByteOffset: count &- 8, as: UInt64.self)
            )
        }
        if count >= 4 {
            return unsafe (
                UInt64(name.loadUnaligned(as: UInt32.self)),
                UInt64(name.loadUnaligned(fromByteOffset: count &- 4, as: UInt32.self))
            )
        }
        if count == 0 { return (0, 0) }
        return unsafe (UInt64(name[0]) << 8 | UInt64(name[count / 2]), UInt64(name[count &- 1]))
    }
}
