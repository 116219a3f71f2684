internal import SluiceSwift

/// The extension that makes a composition of a struct.
struct CompositionExpansion {
    let composition: CompositionDeclaration
    /// The type, as the compiler calls it.
    let type: String

    /// What is written before members.
    private var access: String { MemberAccess(of: composition.access).text }

    /// What is written before the path of a property.
    private func access(of property: String) -> String { MemberAccess(of: composition.access).of(property) }

    /// Swift source.
    var text: String {
        let parts = composition.parts.enumerated()
        let types = composition.parts.map { "\($0.type).self" }.joined(separator: ", ")
        let paths = parts.map { index, part in
            "\(access(of: part.access))var `\(part.property)`: Sluice.CompositionPart<\(part.type)> { .init(\(index)) }"
        }
        func free(_ name: String) -> String {
            composition.parts.contains { $0.property == name } ? free(name + "_") : name
        }
        let (row, values) = (free("row"), free("values"))
        let reads = parts.map { "`\($1.property)` = try \(row).unbox(\($1.type).self, \($0))" }
        let writes = parts.map { "try \(values).box(`\($1.property)`, \($0))" }
        return """
            nonisolated extension \(type): Sluice.StoredComposition {
            \(access)static let composition = Sluice.CompositionDescription(
            \(SwiftLiteral.quoted("[\(composition.parts.map(describe).joined(separator: ","))]")),
            [\(types)])
            \(access)nonisolated struct Parts: Sluice.CompositionParts {
            \(access)init() {}
            \(paths.joined(separator: "\n"))
            }
            \(access)init(unboxing \(row): borrowing Sluice.CompositionRow) throws(Sluice.UnboxError) {
            \(reads.joined(separator: "\n"))
            }
            \(access)func box(into \(values): inout Sluice.BoxedComposition) throws(Sluice.BoxError) {
            \(writes.joined(separator: "\n"))
            }
            }
            """
    }

    private func describe(_ part: CompositionDeclaration.Part) -> String {
        var members = ["\"property\":\(PluginJSON.quoted(part.property))"]
        if part.name != part.property { members.append("\"name\":\(PluginJSON.quoted(part.name))") }
        if part.key != part.name { members.append("\"json\":\(part.key.map(PluginJSON.quoted) ?? "null")") }
        return "{\(members.joined(separator: ","))}"
    }
}
