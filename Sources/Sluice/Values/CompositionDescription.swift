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

    private let parts: [(property: String, place: Range<Int>)]
    /// What has a column, in the order of the columns.
    let leaves: [Leaf]

    /// Makes it of the text that the macro writes.
    ///
    /// - Parameters:
    ///   - text: JSON: property, name and key of each part.
    ///   - types: The types of the parts.
    public init(_ text: String, _ types: [Any.Type]) {
        let described = (try? JSONDocument(text).root.elements) ?? []
        var parts: [(property: String, place: Range<Int>)] = []
        var leaves: [Leaf] = []
        for (value, type) in zip(described, types) {
            let property = value.text("property") ?? ""
            let name = value.text("name") ?? property
            let key = value.member(named: "json").map(\.string) ?? name
            let (wrapped, isOptional) = unwrapped(type)
            let first = leaves.count
            if let inner = (wrapped as? any StoredComposition.Type)?.composition {
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
                leaves.append(
                    Leaf(
                        property: property, name: name, keys: key.map { [$0] }, type: stored, isOptional: isOptional,
                        reading: FieldReading(wrapped, nil)))
            }
            parts.append((property, first..<leaves.count))
        }
        self.parts = parts
        self.leaves = leaves
    }

    /// The columns of a part. A part that is not described has those behind all others, of which there are none.
    func place(_ index: Int) -> Range<Int> {
        parts.indices.contains(index) ? parts[index].place : leaves.count..<leaves.count
    }

    /// The property of a part.
    func property(_ index: Int) -> String { parts.indices.contains(index) ? parts[index].property : "" }
}
