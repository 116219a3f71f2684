import Foundation
import SwiftParser
import SwiftSyntax

/// What the reader of declarations finds in each type of Swift files, beside what SwiftSyntax finds in it.
///
/// `scripts/swift-reader.sh` compiles it with the sources of `SluiceSwift`, where a toolchain has SwiftSyntax.
@main
enum Comparison {
    static func main() throws {
        var (types, properties, differences) = (0, 0, 0)
        let list = String(decoding: FileHandle.standardInput.readDataToEndOfFile(), as: UTF8.self)
        for path in list.split(separator: "\n").map(String.init) {
            guard let source = try? String(contentsOfFile: path, encoding: .utf8) else { continue }
            let visitor = TypeVisitor(viewMode: .sourceAccurate)
            visitor.walk(Parser.parse(source: source))
            for type in visitor.types {
                types += 1
                properties += type.lines.count - 1
                let found = lines(of: DeclarationReader.read(Array(type.source.utf8)))
                if found == type.lines { continue }
                differences += 1
                print("\(path): \(type.lines[0])")
                for line in type.lines where !found.contains(line) { print("  SwiftSyntax: \(line)") }
                for line in found where !type.lines.contains(line) { print("  the reader:  \(line)") }
            }
        }
        print("\(types) types with \(properties) properties, \(differences) of which differ")
        if types == 0 || differences > 0 { exit(1) }
    }

    private static func lines(of type: TypeDeclaration) -> [String] {
        let attributes = line(of: type.attributes)
        return ["\(type.keyword) \(type.name) \(type.isGeneric ? "<>" : "") \(type.access) [\(attributes)]"]
            + type.properties.map { property in
                let attributes = line(of: property.attributes)
                let kind = "\(property.isConstant ? "let" : "var") \(property.isStatic) \(property.isComputed)"
                let value =
                    property.isOneOfSeveral ? "…" : "\(squeezed(property.type)) = \(squeezed(property.initialValue))"
                return "\(kind) \(property.access) \(property.name): \(value) [\(attributes)]"
            }
    }

    /// The attributes that may be macros. The compiler's own have arguments of many shapes.
    private static func line(of attributes: [TypeDeclaration.Attribute]) -> String {
        attributes.filter { $0.name.first?.isUppercase == true }.map { attribute in
            let arguments = attribute.arguments.map { "\($0.label ?? "_"): \(squeezed($0.text))" }
            return "\(attribute.name)(\(arguments.joined(separator: ", ")))"
        }.joined(separator: " ")
    }
}

/// A text without what stands between its tokens.
func squeezed(_ text: String?) -> String {
    guard let text else { return "" }
    let bytes = Array(text.utf8)
    let tokens = SwiftLexer.tokens(of: bytes).filter { $0.kind != .newline && $0.kind != .end }
    return tokens.map { String(decoding: bytes[$0.start..<$0.end], as: UTF8.self) }.joined()
}

/// Collects the types of a file with their properties, as SwiftSyntax reads them.
final class TypeVisitor: SyntaxVisitor {
    private(set) var types: [(source: String, lines: [String])] = []

    override func visit(_ node: StructDeclSyntax) -> SyntaxVisitorContinueKind {
        add(node, "struct", node.name, node.genericParameterClause)
    }
    override func visit(_ node: ClassDeclSyntax) -> SyntaxVisitorContinueKind {
        add(node, "class", node.name, node.genericParameterClause)
    }
    override func visit(_ node: EnumDeclSyntax) -> SyntaxVisitorContinueKind {
        add(node, "enum", node.name, node.genericParameterClause)
    }
    override func visit(_ node: ActorDeclSyntax) -> SyntaxVisitorContinueKind {
        add(node, "actor", node.name, node.genericParameterClause)
    }

    private func add(
        _ node: some DeclGroupSyntax, _ keyword: String, _ name: TokenSyntax, _ generics: GenericParameterClauseSyntax?
    ) -> SyntaxVisitorContinueKind {
        let attributes = line(of: node.attributes)
        let head =
            "\(keyword) \(plain(name)) \(generics == nil ? "" : "<>") \(access(node.modifiers)) [\(attributes)]"
        types.append((node.description, [head] + lines(of: node.memberBlock.members)))
        return .visitChildren
    }

    private func lines(of members: MemberBlockItemListSyntax) -> [String] {
        members.flatMap { member -> [String] in
            if let condition = member.decl.as(IfConfigDeclSyntax.self) {
                // The reader reads the lines between conditions as if all of them held.
                return condition.clauses.flatMap { clause -> [String] in
                    if case .decls(let members) = clause.elements { lines(of: members) } else { [] }
                }
            }
            return member.decl.as(VariableDeclSyntax.self).map(lines) ?? []
        }
    }

    private func lines(of variable: VariableDeclSyntax) -> [String] {
        // The others of several in one declaration are refused.
        variable.bindings.prefix(1).compactMap { binding in
            guard let name = binding.pattern.as(IdentifierPatternSyntax.self)?.identifier else { return nil }
            let isStatic = variable.modifiers.contains { ["static", "class"].contains($0.name.text) }
            let isComputed =
                switch binding.accessorBlock?.accessors {
                case .getter: true
                case .accessors(let list):
                    !list.contains { ["willSet", "didSet"].contains($0.accessorSpecifier.text) }
                case nil: false
                }
            let type = squeezed(binding.typeAnnotation?.type.trimmedDescription)
            let value =
                variable.bindings.count > 1
                ? "…" : "\(type) = \(squeezed(binding.initializer?.value.trimmedDescription))"
            let kind = "\(variable.bindingSpecifier.text) \(isStatic) \(isComputed)"
            return "\(kind) \(access(variable.modifiers)) \(plain(name)): \(value) [\(line(of: variable.attributes))]"
        }
    }

    private func access(_ modifiers: DeclModifierListSyntax) -> String {
        let words = ["public", "package", "private", "fileprivate"]
        return modifiers.first { words.contains($0.name.text) && $0.detail == nil }?.name.text ?? ""
    }

    private func line(of attributes: AttributeListSyntax) -> String {
        attributes.compactMap { $0.as(AttributeSyntax.self) }.compactMap { attribute in
            let name = attribute.attributeName.trimmedDescription.split(separator: ".").last ?? ""
            guard name.first?.isUppercase == true else { return nil }
            var arguments: [String] = []
            if case .argumentList(let list)? = attribute.arguments {
                arguments = list.map { "\($0.label.map(plain) ?? "_"): \(squeezed($0.expression.trimmedDescription))" }
            }
            return "\(name)(\(arguments.joined(separator: ", ")))"
        }.joined(separator: " ")
    }

    private func plain(_ name: TokenSyntax) -> String { name.text.filter { $0 != "`" } }
}
