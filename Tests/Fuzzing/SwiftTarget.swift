import SluiceSwift

/// Declarations of Swift: no text makes the reader trap, and what is said of a declaration stands in its text.
enum SwiftTarget {
    static func run(_ bytes: [UInt8]) {
        for declaration in DeclarationReader.readAll(bytes, with: "PersistentModel") {
            check(declaration, ModelReader.read(declaration).problems, bytes.count)
        }
        for declaration in DeclarationReader.readAll(bytes, with: "Composition") {
            check(declaration, CompositionReader.read(declaration).problems, bytes.count)
        }
        let first = DeclarationReader.read(bytes)
        check(first, ModelReader.read(first).problems, bytes.count)
        if let problem = AttributePlacement.problem("Attribute", at: bytes, within: bytes) {
            require(problem.offset <= bytes.count, "A problem at \(problem.offset) of \(bytes.count)")
        }
    }

    private static func check(_ declaration: TypeDeclaration, _ problems: [SourceProblem], _ count: Int) {
        for property in declaration.properties {
            require(
                property.range.upperBound <= count, "\(property.name) ends at \(property.range.upperBound) of \(count)")
        }
        for problem in problems {
            require(problem.offset <= count, "A problem at \(problem.offset) of \(count): \(problem.message)")
            if let range = problem.fixIt?.range {
                require(range.upperBound <= count, "An edit until \(range.upperBound) of \(count): \(problem.message)")
            }
        }
    }
}
