/// A path to a composition, and through it to its parts.
///
/// ```swift
/// Shop.where { $0.location.lat > 48 }.order(by: \.location.lng)
/// ```
///
/// A part of a composition that may be nil, or that a reference leads to, has an optional value.
@dynamicMemberLookup
public struct CompositionPath<M: PersistentModel, Value: ComposedValue>: Sendable {
    private let scope: PathScope
    private let model: ModelDescription
    /// The positions of the fields within their model.
    private let fields: Range<Int>

    /// A composition of a model.
    public init(_ scope: PathScope, _ index: Int) {
        let model = M.model.description
        self.init(scope, model, model.compositions.indices.contains(index) ? model.compositions[index].fields : 0..<0)
    }

    private init(_ scope: PathScope, _ model: ModelDescription, _ fields: Range<Int>) {
        self.scope = scope
        self.model = model
        self.fields = fields
    }

    /// The same composition, as a path that begins in another model and may lead to nothing.
    func beginning<Root: PersistentModel>(in root: Root.Type) -> CompositionPath<Root, Value.Composed?> {
        CompositionPath<Root, Value.Composed?>(scope, model, fields)
    }

    private func place(_ index: Int) -> Range<Int> {
        let place = Value.Composed.composition.place(index)
        let lower = min(fields.lowerBound + place.lowerBound, fields.upperBound)
        return lower..<min(fields.lowerBound + place.upperBound, fields.upperBound)
    }

    private func part<Part>(_ index: Int) -> Path<M, Part> {
        let index = place(index).lowerBound
        // A field of a model that is led to is an expression.
        return Path(expression(index), index: model.entity == M.model.description.entity ? index : -1)
    }

    private func inner<Inner: ComposedValue>(_ index: Int) -> CompositionPath<M, Inner> {
        CompositionPath<M, Inner>(scope, model, place(index))
    }

    /// A part.
    public subscript<Part: StoredValue>(
        dynamicMember path: KeyPath<Value.Parts, CompositionPart<Part>>
    ) -> Path<M, Part> where Value: StoredComposition { part(Value.Parts()[keyPath: path].index) }

    /// A part that has parts.
    public subscript<Inner: StoredComposition>(
        dynamicMember path: KeyPath<Value.Parts, CompositionPart<Inner>>
    ) -> CompositionPath<M, Inner> where Value: StoredComposition { inner(Value.Parts()[keyPath: path].index) }

    /// A part that has parts, or is nil.
    public subscript<Inner: StoredComposition>(
        dynamicMember path: KeyPath<Value.Parts, CompositionPart<Inner?>>
    ) -> CompositionPath<M, Inner?> where Value: StoredComposition { inner(Value.Parts()[keyPath: path].index) }

    /// A part of what may be nil.
    @_disfavoredOverload
    public subscript<Part: StoredValue>(
        dynamicMember path: KeyPath<Value.Composed.Parts, CompositionPart<Part>>
    ) -> Path<M, Part?> where Value: OptionalComposition { part(Value.Composed.Parts()[keyPath: path].index) }

    /// A part of what may be nil that may be nil itself.
    public subscript<Part: StoredValue>(
        dynamicMember path: KeyPath<Value.Composed.Parts, CompositionPart<Part?>>
    ) -> Path<M, Part?> where Value: OptionalComposition { part(Value.Composed.Parts()[keyPath: path].index) }

    /// A part of what may be nil that has parts.
    public subscript<Inner: StoredComposition>(
        dynamicMember path: KeyPath<Value.Composed.Parts, CompositionPart<Inner>>
    ) -> CompositionPath<M, Inner?> where Value: OptionalComposition {
        inner(Value.Composed.Parts()[keyPath: path].index)
    }

    /// A part of what may be nil that has parts, or is nil.
    public subscript<Inner: StoredComposition>(
        dynamicMember path: KeyPath<Value.Composed.Parts, CompositionPart<Inner?>>
    ) -> CompositionPath<M, Inner?> where Value: OptionalComposition {
        inner(Value.Composed.Parts()[keyPath: path].index)
    }

    private func expression(_ index: Int) -> SQLExpression {
        guard model.fields.indices.contains(index) else { return "NULL" }
        var expression = SQLExpression(column: model.fields[index].column, in: scope)
        expression.collation = model.fields[index].type.flatMap(Collations.name)
        return expression
    }

    /// Whether there is none: all its columns are null.
    public var isNil: Condition<M> {
        Condition("(" + .joined(fields.map { expression($0) + " IS NULL" }, " AND ") + ")")
    }

    /// Whether there is one.
    public var isNotNil: Condition<M> {
        Condition("(" + .joined(fields.map { expression($0) + " IS NOT NULL" }, " OR ") + ")")
    }

    /// Whether all parts are those of a value.
    public static func == (path: CompositionPath, value: Value.Composed) -> Condition<M> {
        do throws(BoxError) {
            let parts = zip(path.fields, try BoxedComposition(value).values).map { field, value in
                path.expression(field).compared + " IS " + SQLExpression(value)
            }
            return Condition("(" + .joined(parts, " AND ") + ")")
        } catch {
            let property = path.model.compositions.first { $0.fields == path.fields }?.property
            return Condition(SQLExpression(refusal: property.map { error.within($0) } ?? error))
        }
    }

    /// Whether there is none; see ``isNil``.
    public static func == (path: CompositionPath, value: _OptionalNilComparisonType) -> Condition<M>
    where Value: OptionalComposition { path.isNil }

    /// Whether there is one; see ``isNotNil``.
    public static func != (path: CompositionPath, value: _OptionalNilComparisonType) -> Condition<M>
    where Value: OptionalComposition { path.isNotNil }

    /// Whether a part is another one than that of a value.
    public static func != (path: CompositionPath, value: Value.Composed) -> Condition<M> { !(path == value) }
}

extension CompositionPath: FieldPath { var fieldIndices: Range<Int> { fields } }

extension ToOnePath {
    /// A composition of what it leads to; nil where it leads to nothing.
    public subscript<Value: ComposedValue>(
        dynamicMember path: KeyPath<Target.Paths, CompositionPath<Target, Value>>
    ) -> CompositionPath<M, Value.Composed?> {
        Target.Paths(scope: inner)[keyPath: path].beginning(in: M.self)
    }
}
