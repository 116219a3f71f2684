/// A path to a composition, and through it to its parts.
///
/// ```swift
/// Shop.where { $0.location.lat > 48 }.order(by: \.location.lng)
/// ```
@dynamicMemberLookup
public struct CompositionPath<M: PersistentModel, Composition: StoredComposition>: Sendable {
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

    /// The same composition, as a path that begins in another model.
    func beginning<Root: PersistentModel>(in root: Root.Type) -> CompositionPath<Root, Composition> {
        CompositionPath<Root, Composition>(scope, model, fields)
    }

    private func place(_ index: Int) -> Range<Int> {
        let place = Composition.composition.place(index)
        let lower = min(fields.lowerBound + place.lowerBound, fields.upperBound)
        return lower..<min(fields.lowerBound + place.upperBound, fields.upperBound)
    }

    /// A part.
    public subscript<Value: StoredValue>(
        dynamicMember path: KeyPath<Composition.Parts, CompositionPart<Value>>
    ) -> Path<M, Value> {
        let index = place(Composition.Parts()[keyPath: path].index).lowerBound
        // A field of a model that is led to is an expression.
        return Path(expression(index), index: model.entity == M.model.description.entity ? index : -1)
    }

    /// A part that has parts.
    public subscript<Inner: StoredComposition>(
        dynamicMember path: KeyPath<Composition.Parts, CompositionPart<Inner>>
    ) -> CompositionPath<M, Inner> {
        CompositionPath<M, Inner>(scope, model, place(Composition.Parts()[keyPath: path].index))
    }

    /// A part that has parts, or is nil.
    public subscript<Inner: StoredComposition>(
        dynamicMember path: KeyPath<Composition.Parts, CompositionPart<Inner?>>
    ) -> CompositionPath<M, Inner> {
        CompositionPath<M, Inner>(scope, model, place(Composition.Parts()[keyPath: path].index))
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
    public static func == (path: CompositionPath, value: Composition) -> Condition<M> {
        guard let boxed = try? BoxedComposition(value) else { return Condition("0") }
        let parts = zip(path.fields, boxed.values).map { field, value in
            path.expression(field).compared + " IS " + SQLExpression(value)
        }
        return Condition("(" + .joined(parts, " AND ") + ")")
    }

    /// Whether a part is another one than that of a value.
    public static func != (path: CompositionPath, value: Composition) -> Condition<M> { !(path == value) }
}

extension CompositionPath: FieldPath { var fieldIndices: Range<Int> { fields } }

extension ToOnePath {
    /// A composition of what it leads to.
    public subscript<Composition>(
        dynamicMember path: KeyPath<Target.Paths, CompositionPath<Target, Composition>>
    ) -> CompositionPath<M, Composition> {
        Target.Paths(scope: inner)[keyPath: path].beginning(in: M.self)
    }
}
