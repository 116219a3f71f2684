/// What a value was when it was read, so that saving it writes what changed and notices what others changed meanwhile.
///
/// Add it to a model, as `var origin = Origin()`. It is equal to every other one, adds nothing to a hash and is left out
/// of coding. What was remembered in a transaction, or in a part of one, that is taken back counts no more.
public struct Origin: Sendable {
    private var memory: (any OriginMemory)?

    /// Makes one that remembers nothing.
    public init() {}

    /// Remembers a value that was read.
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - part: What had written before, and may be taken back; nil where nothing had.
    ///   - home: The store that it was read from.
    init(reading value: some PersistentModel, in part: WritePart? = nil, of home: StoreHome) {
        memory = ValueMemory(value, home, part)
    }

    /// Remembers a value that was saved.
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - part: What it was saved in.
    ///   - home: The store that it was saved in.
    ///   - previous: What it remembered before.
    ///   - changes: What became of its links, which it knows no more.
    ///   - isGiven: Whether the store gave its identifier.
    init(
        saving value: some PersistentModel, in part: WritePart, of home: StoreHome, after previous: Origin,
        _ changes: LinkEdits, isGiven: Bool
    ) {
        let step = OriginStep(earlier: previous.memory?.settled, changes: changes, isGiven: isGiven)
        memory = ValueMemory(value, home, part, step.joined(in: part))
    }

    /// Remembers what was saved of a value that leads to no others and had its identifier: no more than that is ever asked for.
    ///
    /// - Parameters:
    ///   - record: What was saved.
    ///   - model: The value's model.
    ///   - part: What it was saved in.
    ///   - home: The store that it was saved in.
    ///   - previous: What it remembered before.
    init(
        saving record: BoxedRecord, of model: any PersistentModel.Type, in part: WritePart, of home: StoreHome,
        after previous: Origin
    ) {
        let step = previous.memory.map { OriginStep(earlier: $0.settled).joined(in: part) } ?? OriginStep.first
        memory = RecordMemory(record, model, home, part, step)
    }

    /// Remembers a value whose record was deleted.
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - part: What it was deleted in.
    ///   - home: The store that it was deleted from.
    ///   - previous: What it remembered before.
    init(deleting value: some PersistentModel, in part: WritePart, of home: StoreHome, after previous: Origin) {
        let step = OriginStep(earlier: previous.memory?.settled, isGone: true)
        memory = ValueMemory(value, home, part, step.joined(in: part))
    }

    /// Whether it remembers nothing.
    var isEmpty: Bool { memory == nil }

    /// Whether what it remembers was read from another store, or saved there.
    ///
    /// - Parameter home: This store.
    /// - Returns: Whether it was.
    func isForeign(to home: StoreHome) -> Bool { memory.map { $0.home != home } ?? false }

    /// Whether a value is as it remembers it, and that holds: nothing is to be written of it then.
    ///
    /// - Parameters:
    ///   - value: A value that holds no records and has an identifier of its own.
    ///   - home: The store that it is to be saved in.
    /// - Returns: Whether it is; false also where that takes more than a look.
    /// - Throws: ``BoxError`` where the store cannot hold a value.
    func isAsRemembered(_ value: some PersistentModel, in home: StoreHome) throws(BoxError) -> Bool {
        guard let memory, memory.home == home, !memory.isGone, memory.part?.isTakenBack != true else { return false }
        return try memory.isSame(as: value)
    }

    /// What holds by now of what it remembers.
    func known<M: PersistentModel>(as type: M.Type) -> KnownRecord<M> {
        var known = KnownRecord<M>()
        var last = memory
        while let memory = last, let step = memory.step, memory.part?.isTakenBack == true {
            known.lostChanges = step.changes.followed(by: known.lostChanges)
            if step.isGiven { known.lostIdentifier = (memory as? ValueMemory<M>)?.value.savedIdentifier }
            last = step.earlier
        }
        guard let left = last, left.isOf(M.self) else { return known }
        if left.isGone {
            known.gone = left
            return known
        }
        known.memory = left
        known.isDoubtful = left.part?.isTakenBack == true
        return known
    }
}

/// What an ``Origin`` remembers.
protocol OriginMemory: AnyObject, Sendable {
    /// The store that it was read from or saved in.
    var home: StoreHome { get }
    /// What may take it back; nil where nothing can.
    var part: WritePart? { get }
    /// What made it so, of what may be taken back; nil where it was read, or where nothing can take it back.
    var step: OriginStep? { get }

    /// Whether it remembers a value of a model.
    func isOf(_ model: any PersistentModel.Type) -> Bool

    /// The value as it was stored.
    ///
    /// - Throws: ``BoxError`` where the store cannot hold it.
    func boxed() throws(BoxError) -> BoxedRecord

    /// The same with the records within it.
    ///
    /// - Throws: ``BoxError`` where the store cannot hold it.
    func whole() throws(BoxError) -> BoxedRecord

    /// The same value with something else that may take it back.
    func remembering(_ part: WritePart?, _ step: OriginStep?) -> any OriginMemory
}

extension OriginMemory {
    /// Whether a value, which has an identifier of its own, has the same columns.
    func isSame<M: PersistentModel>(as value: M) throws(BoxError) -> Bool {
        guard isOf(M.self) else { return false }
        var record = try boxed()
        return try record.isSame(as: value)
    }

    /// Whether the record was deleted.
    var isGone: Bool { step?.isGone == true }

    /// The same as far as it can still be taken back, so that no more is kept than parts are open, each within the other.
    var settled: (any OriginMemory)? {
        guard let part else { return self }
        guard let deciding = part.deciding else { return isGone ? nil : remembering(nil, nil) }
        guard let step else { return self }
        if deciding.isTakenBack { return step.earlier?.settled }
        return remembering(deciding, step.settled.joined(in: deciding))
    }
}

/// What an ``Origin`` remembers, with a value of some model.
private final class ValueMemory<M: PersistentModel>: OriginMemory {
    let value: M
    let home: StoreHome
    let part: WritePart?
    let step: OriginStep?

    init(_ value: M, _ home: StoreHome, _ part: WritePart?, _ step: OriginStep? = nil) {
        (self.value, self.home, self.part, self.step) = (value, home, part, step)
    }

    func remembering(_ part: WritePart?, _ step: OriginStep?) -> any OriginMemory {
        ValueMemory(value, home, part, step)
    }

    func isOf(_ model: any PersistentModel.Type) -> Bool { model == M.self }

    func boxed() throws(BoxError) -> BoxedRecord { try value.boxed() }

    func whole() throws(BoxError) -> BoxedRecord { try BoxedRecord(whole: value) }
}

/// What an ``Origin`` remembers, with what was saved of a value.
private final class RecordMemory: OriginMemory {
    private let description: ModelDescription
    private let values: [BoxedValue]
    private let model: ObjectIdentifier
    let home: StoreHome
    let part: WritePart?
    let step: OriginStep?

    convenience init(
        _ record: BoxedRecord, _ model: any PersistentModel.Type, _ home: StoreHome, _ part: WritePart?,
        _ step: OriginStep?
    ) {
        self.init(record.description, record.values, ObjectIdentifier(model), home, part, step)
    }

    private init(
        _ description: ModelDescription, _ values: [BoxedValue], _ model: ObjectIdentifier, _ home: StoreHome,
        _ part: WritePart?, _ step: OriginStep?
    ) {
        (self.description, self.values, self.model) = (description, values, model)
        (self.home, self.part, self.step) = (home, part, step)
    }

    func remembering(_ part: WritePart?, _ step: OriginStep?) -> any OriginMemory {
        RecordMemory(description, values, model, home, part, step)
    }

    func isOf(_ model: any PersistentModel.Type) -> Bool { ObjectIdentifier(model) == self.model }

    func boxed() -> BoxedRecord { BoxedRecord(description, values: values) }

    func whole() -> BoxedRecord { boxed() }
}

/// What happened to a record, and what was known before.
final class OriginStep: Sendable {
    /// A record was saved of which nothing was known.
    static let first = OriginStep(earlier: nil)

    let earlier: (any OriginMemory)?
    /// What became of links.
    let changes: LinkEdits
    /// Whether the store gave the identifier.
    let isGiven: Bool
    /// Whether the record was deleted.
    let isGone: Bool

    init(earlier: (any OriginMemory)?, changes: LinkEdits = LinkEdits(), isGiven: Bool = false, isGone: Bool = false) {
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
