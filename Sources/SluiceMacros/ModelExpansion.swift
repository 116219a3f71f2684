internal import SluiceSwift

/// The extension that makes a model of a struct.
struct ModelExpansion {
    let model: ModelDeclaration
    /// The type, as the compiler calls it.
    let type: String
    let file: String
    let line: Int

    /// What is written before members.
    private var access: String { MemberAccess(of: model.access).text }

    /// What is written before the path of a property.
    private func access(of property: String) -> String { MemberAccess(of: model.access).of(property) }

    /// Swift source.
    var text: String {
        var parts = [
            description, paths, "\(access)static var path: Paths { Paths(scope: Sluice.PathScope(\(type).self)) }",
        ]
        if !model.members.contains("identifier") { parts.append(identifier) }
        if !model.functions.contains("init(unboxing:)") { parts.append(unboxing) }
        if !model.functions.contains("box") { parts.append(boxing) }
        parts += [defaults, origin, generated, links, nested, initializer].compactMap { $0 }
        parts += model.relationships.enumerated().filter { !$1.isByValue }.map { helpers($0, $1) }
        return "nonisolated extension \(type): Sluice.PersistentModel {\n\(parts.joined(separator: "\n"))\n}"
    }

    // MARK: Description

    /// One literal and one list of types: a call for each field would take the compiler several times as long.
    private var description: String {
        var members = [
            "\"entity\":\(PluginJSON.quoted(model.entity))", "\"table\":\(PluginJSON.quoted(model.table))",
            "\"file\":\(PluginJSON.quoted(file))", "\"line\":\(line)",
        ]
        if model.identification != .property {
            members.append("\"identifier\":\(PluginJSON.quoted(model.identification.rawValue))")
        }
        if let former = model.formerEntity { members.append("\"renamedFrom\":\(PluginJSON.quoted(former))") }
        if let former = model.formerTable { members.append("\"tableRenamedFrom\":\(PluginJSON.quoted(former))") }
        members += described(model.rules)
        if !model.unique.isEmpty {
            let groups = model.unique.map { "[\($0.map(PluginJSON.quoted).joined(separator: ","))]" }
            members.append("\"unique\":[\(groups.joined(separator: ","))]")
        }
        members.append("\"fields\":[\(model.fields.map(describe).joined(separator: ","))]")
        members.append("\"relationships\":[\(model.relationships.map { describe($0) }.joined(separator: ","))]")
        if !model.compositions.isEmpty {
            members.append("\"compositions\":[\(model.compositions.map(describe).joined(separator: ","))]")
        }
        let types =
            model.fields.map { "\(describedType($0)).self" } + model.relationships.map { "\($0.leadingType).self" }
            + model.compositions.map { "\($0.type).self" }
        return """
            \(access)static let model = Sluice.Model<\(type)>(
            \(SwiftLiteral.quoted("{\(members.joined(separator: ","))}")),
            [\(types.joined(separator: ", "))])
            """
    }

    /// What says how a field is stored: its type, or its transform.
    private func describedType(_ field: ModelDeclaration.Field) -> String {
        if let reference = field.reference { return reference.leadingType }
        guard case .transformed(let transform) = field.storage else { return field.type }
        return field.isOptional ? "\(transform)?" : transform
    }

    private func describe(_ field: ModelDeclaration.Field) -> String {
        var members = ["\"property\":\(PluginJSON.quoted(field.property))"]
        if field.name != field.property { members.append("\"name\":\(PluginJSON.quoted(field.name))") }
        if let former = field.formerName { members.append("\"renamedFrom\":\(PluginJSON.quoted(former))") }
        if let column = field.column { members.append("\"column\":\(PluginJSON.quoted(column))") }
        members += described(field.json, of: field.name)
        if field.isIdentifier { members.append("\"identifier\":true") }
        if field.isGenerated { members.append("\"generated\":true") }
        if field.isUnique { members.append("\"unique\":true") }
        if field.isIndexed { members.append("\"indexed\":true") }
        members += described(field.rules)
        switch field.storage {
        case .value: break
        case .raw: members.append("\"storage\":\"raw\"")
        case .codable: members.append("\"storage\":\"codable\"")
        case .transformed: members.append("\"storage\":\"transformed\"")
        }
        if field.failurePolicy != .throw { members.append("\"fallback\":true") }
        if !field.checks.isEmpty {
            members.append("\"checks\":[\(field.checks.map(describe).joined(separator: ","))]")
        }
        if let reference = field.reference { members.append("\"reference\":\(describe(reference))") }
        return "{\(members.joined(separator: ","))}"
    }

    private func described(_ place: ModelDeclaration.JSONPlace?, of name: String) -> [String] {
        switch place {
        case nil: ["\"json\":null"]
        case .key(name): []
        case .key(let key): ["\"json\":\(PluginJSON.quoted(key))"]
        case .path(let path): ["\"jsonPath\":\(PluginJSON.quoted(path))"]
        }
    }

    /// How records are merged.
    private func described(_ rules: MergeRules) -> [String] {
        if rules.isEmpty { return [] }
        let members = rules.sorted { $0.key.rawValue < $1.key.rawValue }.map { rule, word in
            "\(PluginJSON.quoted(rule.key)):\(PluginJSON.quoted(word))"
        }
        return ["\"rules\":{\(members.joined(separator: ","))}"]
    }

    private func describe(_ composition: ModelDeclaration.Composition) -> String {
        var members = ["\"property\":\(PluginJSON.quoted(composition.property))"]
        if composition.name != composition.property {
            members.append("\"name\":\(PluginJSON.quoted(composition.name))")
        }
        if let former = composition.formerName { members.append("\"renamedFrom\":\(PluginJSON.quoted(former))") }
        members += described(composition.json, of: composition.name)
        members += described(composition.rules)
        return "{\(members.joined(separator: ","))}"
    }

    private func describe(_ check: ModelDeclaration.Check) -> String {
        func list(_ texts: [String]) -> String { "[\(texts.map(PluginJSON.quoted).joined(separator: ","))]" }
        func described(_ kind: String, _ bounds: CheckBounds) -> String {
            var members = ["\"kind\":\"\(kind)\""]
            if let lower = bounds.lower { members.append("\"lower\":\(PluginJSON.quoted(lower))") }
            if let upper = bounds.upper { members.append("\"upper\":\(PluginJSON.quoted(upper))") }
            if bounds.excludesUpper { members.append("\"excludesUpper\":true") }
            return "{\(members.joined(separator: ","))}"
        }
        return switch check {
        case .range(let bounds): described("range", bounds)
        case .length(let bounds): described("length", bounds)
        case .pattern(let pattern): "{\"kind\":\"pattern\",\"pattern\":\(PluginJSON.quoted(pattern))}"
        case .texts(let texts): "{\"kind\":\"texts\",\"values\":\(list(texts))}"
        case .numbers(let numbers): "{\"kind\":\"numbers\",\"values\":\(list(numbers))}"
        }
    }

    private func describe(_ relationship: ModelDeclaration.Relationship) -> String {
        var members = [
            "\"property\":\(PluginJSON.quoted(relationship.property))",
            "\"deleteRule\":\(PluginJSON.quoted(relationship.deleteRule))",
        ]
        if relationship.name != relationship.property {
            members.append("\"name\":\(PluginJSON.quoted(relationship.name))")
        }
        if let former = relationship.formerName { members.append("\"renamedFrom\":\(PluginJSON.quoted(former))") }
        if case .path(let path)? = relationship.json { members.append("\"jsonPath\":\(PluginJSON.quoted(path))") }
        if let inverse = relationship.inverse { members.append("\"inverse\":\(PluginJSON.quoted(inverse))") }
        if relationship.isByValue { members.append("\"byValue\":true") }
        if let via = relationship.via { members.append("\"via\":\(PluginJSON.quoted(via))") }
        members += described(relationship.rules)
        return "{\(members.joined(separator: ","))}"
    }

    // MARK: Paths

    private var paths: String {
        var lines: [String] = []
        for (index, field) in model.fields.enumerated() {
            let own = access(of: field.access)
            if let reference = field.reference {
                lines.append(
                    "\(own)var \(name(field.property)): Sluice.ToOnePath<\(type), \(reference.target)> { .init(scope, \(index)) }"
                )
            } else {
                lines.append(
                    "\(own)var \(name(field.property)): Sluice.Path<\(type), \(field.type)> { .init(scope, \(index)) }")
            }
        }
        for (index, relationship) in model.relationships.enumerated() {
            lines.append(
                "\(access(of: relationship.access))var \(name(relationship.property)): Sluice.ToManyPath<\(type), \(relationship.target)> { .init(scope, \(index)) }"
            )
        }
        for (index, composition) in model.compositions.enumerated() {
            lines.append(
                "\(access(of: composition.access))var \(name(composition.property)): Sluice.CompositionPath<\(type), \(composition.type)> { .init(scope, \(index)) }"
            )
        }
        return """
            \(access)nonisolated struct Paths: Sluice.ModelPaths {
            \(access)let scope: Sluice.PathScope
            \(access)init(scope: Sluice.PathScope) { self.scope = scope }
            \(lines.joined(separator: "\n"))
            }
            """
    }

    /// A name for a parameter or variable that stands before no property.
    private func free(_ name: String) -> String { model.members.contains(name) ? free(name + "_") : name }

    /// A name that a keyword may be.
    private func name(_ property: String) -> String { "`\(property)`" }

    // MARK: Identity

    private var identifier: String {
        let fields = model.identifiers
        switch model.identification {
        case .property: break
        case .content:
            return """
                \(access)typealias Identifier = Swift.String
                \(access)var identifier: Swift.String? { contentIdentifier }
                \(access)var savedIdentifier: Swift.String? { contentIdentifier }
                """
        case .none:
            return """
                \(access)typealias Identifier = Sluice.NoIdentifier
                \(access)var savedIdentifier: Sluice.NoIdentifier? { nil }
                """
        }
        guard fields.count > 1 else {
            let field = fields.first
            let type = SwiftType.wrapped(field?.type ?? "Int")
            let isGenerated = field?.isGenerated == true
            return """
                \(access)typealias Identifier = \(type)
                \(access)var identifier: \(isGenerated ? type + "?" : type) { \(name(field?.property ?? "id")) }
                \(access)var savedIdentifier: \(type)? { \(name(field?.property ?? "id")) }
                """
        }
        let properties = fields.map { "\(access)let \(name($0.property)): \($0.type)" }
        let parameters = fields.map { "\($0.property): \($0.type)" }
        let assignments = fields.map { "self.\($0.property) = \(name($0.property))" }
        let boxes = fields.map { "try Sluice.BoxedValue(\(name($0.property)))" }
        let arguments = fields.map { "\($0.property): \(name($0.property))" }
        let reads = fields.enumerated().map { "\($1.property): try \($1.type).unboxed(columns[\($0)])" }
        return """
            \(access)nonisolated struct Identifier: Sluice.StoredKey {
            \(properties.joined(separator: "\n"))
            \(access)init(\(parameters.joined(separator: ", "))) { \(assignments.joined(separator: "; ")) }
            \(access)func boxKey() throws(Sluice.BoxError) -> [Sluice.BoxedValue] { [\(boxes.joined(separator: ", "))] }
            \(access)static func unboxKey(_ columns: [Sluice.StoredColumn]) throws(Sluice.UnboxError) -> Identifier? {
            columns.count == \(fields.count) ? Identifier(\(reads.joined(separator: ", "))) : nil
            }
            }
            \(access)var identifier: Identifier { Identifier(\(arguments.joined(separator: ", "))) }
            \(access)var savedIdentifier: Identifier? { identifier }
            """
    }

    private var generated: String? {
        guard let field = model.fields.first(where: \.isGenerated) else { return nil }
        return "\(access)mutating func assign(generated identifier: Int) { \(name(field.property)) = identifier }"
    }

    private var origin: String? {
        guard model.hasOrigin else { return nil }
        return """
            \(access)var storedOrigin: Sluice.Origin? {
            get { origin }
            set { if let newValue { origin = newValue } }
            }
            """
    }

    private var links: String? {
        let lines = model.relationships.enumerated().filter { !$1.isConstant && !$1.isByValue }.map {
            index, relationship in
            "\(name(relationship.property)) = \(name(relationship.property)).attached(to: self, \(index))"
        }
        if lines.isEmpty { return nil }
        return """
            \(access)mutating func attachLinks() {
            \(lines.joined(separator: "\n"))
            }
            """
    }

    /// What is saved with the record.
    private var nested: String? {
        let own = model.fields.compactMap { field in field.reference.map { (field.property, field.type, $0) } }
        let lists = model.relationships.map { ($0.property, $0.type, $0) }
        let (tx, part) = (free("tx"), free("part"))
        let lines = (own + lists).filter { $0.2.isByValue }.map { property, type, relationship in
            let value = name(property)
            let back = relationship.isConstant ? "" : "; \(value) = \(part)"
            return SwiftType.isOptional(type)
                ? "if var \(part) = \(value) { try \(tx).save(&\(part))\(back) }"
                : "do { var \(part) = \(value); try \(tx).save(&\(part))\(back) }"
        }
        if lines.isEmpty { return nil }
        return """
            \(access)mutating func saveNested(in \(tx): Sluice.Transaction) throws {
            \(lines.joined(separator: "\n"))
            }
            """
    }

    // MARK: Boxing

    private var unboxing: String {
        let row = free("row")
        var lines = model.fields.enumerated().map { index, field in
            // What has another value where it cannot be read does not throw.
            "\(name(field.property)) = \(field.failurePolicy == .throw ? "try " : "")\(unbox(field, index, of: row))"
        }
        lines += model.relationships.enumerated().map { index, relationship in
            relationship.isByValue
                ? "\(name(relationship.property)) = try \(row).values(\(relationship.target).self, \(index))"
                : "\(name(relationship.property)) = \(row).unlinked(\(relationship.type).self, \(index))"
        }
        lines += model.compositions.enumerated().map { index, composition in
            "\(name(composition.property)) = try \(row).unbox(composition: \(composition.type).self, \(index))"
        }
        // The value is copied for that, so it is asked for where it is wanted alone, and not with itself: what others look at
        // where it stands is copied again to where it goes.
        if model.hasOrigin {
            let copy = free("copy")
            lines.append("if \(row).remembersOrigin { let \(copy) = self; origin = \(row).origin(of: \(copy)) }")
        }
        return """
            \(access)init(unboxing \(row): borrowing Sluice.Row<\(type)>) throws(Sluice.UnboxError) {
            \(lines.joined(separator: "\n"))
            }
            """
    }

    private func unbox(_ field: ModelDeclaration.Field, _ index: Int, of row: String) -> String {
        if field.reference?.isByValue == true { return "\(row).value(\(field.type).self, \(index))" }
        let method =
            switch field.storage {
            case .value: "unbox(\(field.type).self, \(index)"
            case .raw: "unbox(raw: \(field.type).self, \(index)"
            case .codable: "unbox(codable: \(field.type).self, \(index)"
            case .transformed(let transform): "unbox(\(field.type).self, by: \(transform).self, \(index)"
            }
        let fallback = field.initialValue ?? "nil"
        switch field.failurePolicy {
        case .throw: return "\(row).\(method))"
        case .fallbackToDefaultValue: return "\(row).\(method), orDefault: \(fallback))"
        case .debugAssertNil: return "\(row).\(method), orDefault: \(fallback), asserting: true)"
        }
    }

    private func box(_ field: ModelDeclaration.Field, _ index: Int, into values: String) -> String {
        let value = name(field.property)
        if field.reference?.isByValue == true { return "try \(values).box(value: \(value), \(index))" }
        return switch field.storage {
        // What the author reads is checked here, and all else where it is read: a type without a column is one error.
        case .value where model.functions.contains("init(unboxing:)"): "try \(values).box(\(value), \(index))"
        case .value: "try \(values).box(read: \(value), \(index))"
        case .raw: "try \(values).box(raw: \(value), \(index))"
        case .codable: "try \(values).box(codable: \(value), \(index))"
        case .transformed(let transform): "try \(values).box(\(value), by: \(transform).self, \(index))"
        }
    }

    private var boxing: String {
        let values = free("values")
        var lines = model.fields.enumerated().map { index, field in box(field, index, into: values) }
        lines += model.relationships.enumerated().map { index, relationship in
            "try \(values).box(\(relationship.isByValue ? "values" : "links"): \(name(relationship.property)), \(index))"
        }
        lines += model.compositions.enumerated().map { index, composition in
            "try \(values).box(composition: \(name(composition.property)), \(index))"
        }
        return """
            \(access)func box(into \(values): inout Sluice.BoxedRecord) throws(Sluice.BoxError) {
            \(lines.joined(separator: "\n"))
            }
            """
    }

    private var defaults: String? {
        let values = free("values")
        let lines = model.fields.enumerated().filter { $1.hasDefault }.map { index, field in
            "let \(name(field.property)): \(field.type) = \(field.initialValue ?? "nil")\n\(box(field, index, into: values))"
        }
        // Who boxes by hand may have properties that have no column as they are.
        if lines.isEmpty || !model.functions.isDisjoint(with: ["box", "boxDefaults"]) { return nil }
        return """
            \(access)static func boxDefaults(into \(values): inout Sluice.BoxedRecord) throws(Sluice.BoxError) {
            \(lines.joined(separator: "\n"))
            }
            """
    }

    // MARK: Helpers

    /// What changes and counts the records of a relationship, but what the author wrote under the same name.
    private func helpers(_ index: Int, _ relationship: ModelDeclaration.Relationship) -> String {
        let property = relationship.property
        let capital = property.prefix(1).uppercased() + property.dropFirst()
        let target = relationship.target
        var parts = [
            (
                "addTo\(capital)",
                """
                \(access)func addTo\(capital)(_ value: \(target), in tx: Sluice.Transaction) throws { try tx.add([value], to: self, relationship: \(index)) }
                \(access)func addTo\(capital)(_ values: some Sequence<\(target)>, in tx: Sluice.Transaction) throws { try tx.add(Array(values), to: self, relationship: \(index)) }
                """
            ),
            (
                "removeFrom\(capital)",
                """
                \(access)func removeFrom\(capital)(_ value: \(target), in tx: Sluice.Transaction) throws { try tx.remove([value], from: self, relationship: \(index)) }
                \(access)func removeFrom\(capital)(_ values: some Sequence<\(target)>, in tx: Sluice.Transaction) throws { try tx.remove(Array(values), from: self, relationship: \(index)) }
                """
            ),
        ]
        if SwiftType.argument(of: relationship.type, "OrderedRefs") != nil {
            let text = """
                \(access)func insertInto\(capital)(_ value: \(target), at position: Int, in tx: Sluice.Transaction) throws { try tx.insert([value], at: position, into: self, relationship: \(index)) }
                \(access)func insertInto\(capital)(_ values: some Sequence<\(target)>, at position: Int, in tx: Sluice.Transaction) throws { try tx.insert(Array(values), at: position, into: self, relationship: \(index)) }
                """
            parts.append(("insertInto\(capital)", text))
        }
        if model.wantsCounts {
            let reader = free("reader")
            let text =
                "\(access)func \(property)Count(in \(reader): Sluice.Reader) throws -> Int { try \(name(property)).count(in: \(reader)) }"
            parts.append(("\(property)Count", text))
        }
        return parts.filter { !model.members.contains($0.0) }.map(\.1).joined(separator: "\n")
    }

    private var initializer: String? {
        guard model.wantsInitializer else { return nil }
        let fields = model.fields.map { (property: $0.property, type: $0.type, value: $0.initialValue) }
        let compositions = model.compositions.map {
            (property: $0.property, type: $0.type, value: $0.initialValue)
        }
        let links = model.relationships.map { (property: $0.property, type: $0.type, value: "[]" as String?) }
        let places = Dictionary(model.properties.enumerated().map { ($1, $0) }) { first, _ in first }
        let all = (fields + compositions + links).sorted { places[$0.property] ?? 0 < places[$1.property] ?? 0 }
        var parameters = all.map { part in
            let fallback = part.value ?? (SwiftType.isOptional(part.type) ? "nil" : nil)
            return "\(part.property): \(part.type)" + (fallback.map { " = \($0)" } ?? "")
        }
        parameters.append("_: Sluice.MemberwiseInitializer = Sluice.MemberwiseInitializer()")
        let assignments = all.map { "self.\($0.property) = \(name($0.property))" }
        // Within the module the one that the compiler writes is meant, which has `origin` as well.
        return """
            @_disfavoredOverload \(access)init(\(parameters.joined(separator: ", "))) {
            \(assignments.joined(separator: "\n"))
            }
            """
    }
}
