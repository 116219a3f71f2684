internal import SluiceJSON

/// What the declaration of a composition says, as its macro writes it down.
public struct CompositionDescription: Sendable {
    /// What has a column of its own: a part, or a part of a part.
    struct Leaf: Sendable {
        /// The properties that lead to it, as in `lat` or `area.lat`.
        var property: String
        /// The name in the store, behind that of the property which is the composition.
        var name: String
        /// The keys that lead to it in JSON; nil where it has none.
        var keys: [String]?
        /// What the column holds; nil where the type has no column.
        var type: StoredType?
        var isOptional: Bool
        /// What says whether the part can have a value of the column; nil where it can have each.
        var reading: FieldReading?
    }

    /// A composition that may be nil: where one of its parts has a value, some have to have one.
    struct Whole: Sendable {
        /// The properties that lead to it, as in `area.corner`.
        var property: String
        /// The positions of its parts.
        var parts: Range<Int>
        /// The positions of those that are not optional within it.
        var required: [Int]

        /// The same as a part of something else.
        ///
        /// - Parameters:
        ///   - name: The property that leads to what has it.
        ///   - first: The position of the first part there.
        /// - Returns: The composition.
        func within(_ name: String, from first: Int) -> Whole {
            Whole(
                property: property.isEmpty ? name : "\(name).\(property)",
                parts: parts.lowerBound + first..<parts.upperBound + first, required: required.map { $0 + first })
        }
    }

    private let parts: [(property: String, place: Range<Int>)]
    /// What has a column, in the order of the columns.
    let leaves: [Leaf]
    /// The positions of the leaves that have a value wherever the composition is there.
    private let required: [Int]
    /// The compositions within it that may be nil.
    private let optional: [Whole]

    /// Makes it of the text that the macro writes.
    ///
    /// - Parameters:
    ///   - text: JSON: property, name and key of each part.
    ///   - types: The types of the parts.
    public init(_ text: String, _ types: [Any.Type]) {
        let described = (try? JSONDocument(text).root.elements) ?? []
        var parts: [(property: String, place: Range<Int>)] = []
        var leaves: [Leaf] = []
        var required: [Int] = []
        var optional: [Whole] = []
        for (value, type) in zip(described, types) {
            let property = value.text("property") ?? ""
            let name = value.text("name") ?? property
            let key = value.member(named: "json").map(\.string) ?? name
            let (wrapped, isOptional) = unwrapped(type)
            let first = leaves.count
            if let inner = (wrapped as? any StoredComposition.Type)?.composition {
                optional += inner.wholes(isOptional: isOptional).map { $0.within(property, from: first) }
                if !isOptional { required += inner.required.map { $0 + first } }
                leaves += inner.leaves.map { leaf in
                    var leaf = leaf
                    leaf.property = "\(property).\(leaf.property)"
                    leaf.name = "\(name)_\(leaf.name)"
                    leaf.keys = key.flatMap { key in leaf.keys.map { [key] + $0 } }
                    leaf.isOptional = leaf.isOptional || isOptional
                    return leaf
                }
            } else {
                let stored = (wrapped as? any StoredValue.Type)?.storedType
                if !isOptional { required.append(first) }
                leaves.append(
                    Leaf(
                        property: property, name: name, keys: key.map { [$0] }, type: stored, isOptional: isOptional,
                        reading: FieldReading(wrapped, nil)))
            }
            parts.append((property, first..<leaves.count))
        }
        self.parts = parts
        self.leaves = leaves
        self.required = required
        self.optional = optional
    }

    /// What may be nil of it, with the parts that have to have a value where it is not: of less than all of them nothing can be
    /// read.
    ///
    /// - Parameter isOptional: Whether that may be it itself.
    /// - Returns: The compositions.
    func wholes(isOptional: Bool) -> [Whole] {
        let own = isOptional && leaves.count > 1 && !required.isEmpty
        return optional + (own ? [Whole(property: "", parts: leaves.indices, required: required)] : [])
    }

    /// The columns of a part. A part that is not described has those behind all others, of which there are none.
    func place(_ index: Int) -> Range<Int> {
        parts.indices.contains(index) ? parts[index].place : leaves.count..<leaves.count
    }

    /// The property of a part.
    func property(_ index: Int) -> String { parts.indices.contains(index) ? parts[index].property : "" }
}
