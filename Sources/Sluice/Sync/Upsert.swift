internal import SluiceJSON

/// Some properties of a model.
public struct FieldSet<M: PersistentModel>: Sendable, Hashable {
    /// The positions; nil for all.
    private let positions: Set<Int>?

    private init(positions: Set<Int>?) { self.positions = positions }

    /// All properties.
    public static var all: FieldSet { FieldSet(positions: nil) }

    /// Properties by their paths.
    public init(_ paths: [PartialKeyPath<M.Paths>]) {
        let root = M.path
        self.init(positions: Set(paths.flatMap { (root[keyPath: $0] as? any FieldPath)?.fieldIndices ?? 0..<0 }))
    }

    init(fields: Set<Int>) { self.init(positions: fields) }

    func contains(_ index: Int) -> Bool { positions?.contains(index) ?? true }

    /// These and others.
    func union(_ others: [Int]) -> FieldSet { FieldSet(positions: positions?.union(others)) }
}

extension FieldSet: ExpressibleByArrayLiteral {
    /// Properties by their paths.
    public init(arrayLiteral elements: PartialKeyPath<M.Paths>...) { self.init(elements) }
}

/// A path to a property with a column, or with several.
protocol FieldPath { var fieldIndices: Range<Int> { get } }
extension Path: FieldPath { var fieldIndices: Range<Int> { index..<index + 1 } }

/// A value and which of its properties the source spoke of, so that what is absent says nothing.
///
/// It can stand within other types:
///
/// ```swift
/// struct Page: Decodable { let next: String?; let items: Upserts<Book> }
/// ```
public struct Upsert<M: PersistentModel>: Sendable {
    /// The value.
    public var value: M
    /// The properties that the source spoke of.
    public var present: FieldSet<M>

    /// A value of which the source spoke of some properties.
    public init(_ value: M, present: FieldSet<M> = .all) {
        self.value = value
        self.present = present
    }
}

extension Upsert: Decodable where M: Decodable {
    /// Decodes the value by its own initialiser, from where the model says that JSON has its properties, and remembers which keys
    /// there were.
    public init(from decoder: any Decoder) throws {
        value = try M(from: MappedDecoder(decoder, M.model.description))
        present = FieldSet(fields: try JSONPresence.fields(M.model.description, in: decoder))
    }
}

/// Values and which of their properties the source spoke of. A value that cannot be decoded is kept beside the others.
public struct Upserts<M: PersistentModel>: Sendable {
    /// An element that could not be decoded.
    public struct Failure: Sendable {
        /// Its place in the list.
        public let index: Int
        /// What is wrong.
        public let message: String
    }

    /// The values.
    public var values: [Upsert<M>]
    /// What could not be decoded.
    public private(set) var failures: [Failure] = []

    /// Values of which the source spoke.
    public init(_ values: [Upsert<M>]) { self.values = values }
}

extension Upserts: Decodable where M: Decodable {
    /// Decodes a list.
    public init(from decoder: any Decoder) throws {
        var container = try decoder.unkeyedContainer()
        values = []
        while !container.isAtEnd {
            let index = container.currentIndex
            // An element of its own decoder: one that fails must not keep the list from going on.
            let element = try container.decode(Attempted<M>.self)
            switch element.result {
            case .success(let value): values.append(value)
            case .failure(let failure): failures.append(Failure(index: index, message: failure.message))
            }
        }
    }
}

/// An element that may fail.
private struct Attempted<M: PersistentModel & Decodable>: Decodable {
    struct Failed: Error { let message: String }
    let result: Result<Upsert<M>, Failed>

    init(from decoder: any Decoder) throws {
        do { result = .success(try Upsert<M>(from: decoder)) } catch {
            result = .failure(Failed(message: JSONPresence.words(error)))
        }
    }
}

/// Which properties a JSON object speaks of.
enum JSONPresence {
    private struct AnyKey: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }
        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    /// The positions of the fields whose keys are there, whatever stands below them.
    static func fields(_ description: ModelDescription, in decoder: any Decoder) throws -> Set<Int> {
        let container = try decoder.container(keyedBy: AnyKey.self)
        return Set(
            description.fields.indices.filter { index in
                guard case .name(let name)? = description.fields[index].json?.steps.first else { return false }
                return container.contains(AnyKey(stringValue: name))
            })
    }

    /// What a decoder says is wrong.
    static func words(_ error: any Error) -> String {
        guard let error = error as? DecodingError else { return "\(error)" }
        switch error {
        case .keyNotFound(let key, _): return "The key `\(key.stringValue)` is missing."
        case .typeMismatch(_, let context), .valueNotFound(_, let context), .dataCorrupted(let context):
            let path = context.codingPath.map(\.stringValue).joined(separator: ".")
            return path.isEmpty ? context.debugDescription : "`\(path)`: \(context.debugDescription)"
        @unknown default: return "\(error)"
        }
    }
}
