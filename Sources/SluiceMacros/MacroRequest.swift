internal import SluiceSwift

/// What the compiler asks to expand.
struct MacroRequest {
    /// The type that implements the macro, by which it is told apart.
    let macro: String
    /// What is asked for: an extension, members, or nothing of interest.
    let role: String
    /// The type that an extension extends, as the compiler calls it.
    let extendedType: String?
    /// The file, as the module calls it.
    let file: String
    /// The line of the declaration.
    let line: Int
    /// The declaration.
    let source: [UInt8]
    /// The declarations around it without what stands in them, the innermost first; nil where the compiler does not say.
    var context: [[UInt8]]?

    /// Expands the macro.
    ///
    /// - Returns: Swift source, nil where there are problems, and the problems.
    func expand() -> (text: String?, problems: [SourceProblem]) {
        switch (macro, role) {
        case ("PersistentModelMacro", "extension"):
            let (model, problems) = ModelReader.read(DeclarationReader.read(source))
            if !problems.isEmpty { return (nil, problems) }
            let expansion = ModelExpansion(model: model, type: extendedType ?? model.type, file: file, line: line)
            return (expansion.text, [])
        case ("CompositionMacro", "extension"):
            let (composition, problems) = CompositionReader.read(DeclarationReader.read(source))
            if !problems.isEmpty { return (nil, problems) }
            return (CompositionExpansion(composition: composition, type: extendedType ?? composition.type).text, [])
        case ("StoreActorMacro", "extension"):
            return ("extension \(extendedType ?? ""): Sluice.StoreActor {}", [])
        case ("StoreActorMacro", "member"):
            let declaration = DeclarationReader.read(source)
            guard declaration.keyword == "actor" else {
                return (
                    nil, [SourceProblem("@StoreActor is for actors", at: declaration.nameRange.lowerBound)]
                )
            }
            if let problem = initializerProblem(declaration) { return (nil, [problem]) }
            return (storeActor(declaration), [])
        case ("MainStoreActorMacro", "extension"):
            return ("extension \(extendedType ?? ""): Sluice.MainStoreActor {}", [])
        case ("MainStoreActorMacro", "member"):
            let declaration = DeclarationReader.read(source)
            guard declaration.keyword == "class" else {
                return (
                    nil,
                    [
                        SourceProblem(
                            "@MainStoreActor is for classes of the main actor; @StoreActor is for actors",
                            at: declaration.nameRange.lowerBound)
                    ]
                )
            }
            if let problem = initializerProblem(declaration) { return (nil, [problem]) }
            return (storeMembers(declaration).joined(separator: "\n"), [])
        case (let macro, "peer"):
            guard let context, macro.hasSuffix("Macro") else { return ("", []) }
            let name = String(macro.dropLast(5))
            return ("", AttributePlacement.problem(name, at: source, within: context.first).map { [$0] } ?? [])
        default: return ("", [])
        }
    }

    /// What is wrong with what an actor's macro says of the initialiser.
    private func initializerProblem(_ declaration: TypeDeclaration) -> SourceProblem? {
        let macros = ["StoreActor", "MainStoreActor"]
        let arguments = declaration.attributes.filter { macros.contains($0.name) }.flatMap(\.arguments)
        return arguments.first { $0.label == "initializer" && !["true", "false"].contains($0.text) }.map {
            SourceProblem("`initializer` must be true or false, as a literal", at: $0.range.lowerBound)
        }
    }

    private func storeActor(_ declaration: TypeDeclaration) -> String {
        let executor =
            "\(access(of: declaration))nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe store.unownedExecutor }"
        return (storeMembers(declaration) + [executor]).joined(separator: "\n")
    }

    /// The store, and the initialiser that takes it unless the author writes one.
    private func storeMembers(_ declaration: TypeDeclaration) -> [String] {
        let access = access(of: declaration)
        let hasOwnInitializer = declaration.attributes.contains { attribute in
            attribute.arguments.contains { $0.label == "initializer" && $0.text == "false" }
        }
        let initializer = "\(access)init(store: Sluice.Store) { self.store = store }"
        return ["\(access)nonisolated let store: Sluice.Store"] + (hasOwnInitializer ? [] : [initializer])
    }

    private func access(of declaration: TypeDeclaration) -> String {
        ["public", "package"].contains(declaration.access) ? declaration.access + " " : ""
    }
}
