/// A row of a base table as a store keeps it, slot by slot: what undo puts back.
///
/// Slots are not fields: a field that the pipeline gave up keeps its slot, so an image is exact whatever the pipeline
/// says by now.
package struct BaseImage: Sendable, Equatable {
    /// The hash of a base that no record may equal, so that its record is looked at again. What is voided twice is still
    /// void.
    package static let voidHash: UInt64 = 0

    /// The hash of the record's values.
    package var rowHash: UInt64
    /// Whether the source still has the record.
    package var state: BaseState
    /// Whether a conflict of this record waits for a decision.
    package var isOpen: Bool
    /// The run that wrote the base first.
    package var firstRun: Int64?
    /// The run that changed it last.
    package var lastRun: Int64?
    /// How many complete scans have missed the record since it was last seen.
    package var missedScans: Int
    /// One entry per slot; slots beyond the end are ``BaseEntry/none``.
    package var slots: [BaseEntry]

    /// Makes an image.
    package init(
        rowHash: UInt64, state: BaseState, isOpen: Bool, firstRun: Int64?, lastRun: Int64?, slots: [BaseEntry],
        missedScans: Int = 0
    ) {
        self.rowHash = rowHash
        self.state = state
        self.isOpen = isOpen
        self.firstRun = firstRun
        self.lastRun = lastRun
        self.slots = slots
        self.missedScans = missedScans
    }

    /// The entry of a slot.
    package func entry(_ slot: Int) -> BaseEntry { slots.indices.contains(slot) ? slots[slot] : .none }

    /// Whether two images say the same, apart from their hashes, which a change of the schema voids, and from the scans
    /// that missed the record, which say nothing of what its source sent.
    package func saysTheSame(as other: BaseImage) -> Bool {
        state == other.state && isOpen == other.isOpen && firstRun == other.firstRun && lastRun == other.lastRun
            && (0..<max(slots.count, other.slots.count)).allSatisfy { entry($0) == other.entry($0) }
    }
}

/// Images are kept in the coding of base rows, with five entries in front: hash, state, flags, first and last run.
extension BaseImage {
    private static let headCount = 5

    private var head: [BaseEntry] {
        func number(_ value: Int64?) -> BaseEntry { value.map { .value(.integer($0)) } ?? .null }
        return [
            number(Int64(bitPattern: rowHash)), number(Int64(state.rawValue)),
            number(BaseFlags(isOpen: isOpen, missedScans: missedScans).number),
            number(firstRun), number(lastRun),
        ]
    }

    private init?(head: [BaseEntry], slots: [BaseEntry]) {
        func number(_ index: Int) -> Int64? {
            if case .integer(let value)? = head[index].value { return value }
            return nil
        }
        guard head.count == Self.headCount, let hash = number(0), let flags = number(2).map(BaseFlags.init),
            let state = number(1).flatMap({ BaseState(rawValue: Int(truncatingIfNeeded: $0)) })
        else { return nil }
        self.init(
            rowHash: UInt64(bitPattern: hash), state: state, isOpen: flags.isOpen, firstRun: number(3),
            lastRun: number(4), slots: slots, missedScans: flags.missedScans)
    }

    /// The whole image.
    package var encoded: [UInt8] { BaseCoding.encode(head + slots) }

    /// Reads a whole image; nil where the bytes are none.
    package init?(encoded: [UInt8]) {
        guard let entries = BaseCoding.decode(encoded, slotCount: 0), entries.count >= Self.headCount else {
            return nil
        }
        self.init(
            head: Array(entries.prefix(Self.headCount)), slots: Array(entries.dropFirst(Self.headCount)))
    }

    /// What another image has that this one has not: its head, then the number and the entry of each slot that differs.
    package func difference(to other: BaseImage) -> [UInt8] {
        var entries = other.head
        for slot in 0..<max(slots.count, other.slots.count) where entry(slot) != other.entry(slot) {
            entries += [.value(.integer(Int64(slot))), other.entry(slot)]
        }
        return BaseCoding.encode(entries)
    }

    /// The image that a difference leads to; nil where the bytes are no such difference.
    package func applying(_ difference: [UInt8]) -> BaseImage? {
        guard let entries = BaseCoding.decode(difference, slotCount: 0), entries.count >= Self.headCount,
            (entries.count - Self.headCount).isMultiple(of: 2)
        else { return nil }
        var slots = slots
        for index in stride(from: Self.headCount, to: entries.count, by: 2) {
            guard case .integer(let number)? = entries[index].value, (0...Self.mostSlots).contains(number) else {
                return nil
            }
            let slot = Int(number)
            while slots.count <= slot { slots.append(.none) }
            slots[slot] = entries[index + 1]
        }
        return BaseImage(head: Array(entries.prefix(Self.headCount)), slots: slots)
    }

    /// More slots than any table has columns. See: sqlite.org/limits.html
    private static let mostSlots: Int64 = 65_535
}
