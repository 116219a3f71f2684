internal import SluiceJSON

/// Some properties of a model.
public struct FieldSet<M: PersistentModel>: Sendable, Hashable {
    /// What a source says that speaks of them.
    let said: SaidProperties

    init(_ said: SaidProperties) { self.said = said }

    /// All properties, and of links nothing.
    public static var all: FieldSet { FieldSet(.all) }

    /// All properties, and some links as well, which are those that the record has from then on.
    ///
    /// ```swift
    /// let book = try await store.find(Book.self, 7)
    /// try await store.sync(Upsert(book, present: .all(with: \.tags)))
    /// ```
    ///
    /// - Parameter links: The properties that lead to other records.
    /// - Returns: All of them.
    public static func all(with links: PartialKeyPath<M.Paths>...) -> FieldSet {
        var said = FieldSet(links).said
        said.fields = nil
        for (index, relationship) in M.model.description.relationships.enumerated() where relationship.isByValue {
            said.relationships?.insert(index)
        }
        return FieldSet(said)
    }

    /// Properties by their paths. Of a record by value it means all that is said of that.
    public init(_ paths: [PartialKeyPath<M.Paths>]) {
        let root = M.path
        var said = SaidProperties(fields: [], relationships: [])
        for path in paths {
            switch root[keyPath: path] {
            case let path as any FieldPath: said.fields?.formUnion(path.fieldIndices)
            case let path as any RelationshipPath:
                if let index = path.relationshipIndex { said.relationships?.insert(index) }
            default: break
            }
        }
        self.init(said)
    }
}

extension FieldSet: ExpressibleByArrayLiteral {
    /// Properties by their paths.
    public init(arrayLiteral elements: PartialKeyPath<M.Paths>...) { self.init(elements) }
}

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

    /// A value of which the source spoke of some properties: these alone are merged into a record that is there, and a new one has all
    /// values.
    public init(_ value: M, present: FieldSet<M> = .all) {
        self.value = value
        self.present = present
    }
}

extension Upsert: Decodable where M: Decodable {
    /// Decodes the value by its own initialiser, from where the model says that JSON has its properties, and remembers which keys
    /// there were.
    public init(from decoder: any Decoder) throws {
        let met = MetFields()
        value = try M(from: MappedDecoder(decoder, M.model.description, noting: met))
        present = FieldSet(try JSONPresence.said(of: value, met, in: decoder))
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
        /// The same without values; nil where the message has none.
        let plain: String?
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
            case .failure(let failure):
                failures.append(Failure(index: index, message: failure.message, plain: failure.plain))
            }
        }
    }
}

/// An element that may fail.
private struct Attempted<M: PersistentModel & Decodable>: Decodable {
    struct Failed: Error {
        let message: String
        let plain: String?
    }
    let result: Result<Upsert<M>, Failed>

    init(from decoder: any Decoder) throws {
        do { result = .success(try Upsert<M>(from: decoder)) } catch {
            result = .failure(Failed(message: JSONPresence.words(error), plain: JSONPresence.plainWords(error)))
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

    /// What a JSON object says of a value that was made of it: the properties whose keys are there, whatever stands below them, and
    /// so on of the records that it holds by value.
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - met: The fields that were asked for as it was made.
    ///   - decoder: Decodes the object.
    /// - Returns: What it says.
    /// - Throws: What the decoder throws.
    static func said(
        of value: some PersistentModel, _ met: MetFields, in decoder: any Decoder
    ) throws -> SaidProperties {
        let description = type(of: value).modelDescription
        // What is said of a record within another goes by its key, and of that alone its values are needed.
        let within = description.holdsRecords ? try BoxedRecord(whole: value).within : nil
        if !description.holdsRecords, description.relationships.isEmpty,
            description.spelling.said.isSubset(of: met.fields.union(met.absent))
        {
            return SaidProperties(fields: met.fields, relationships: [])
        }
        return try said(of: description, within, met.fields, in: try decoder.container(keyedBy: AnyKey.self))
    }

    private static func said(
        of description: ModelDescription, _ within: BoxedRecord.Within?, _ met: PositionSet,
        in object: KeyedDecodingContainer<AnyKey>
    ) throws -> SaidProperties {
        let spelling = description.spelling
        var said = SaidProperties(fields: [], relationships: [])
        for (index, names) in spelling.fields.enumerated() {
            if within == nil, met.contains(index) {
                said.fields?.insert(index)
                continue
            }
            guard let keys = keys(names, or: spelling.codingKeys[index], in: object) else { continue }
            said.fields?.insert(index)
            guard let inner = within?.single[index], let (around, key) = member(keys, in: object),
                let object = try? around.nestedContainer(keyedBy: AnyKey.self, forKey: key)
            else { continue }
            said.single[index] = try self.said(of: inner.description, inner.within, [], in: object)
        }
        for (index, relationship) in description.relationships.enumerated() {
            guard let keys = keys(spelling.relationships[index], or: relationship.property, in: object) else {
                continue
            }
            said.relationships?.insert(index)
            guard let records = within?.lists[index], let (around, key) = member(keys, in: object),
                var list = try? around.nestedUnkeyedContainer(forKey: key), list.count == records.count
            else { continue }
            said.lists[index] = [:]
            for inner in records {
                guard let object = try? list.nestedContainer(keyedBy: AnyKey.self) else { break }
                said.lists[index]?[inner.key] = try self.said(of: inner.description, inner.within, [], in: object)
            }
        }
        return said
    }

    /// The keys that lead to a property, one within the other; nil where the object does not have the first of them.
    private static func keys(
        _ names: [String]?, or codingKey: String, in object: KeyedDecodingContainer<AnyKey>
    ) -> [String]? {
        guard let names, let first = names.first else { return nil }
        if object.contains(AnyKey(stringValue: first)) { return names }
        // A decoder may give names of its own to what JSON has, as `convertFromSnakeCase` does.
        return names.count == 1 && object.contains(AnyKey(stringValue: codingKey)) ? [codingKey] : nil
    }

    /// The object and the key in it to which some keys lead; nil where there is none.
    private static func member(
        _ names: [String], in object: KeyedDecodingContainer<AnyKey>
    ) -> (around: KeyedDecodingContainer<AnyKey>, key: AnyKey)? {
        let keys = names.map { AnyKey(stringValue: $0) }
        guard let last = keys.last else { return nil }
        var around = object
        for key in keys.dropLast() {
            guard let inner = try? around.nestedContainer(keyedBy: AnyKey.self, forKey: key) else { return nil }
            around = inner
        }
        return around.contains(last) ? (around, last) : nil
    }

    /// The same as ``words(_:)`` without what may be a value; nil where these have none.
    static func plainWords(_ error: any Error) -> String? {
        switch error {
        case is SluiceError, is UnboxError, is BoxError: return nil
        case DecodingError.dataCorrupted(let context):
            let path = context.codingPath.map(\.stringValue).joined(separator: ".")
            return path.isEmpty ? "The value cannot be read." : "The value of `\(path)` cannot be read."
        case is DecodingError: return nil
        default: return "It was refused with an error of the type `\(type(of: error))`."
        }
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
