/// What a value was when it was read, so that saving it writes what changed and notices what others changed meanwhile.
///
/// Add it to a model, as `var origin = Origin()`. It is equal to every other one, adds nothing to a hash and is left out
/// of coding.
public struct Origin: Sendable {
    private final class Box: Sendable {
        let value: any PersistentModel
        init(_ value: any PersistentModel) { self.value = value }
    }

    private var box: Box?

    /// Makes one that remembers nothing.
    public init() {}

    init(reading value: some PersistentModel) { box = Box(value) }

    /// The value as it was read; nil where it was not.
    func value<M: PersistentModel>(as type: M.Type) -> M? { box?.value as? M }
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
