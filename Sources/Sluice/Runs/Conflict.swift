internal import SluiceDecode
internal import SluiceModel
internal import SluiceReview
internal import SluiceStore

/// What source and store both changed, which a person has to decide.
public struct Conflict<M: PersistentModel>: Sendable, Identifiable {
    /// How the sides relate.
    public typealias Kind = ConflictKind

    /// What a person decides.
    public struct Decision: Sendable {
        let resolution: @Sendable (ConflictEntry) throws -> Resolution

        /// The store's value stands.
        public static var local: Decision { Decision { _ in .local } }
        /// The source's value is taken.
        public static var remote: Decision { Decision { _ in .remote } }
        /// What the source said before comes back.
        public static var base: Decision { Decision { _ in .base } }

        /// Another value stands.
        public static func set<Value: StoredValue>(
            _ path: KeyPath<M.Paths, Path<M, Value>>, _ value: Value
        ) -> Decision {
            let index = M.path[keyPath: path].index
            return Decision { entry in
                let fields = M.model.description.fields
                guard fields.indices.contains(index) else {
                    throw SluiceError(.refused, "A decision needs the path to a property.")
                }
                let field = fields[index]
                // A source that has not been synced since the property was renamed knows it by its name of before.
                let name = field.isNamed(entry.field) ? entry.field ?? field.name : field.name
                let boxed: BoxedValue
                do throws(BoxError) { boxed = try value.boxed() } catch {
                    throw SluiceError(error.at(field.property), entity: M.model.description.entity)
                }
                try M.model.description.check(boxed, index, of: nil)
                let stored = FieldValue(boxed)
                if case .text(let bytes) = stored, field.fieldType != .json {
                    return .value(String(decoding: bytes, as: UTF8.self), field: name)
                }
                return .value(FieldJSON.text(stored, type: field.fieldType), field: name)
            }
        }

        private init(_ resolution: @escaping @Sendable (ConflictEntry) throws -> Resolution) {
            self.resolution = resolution
        }
    }

    let entry: ConflictEntry

    /// The number, by which `sluice conflicts` names it as well.
    public var id: Int { Int(entry.id ?? 0) }
    /// The record's identifier, as a JSON object.
    public var record: String { entry.key }
    /// The record's identifier; nil where it is none of the model, as after its identifier was changed.
    public var identifier: M.Identifier? { M.model.description.identifier(entry.key, as: M.Identifier.self) }
    /// How the sides relate.
    public var kind: ConflictKind { ConflictKind(description: entry.kind) }
    /// The property; nil for the record as a whole.
    public var property: String? {
        M.model.description.fields.first { $0.isNamed(entry.field) }?.property
    }
    /// Where the source's value comes from.
    public var source: Source { Source(pipeline: entry.pipeline, stream: entry.stream) }

    /// The three sides of a property; nil where the conflict is about another one.
    ///
    /// - Parameter path: The property.
    /// - Returns: What the source said before, what the store holds and what the source says: each nil where nobody knows it. Of an
    ///   optional property that had no value it is the inner nil.
    /// - Throws: ``SluiceError`` where a side is no value of the property.
    public func sides<Value: StoredValue>(
        _ path: KeyPath<M.Paths, Path<M, Value>>
    ) throws -> (base: Value?, local: Value?, remote: Value?)? {
        let index = M.path[keyPath: path].index
        let fields = M.model.description.fields
        guard fields.indices.contains(index), fields[index].isNamed(entry.field) else { return nil }
        func side(_ json: String?) throws -> Value? {
            guard let json, let value = StoredJSON().value(json, type: fields[index].fieldType) else { return nil }
            if value == .null {
                return try? BoxedValueReader.read([BoxedValue(value)]) { try Value.unboxed($0[0]) }
            }
            do {
                return try BoxedValueReader.read([BoxedValue(value)]) { try Value.unboxed($0[0]) }
            } catch let error as UnboxError {
                throw SluiceError(
                    .unbox, "A side of conflict \(id) cannot be read: \(error.description).",
                    entity: M.model.description.entity, field: fields[index].property)
            }
        }
        return (try side(entry.base), try side(entry.local), try side(entry.remote))
    }
}
