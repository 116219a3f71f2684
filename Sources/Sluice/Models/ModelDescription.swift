internal import SluiceDecode
internal import SluiceJSON
internal import SluiceModel
internal import SluicePipeline
internal import Synchronization

/// A model by its names: entity, table, columns.
public struct ModelDescription: Sendable {
    /// A property with a column of its own.
    struct Field: Sendable {
        let property: String
        /// What `Codable` calls it.
        let codingKey: String
        /// The name in the store.
        let name: String
        /// The name in the store that it had before; nil where it was not renamed.
        let formerName: String?
        /// The column, where the declaration names one.
        let givenColumn: String?
        /// Where a source's JSON has the value; nil where it has none.
        let json: JSONPath?
        /// Whether the declaration names a path that is none.
        let hasInvalidPath: Bool
        /// What the column holds; nil where the type has no column.
        let type: StoredType?
        let isOptional: Bool
        let isIdentifier: Bool
        let isGenerated: Bool
        /// Whether no property has it: what tells records apart that none of their properties does.
        var isImplied = false
        let isUnique: Bool
        /// Whether its column has an index.
        var isIndexed = false
        /// How it is merged.
        let rules: MergeWords
        /// What its values have to be.
        let checks: [FieldCheck]
        /// What it leads to; nil for a value.
        let reference: Relationship?
        /// Whether the column holds what `Codable` or a transform makes of values.
        var isEncoded = false
        /// Whether another value stands for one that cannot be read.
        var hasFallback = false
        /// What says whether the property can have a value of the column; nil where it can have each.
        var reading: FieldReading?
        /// How many of the last steps of its path in JSON lead into the objects of a composition.
        var partDepth = 0

        /// Whether a row without a value can be read.
        var takesNull: Bool { isOptional || hasFallback }

        /// Whether the source alone may change it.
        var isOwnedBySource: Bool { rules.owner == .remote }

        /// The column. That of a reference is named after the target's identifier as well.
        var column: String { givenColumn ?? column(of: name) }
        /// The column under the name of before.
        var formerColumn: String { formerName.map(column) ?? column }

        private func column(of name: String) -> String {
            guard let reference, let key = reference.target?.modelDescription.identifierNames.first else { return name }
            return name + "_" + key
        }
    }

    /// A property whose parts have columns of their own.
    struct Composition: Sendable {
        let property: String
        /// The positions of the fields that are its parts.
        let fields: Range<Int>
    }

    /// What leads to other records.
    struct Relationship: Sendable {
        let property: String
        let name: String
        /// The name in the store that it had before; nil where it was not renamed.
        let formerName: String?
        /// Where a source's JSON has the keys; nil where it has none.
        let json: JSONPath?
        /// Whether the declaration names a path that is none.
        let hasInvalidPath: Bool
        /// The property on the other side, nil where there is none.
        let inverse: String?
        let deleteRule: DeleteRule
        /// The table of links, where the declaration names one.
        let via: String?
        /// How lists of records are merged.
        let rules: MergeWords
        /// Whether the records are read and saved with the one that leads to them.
        let isByValue: Bool
        /// Whether what it leads to has an order.
        let isOrdered: Bool
        /// Whether what it leads to is a part of the record, and goes once no record has it.
        var isPart: Bool { isByValue && deleteRule == .cascade }
        /// The model that it leads to; nil where the type is none that leads anywhere.
        let target: (any PersistentModel.Type)?
    }

    /// What it says; one reference to it, so that whoever hands it on copies no names.
    private let content: Content

    init(_ text: String, _ types: [Any.Type], named typeName: String) {
        content = Content(Words(text, types, named: typeName))
    }

    /// The name of the type.
    public var typeName: String { content.words.typeName }
    /// The entity's name.
    public var entity: String { content.words.entity }
    /// The table's name.
    public var table: String { content.words.table }
    /// What the entity was called before; nil where it was not renamed.
    var formerEntity: String? { content.words.formerEntity }
    /// What the table was called before; nil where it was not renamed.
    var formerTable: String? { content.words.formerTable }
    /// The file that declares it, and the line.
    public var place: String { content.words.place }
    var fields: [Field] { content.words.fields }
    var relationships: [Relationship] { content.words.relationships }
    var compositions: [Composition] { content.words.compositions }
    /// What has parts and may be nil, with the positions of the fields that are the parts.
    var wholes: [CompositionDescription.Whole] { content.words.wholes }
    /// Makes the keys of records that all their values identify; nil where others do.
    var contentKey: ContentKey? { content.words.contentKey }
    /// How its records are merged.
    var rules: MergeWords { content.words.rules }
    /// Groups of positions of fields whose values together are unique.
    var unique: [[Int]] { content.words.unique }
    /// Whether its records hold others by value.
    var holdsRecords: Bool { content.words.holdsRecords }
    /// Whether its records have parts, which go once no record has them.
    var hasParts: Bool { content.words.hasParts }
    /// Whether the macro's text could be read.
    var isReadable: Bool { content.words.isReadable }

    /// The properties that hold values or records by value, in their order: what leads to records elsewhere is none of them.
    package var valueProperties: [String] {
        let single = fields.filter { !$0.isImplied && $0.reference?.isByValue != false }.map(\.property)
        let lists = relationships.filter(\.isByValue).map(\.property)
        // A part of a composition is called after it, as `location.lat`.
        return (single + lists).map { $0.prefix { $0 != "." } }.reduce(into: []) { names, name in
            if names.last != String(name) { names.append(String(name)) }
        }
    }

    /// How many fields there are.
    var fieldCount: Int { content.fieldCount }
    /// The positions of the fields that identify a record.
    var identifiers: [Int] { content.identifiers }
    /// The positions of the fields that lead to other records.
    var leading: [Int] { content.leading }
    /// The positions of the fields whose values have to be something.
    var checked: [Int] { content.checked }
    /// Whether saving a value of it changes nothing of that but what it remembers: it leads to no others and has its identifier.
    var standsAlone: Bool { content.standsAlone }
    /// Whether its records lead to others.
    var leads: Bool { content.leads }
    /// The position of the field whose values the store gives; nil where it gives none.
    var generated: Int? { content.generated }
    /// The table's name in lower case.
    var lowercasedTable: String { content.lowercasedTable }
    /// How the values of the fields and relationships stand in JSON.
    var spelling: JSONSpelling { content.spelling }
    /// The columns of the fields.
    var columns: [String] { content.names.columns }
    /// The columns of the fields that identify a record.
    var keyColumns: [String] { content.names.keyColumns }
    /// The names of these fields.
    fileprivate var identifierNames: [String] { identifiers.map { fields[$0].givenColumn ?? fields[$0].name } }
    /// The columns that these fields had under their names of before.
    var formerKeyColumns: [String] { identifiers.map { fields[$0].formerColumn } }
    /// Whether its records are told apart by nothing.
    var hasNoIdentifier: Bool { content.hasNoIdentifier }

    /// The position of a relationship or reference by its name in Swift or in the store.
    func relationship(named name: String) -> Int? {
        relationships.firstIndex { $0.property == name } ?? relationships.firstIndex { $0.name == name }
    }

    /// The position of a field by its name in Swift or in the store.
    func field(named name: String) -> Int? {
        fields.firstIndex { $0.property == name } ?? fields.firstIndex { $0.name == name }
    }

    /// Whether a source's records of an entity are of this model, under its name of now or of before.
    func isEntity(_ name: String) -> Bool { name == entity || name == formerEntity }
}

extension ModelDescription {
    /// What the macro's text says.
    private struct Words: Sendable {
        /// The name of the type.
        let typeName: String
        /// The entity's name.
        private(set) var entity: String
        /// The table's name.
        private(set) var table: String
        /// What the entity was called before; nil where it was not renamed.
        private(set) var formerEntity: String?
        /// What the table was called before; nil where it was not renamed.
        private(set) var formerTable: String?
        /// The file that declares it, and the line.
        private(set) var place = ""
        private(set) var fields: [Field] = []
        private(set) var relationships: [Relationship] = []
        private(set) var compositions: [Composition] = []
        /// What has parts and may be nil, with the positions of the fields that are the parts.
        private(set) var wholes: [CompositionDescription.Whole] = []
        /// Makes the keys of records that all their values identify; nil where others do.
        private(set) var contentKey: ContentKey?
        /// How its records are merged.
        private(set) var rules = MergeWords()
        /// Groups of positions of fields whose values together are unique.
        private(set) var unique: [[Int]] = []
        /// Whether its records hold others by value.
        private(set) var holdsRecords = false
        /// Whether its records have parts, which go once no record has them.
        private(set) var hasParts = false
        /// Whether the macro's text could be read.
        private(set) var isReadable = false

        init(_ text: String, _ types: [Any.Type], named typeName: String) {
            self.typeName = typeName
            entity = typeName
            table = typeName
            guard let root = try? JSONDocument(text).root else { return }
            entity = root.text("entity") ?? typeName
            table = root.text("table") ?? typeName
            formerEntity = root.text("renamedFrom")
            formerTable = root.text("tableRenamedFrom")
            rules = MergeWords(root)
            place = "\(root.text("file") ?? ""):\(root.member(named: "line")?.integer ?? 0)"
            let described = root.member(named: "fields")?.elements ?? []
            let leading = root.member(named: "relationships")?.elements ?? []
            let composed = root.member(named: "compositions")?.elements ?? []
            guard described.count + leading.count + composed.count == types.count else { return }
            fields = zip(described, types).map { value, type in Field(value, type) }
            relationships = zip(leading, types.dropFirst(described.count)).map { value, type in
                Relationship(value, type)
            }
            // What has parts stands behind all that has none, so that the macro knows the positions of these.
            for (value, type) in zip(composed, types.dropFirst(described.count + leading.count)) {
                let first = fields.count
                let property = value.text("property") ?? ""
                fields += Field.parts(of: value, type)
                compositions.append(Composition(property: property, fields: first..<fields.count))
                let (wrapped, isOptional) = unwrapped(type)
                wholes += ((wrapped as? any StoredComposition.Type)?.composition.wholes(isOptional: isOptional) ?? [])
                    .map {
                        $0.within(property, from: first)
                    }
            }
            switch root.text("identifier") {
            case "none": fields.append(.implied("_id", type: .int, isGenerated: true))
            case "content":
                contentKey = ContentKey(
                    field: fields.count,
                    parts: fields.enumerated().map { ($0, $1.name, $1.fieldType, FieldComparison.exact) })
                fields.append(.implied(EntityDefinition.contentKeyName, type: .string, isGenerated: false))
            default: break
            }
            let groups = root.member(named: "unique")?.elements ?? []
            unique = groups.map { group in
                group.elements.compactMap { name in fields.firstIndex { $0.property == name.string } }
            }
            unique += fields.indices.filter { fields[$0].isUnique }.map { [$0] }
            holdsRecords =
                fields.contains { $0.reference?.isByValue == true } || relationships.contains { $0.isByValue }
            hasParts = fields.contains { $0.reference?.isPart == true } || relationships.contains { $0.isPart }
            isReadable = true
        }
    }

    /// What it says, with what follows from that.
    private final class Content: Sendable {
        let words: Words
        let fieldCount: Int
        let identifiers: [Int]
        let leading: [Int]
        let checked: [Int]
        let leads: Bool
        let standsAlone: Bool
        let generated: Int?
        let hasNoIdentifier: Bool
        let lowercasedTable: String
        let spelling: JSONSpelling
        private let known = AtomicLazyReference<Names>()

        init(_ words: Words) {
            self.words = words
            let fields = words.fields
            fieldCount = fields.count
            identifiers = fields.indices.filter { fields[$0].isIdentifier }
            leading = fields.indices.filter { fields[$0].reference != nil }
            checked = fields.indices.filter { !fields[$0].checks.isEmpty }
            leads = !leading.isEmpty || !words.relationships.isEmpty
            generated = fields.firstIndex { $0.isGenerated }
            standsAlone = !leads && generated == nil
            hasNoIdentifier = fields.contains { $0.isImplied && $0.isGenerated }
            lowercasedTable = words.table.lowercased()
            spelling = JSONSpelling(fields, words.relationships)
        }

        /// The names of columns, which are asked for once all models that it leads to are there: some are named after these.
        var names: Names { known.load() ?? known.storeIfNil(Names(self)) }
    }

    /// The names of columns.
    private final class Names: Sendable {
        let columns: [String]
        let keyColumns: [String]

        init(_ content: Content) {
            let columns = content.words.fields.map(\.column)
            self.columns = columns
            keyColumns = content.identifiers.map { columns[$0] }
        }
    }
}

extension ModelDescription.Field {
    /// Whether a source keeps what it said of the field under a name, that of now or that of before.
    func isNamed(_ name: String?) -> Bool { name != nil && (name == self.name || name == formerName) }

    fileprivate init(_ value: JSONValue, _ type: Any.Type) {
        property = value.text("property") ?? ""
        codingKey = value.text("json") ?? property
        name = value.text("name") ?? property
        formerName = value.text("renamedFrom")
        givenColumn = value.text("column")
        json = ModelDescription.place(value, name)
        hasInvalidPath = json == nil && value.text("jsonPath") != nil
        let (wrapped, isOptional) = unwrapped(type)
        self.isOptional = isOptional
        self.type =
            switch value.text("storage") {
            case "raw": (wrapped as? any RawRepresentable.Type).flatMap { rawType($0) }
            case "codable": .json
            case "transformed": (wrapped as? any ValueTransform.Type).map { transformedType($0) }
            default: (wrapped as? any StoredValue.Type)?.storedType
            }
        isIdentifier = value.flag("identifier")
        isGenerated = value.flag("generated")
        isUnique = value.flag("unique")
        isIndexed = value.flag("indexed")
        rules = MergeWords(value)
        checks = value.member(named: "checks")?.elements.map { FieldCheck($0) } ?? []
        reference = value.member(named: "reference").map { ModelDescription.Relationship($0, wrapped) }
        isEncoded = ["codable", "transformed"].contains(value.text("storage"))
        hasFallback = value.flag("fallback")
        reading = reference == nil && !hasFallback ? FieldReading(wrapped, value.text("storage")) : nil
    }
}

extension ModelDescription.Field {
    /// The field of an identifier that no property has.
    fileprivate static func implied(_ name: String, type: StoredType, isGenerated: Bool) -> Self {
        Self(
            property: name, codingKey: name, name: name, formerName: nil, givenColumn: nil, json: nil,
            hasInvalidPath: false, type: type,
            isOptional: isGenerated, isIdentifier: true, isGenerated: isGenerated, isImplied: true, isUnique: false,
            rules: MergeWords(), checks: [], reference: nil)
    }

    /// The fields that are the parts of a composition.
    fileprivate static func parts(of value: JSONValue, _ type: Any.Type) -> [Self] {
        let property = value.text("property") ?? ""
        let name = value.text("name") ?? property
        let former = value.text("renamedFrom")
        let place = ModelDescription.place(value, name)
        let (wrapped, isOptional) = unwrapped(type)
        let leaves = (wrapped as? any StoredComposition.Type)?.composition.leaves ?? []
        return leaves.map { leaf in
            let json = leaf.keys.flatMap { keys in place.map { $0.appending(keys) } }
            return Self(
                property: "\(property).\(leaf.property)", codingKey: "\(property).\(leaf.property)",
                name: "\(name)_\(leaf.name)",
                formerName: former.map { "\($0)_\(leaf.name)" }, givenColumn: nil, json: json,
                hasInvalidPath: place == nil && value.text("jsonPath") != nil, type: leaf.type,
                isOptional: leaf.isOptional || isOptional, isIdentifier: false, isGenerated: false, isUnique: false,
                rules: MergeWords(value), checks: [], reference: nil, reading: leaf.reading,
                partDepth: leaf.keys?.count ?? 0)
        }
    }
}

extension JSONPath {
    /// The path to a member of what this one leads to, member by member.
    fileprivate func appending(_ names: [String]) -> JSONPath {
        JSONPath(steps: steps + names.map { .name($0) }, text: ([text] + names).joined(separator: "."))
    }
}

extension ModelDescription {
    /// Where JSON has what the macro describes; nil where it has none, or where its path is none.
    fileprivate static func place(_ value: JSONValue, _ name: String) -> JSONPath? {
        if let path = value.text("jsonPath") { return try? JSONPath(parsing: path) }
        guard let key = value.member(named: "json") else { return JSONPath(steps: [.name(name)], text: name) }
        return key.string.map { JSONPath(steps: [.name($0)], text: $0) }
    }
}

extension ModelDescription.Relationship {
    fileprivate init(_ value: JSONValue, _ type: Any.Type) {
        property = value.text("property") ?? ""
        name = value.text("name") ?? property
        formerName = value.text("renamedFrom")
        json = value.text("jsonPath").flatMap { try? JSONPath(parsing: $0) }
        hasInvalidPath = json == nil && value.text("jsonPath") != nil
        inverse = value.text("inverse")
        deleteRule = value.text("deleteRule").flatMap(DeleteRule.init) ?? .nullify
        via = value.text("via")
        rules = MergeWords(value)
        isByValue = value.flag("byValue")
        isOrdered = type is any OrderedType.Type
        target = (type as? any LeadingType.Type)?.targetType
    }
}

// MARK: Types by what they are made of

/// A type that leads to records.
protocol LeadingType { static var targetType: any PersistentModel.Type { get } }
extension Ref: LeadingType { static var targetType: any PersistentModel.Type { Target.self } }
extension OrderedRefs: LeadingType { static var targetType: any PersistentModel.Type { Target.self } }
extension Refs: LeadingType { static var targetType: any PersistentModel.Type { Target.self } }

/// A type that leads to records in an order.
private protocol OrderedType {}
extension OrderedRefs: OrderedType {}

private func rawType<Value: RawRepresentable>(_ type: Value.Type) -> StoredType? {
    (Value.RawValue.self as? any StoredValue.Type)?.storedType
}

private func transformedType<Transform: ValueTransform>(_ type: Transform.Type) -> StoredType {
    Transform.Stored.storedType
}
