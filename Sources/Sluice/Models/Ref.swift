/// What leads to one record: its key, and the record where it was brought along.
public struct Ref<Target: PersistentModel>: Sendable {
    /// The key.
    public let key: Target.Identifier
    private var included: Included<Target>?

    /// The record, where ``Query/including(_:)`` brought it along and it is there.
    public var value: Target? { included?.values.first }

    /// Leads to the record of a key.
    public init(_ key: Target.Identifier) { self.key = key }

    /// Leads to a record; nil where the store has not given its identifier yet.
    public init?(_ value: Target) {
        guard let key = value.savedIdentifier else { return nil }
        self.key = key
    }

    /// Takes its record of those that were brought along, which several may lead to, or none.
    mutating func bring(from found: [Target.Identifier: Included<Target>], or none: Included<Target>) {
        included = found[key] ?? none
    }
}

extension Ref: Hashable {
    /// Whether both lead to one record.
    public static func == (left: Ref, right: Ref) -> Bool { left.key == right.key }
    /// Hashes the key.
    public func hash(into hasher: inout Hasher) { hasher.combine(key) }
}

extension Ref: StoredValue where Target.Identifier: StoredValue {
    /// What the column of the key holds.
    public static var storedType: StoredType { Target.Identifier.storedType }
    /// Leads to the record of the key.
    public static func unboxed(_ column: StoredColumn) throws(UnboxError) -> Ref {
        Ref(try Target.Identifier.unboxed(column))
    }
    /// The key.
    public func boxed() throws(BoxError) -> BoxedValue { try key.boxed() }
}

extension Ref: StoredKey where Target.Identifier: StoredValue {}

extension Ref: Decodable where Target.Identifier: Decodable {
    /// Reads the key.
    public init(from decoder: any Decoder) throws { key = try Target.Identifier(from: decoder) }
}

extension Ref: Encodable where Target.Identifier: Encodable {
    /// Writes the key.
    public func encode(to encoder: any Encoder) throws { try key.encode(to: encoder) }
}

/// Records that were brought along, in a box: a struct may lead to its own type.
final class Included<Target: PersistentModel>: Sendable {
    let values: [Target]
    init(values: [Target]) { self.values = values }
}
