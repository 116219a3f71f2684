/// What a value was when it was read, so that saving it writes what changed and notices what others changed meanwhile.
///
/// Add it to a model, as `var origin = Origin()`. It is equal to every other one, adds nothing to a hash and is left out
/// of coding. What was remembered in a transaction, or in a part of one, that is taken back counts no more.
public struct Origin: Sendable {
    private var memory: OriginMemory?

    /// Makes one that remembers nothing.
    public init() {}

    /// Remembers a value that was read.
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - part: What had written before, and may be taken back; nil where nothing had.
    init(reading value: some PersistentModel, in part: WritePart? = nil) {
        memory = OriginMemory(value, part)
    }

    /// Remembers a value that was saved.
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - part: What it was saved in.
    ///   - previous: What it remembered before.
    ///   - changes: What became of its links, which it knows no more.
    ///   - isGiven: Whether the store gave its identifier.
    init(
        saving value: some PersistentModel, in part: WritePart, after previous: Origin, _ changes: LinkEdits,
        isGiven: Bool
    ) {
        let step = OriginStep(earlier: previous.memory?.settled, changes: changes, isGiven: isGiven)
        memory = OriginMemory(value, part, step.joined(in: part))
    }

    /// Remembers a value whose record was deleted.
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - part: What it was deleted in.
    ///   - previous: What it remembered before.
    init(deleting value: some PersistentModel, in part: WritePart, after previous: Origin) {
        let step = OriginStep(earlier: previous.memory?.settled, isGone: true)
        memory = OriginMemory(value, part, step.joined(in: part))
    }

    /// What holds by now of what it remembers.
    func known<M: PersistentModel>(as type: M.Type) -> KnownRecord<M> {
        var known = KnownRecord<M>()
        var last = memory
        while let memory = last, let step = memory.step, memory.part?.isTakenBack == true {
            known.lostChanges = step.changes.followed(by: known.lostChanges)
            if step.isGiven { known.lostIdentifier = (memory.value as? M)?.savedIdentifier }
            last = step.earlier
        }
        guard let left = last, !left.isGone else { return known }
        known.value = left.value as? M
        known.isDoubtful = left.part?.isTakenBack == true
        return known
    }
}

/// What an ``Origin`` remembers.
private final class OriginMemory: Sendable {
    let value: any PersistentModel
    /// What may take it back; nil where nothing can.
    let part: WritePart?
    /// What made it so, of what may be taken back; nil where it was read, or where nothing can take it back.
    let step: OriginStep?

    init(_ value: any PersistentModel, _ part: WritePart?, _ step: OriginStep? = nil) {
        (self.value, self.part, self.step) = (value, part, step)
    }

    /// Whether the record was deleted.
    var isGone: Bool { step?.isGone == true }

    /// The same as far as it can still be taken back, so that no more is kept than parts are open, each within the other.
    var settled: OriginMemory? {
        guard let part else { return self }
        guard let deciding = part.deciding else { return isGone ? nil : OriginMemory(value, nil) }
        guard let step else { return self }
        if deciding.isTakenBack { return step.earlier?.settled }
        return OriginMemory(value, deciding, step.settled.joined(in: deciding))
    }
}

/// What happened to a record, and what was known before.
private final class OriginStep: Sendable {
    let earlier: OriginMemory?
    /// What became of links.
    let changes: LinkEdits
    /// Whether the store gave the identifier.
    let isGiven: Bool
    /// Whether the record was deleted.
    let isGone: Bool

    init(earlier: OriginMemory?, changes: LinkEdits = LinkEdits(), isGiven: Bool = false, isGone: Bool = false) {
        (self.earlier, self.changes, self.isGiven, self.isGone) = (earlier, changes, isGiven, isGone)
    }

    /// The same over what can still be taken back.
    var settled: OriginStep {
        OriginStep(earlier: earlier?.settled, changes: changes, isGiven: isGiven, isGone: isGone)
    }

    /// The same, as one step with that before where both are taken back together.
    func joined(in part: WritePart) -> OriginStep {
        guard let earlier, let before = earlier.step, earlier.part === part else { return self }
        return OriginStep(
            earlier: before.earlier, changes: before.changes.followed(by: changes),
            isGiven: before.isGiven || isGiven, isGone: isGone)
    }
}

extension Origin: Hashable {
    /// True: what a value was is no part of what it is.
    public static func == (left: Origin, right: Origin) -> Bool { true }
    /// Adds nothing.
    public func hash(into hasher: inout Hasher) {}
}

extension Origin: Codable {
    /// Remembers nothing.
    public init(from decoder: any Decoder) throws {}
    /// Writes nothing.
    public func encode(to encoder: any Encoder) throws {}
}

extension KeyedDecodingContainer {
    /// Reads nothing: a record's origin is not in JSON.
    public func decode(_ type: Origin.Type, forKey key: Key) throws -> Origin { Origin() }
}

extension KeyedEncodingContainer {
    /// Writes nothing.
    public mutating func encode(_ value: Origin, forKey key: Key) throws {}
}
