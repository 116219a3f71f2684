internal import SluiceDecoding

/// Says whether a property can have what its column may hold: not each text is a value of an enum.
///
/// It is `@unchecked Sendable` because it keeps types alone, whose conformances the code of the macro uses on any thread as well.
struct FieldReading: @unchecked Sendable {
    private enum Storage {
        case value(any StoredValue.Type)
        case raw(any RawRepresentable.Type)
        case codable(any Decodable.Type)
        case transformed(any ValueTransform.Type)
    }

    /// Types that take whatever a source may fill their columns with.
    private static let complete: [any StoredValue.Type] = [
        Int.self, Int64.self, String.self, Bool.self, Double.self, [UInt8].self, JSONText.self, Day.self,
    ]

    private let storage: Storage
    /// The type's name, for people.
    let name: String

    /// Finds out how values are read; nil where nothing has to be asked.
    ///
    /// - Parameters:
    ///   - type: The property's type without the sign that makes it optional, or what transforms its values.
    ///   - storage: How the macro calls the storage; nil for values that are stored as they are.
    init?(_ type: Any.Type, _ storage: String?) {
        switch storage {
        case "raw":
            guard let type = type as? any RawRepresentable.Type else { return nil }
            self.storage = .raw(type)
        case "codable":
            guard let type = type as? any Decodable.Type else { return nil }
            self.storage = .codable(type)
        case "transformed":
            guard let type = type as? any ValueTransform.Type else { return nil }
            self.storage = .transformed(type)
        default:
            guard let type = type as? any StoredValue.Type, !Self.complete.contains(where: { $0 == type }) else {
                return nil
            }
            self.storage = .value(type)
        }
        name = "\(type)"
    }

    /// So many values are named of a type that has few.
    private static let mostNamed = 12

    /// The values that a column may hold, of a type that has few of them; nil for others.
    var allowed: [String]? {
        func raws<Value: CaseIterable>(_ type: Value.Type) -> [Any] {
            type.allCases.prefix(Self.mostNamed + 1).compactMap { ($0 as? any RawRepresentable).map { $0.rawValue } }
        }
        let type: Any.Type =
            switch storage {
            case .value(let type): type
            case .raw(let type): type
            case .codable(let type): type
            case .transformed(let type): type
            }
        guard let cases = type as? any CaseIterable.Type else { return nil }
        let values = raws(cases)
        return values.isEmpty || values.count > Self.mostNamed ? nil : values.map { "`\($0)`" }
    }

    /// Whether the property can have what a column holds, which is not null.
    func reads(_ column: StoredColumn) -> Bool {
        switch storage {
        case .value(let type): Self.reads(type, column)
        case .raw(let type): Self.reads(raw: type, column)
        case .codable(let type): Self.reads(codable: type, column)
        case .transformed(let type): Self.reads(transformed: type, column)
        }
    }

    /// A number that hardly any record has, and that the property can have.
    ///
    /// - Parameter number: Its place among these numbers, from 1.
    /// - Returns: Nil where it has no numbers, or where there is none left.
    func placeholder(_ number: Int64) -> BoxedValue? {
        guard case .value(let type) = storage else { return nil }
        if let type = type as? any FixedWidthInteger.Type { return Placeholder.integer(type, number) }
        guard type is any Numeric.Type else { return nil }
        switch type.storedType {
        case .double: return Placeholder.real(number)
        case .decimal: return Placeholder.decimal(number)
        default: return nil
        }
    }

    private static func reads<Value: StoredValue>(_ type: Value.Type, _ column: StoredColumn) -> Bool {
        (try? type.unboxed(column)) != nil
    }

    private static func reads<Value: RawRepresentable>(raw type: Value.Type, _ column: StoredColumn) -> Bool {
        func raw<Raw: StoredValue>(_ type: Raw.Type) -> Value.RawValue? {
            (try? type.unboxed(column)) as? Value.RawValue
        }
        guard let stored = Value.RawValue.self as? any StoredValue.Type else { return true }
        return raw(stored).flatMap(Value.init) != nil
    }

    private static func reads<Value: Decodable>(codable type: Value.Type, _ column: StoredColumn) -> Bool {
        guard case .text(let text) = column.value else { return false }
        return (try? TapeDecoder().decode(type, from: Array(text.utf8))) != nil
    }

    private static func reads<Transform: ValueTransform>(
        transformed type: Transform.Type, _ column: StoredColumn
    ) -> Bool {
        guard let stored = try? Transform.Stored.unboxed(column) else { return false }
        return (try? type.value(stored)) != nil
    }
}
