package import SluiceJSON
package import SluiceModel
package import SluicePipeline
package import SluiceReport

/// An entity's mapping, compiled once per stream: which JSON values become which fields.
///
/// Paths that select one value share a tree, so that a record's members are visited once, in their own order:
///
///     id            root ─ id → field 0
///     author.name        ├ author ─ name → field 1
///     author.id          │        └ id → field 2
///     tags[*]            (a path with wildcards is followed on its own)
package struct DecodePlan {
    /// A place in the tree.
    package struct Node {
        package var names: [(name: [UInt8], child: Int)] = []
        package var indexes: [(index: Int, child: Int)] = []
        /// The fields whose value stands here.
        package var fields: [Int] = []
        /// The JSON pointer of what has to be an object here, or null; nil where anything may stand.
        var object: String?

        /// Makes a value of its parts.
        package init(
            names: [(name: [UInt8], child: Int)] = [], indexes: [(index: Int, child: Int)] = [], fields: [Int] = []
        ) {
            self.names = names
            self.indexes = indexes
            self.fields = fields
        }
        var isLeaf: Bool { names.isEmpty && indexes.isEmpty }
    }

    /// How one field is filled.
    ///
    /// Shared, so that no record counts references to what is in it.
    package final class Field: Sendable {
        package let name: String
        package let converter: ValueConverter
        package let isKey: Bool
        package let isRequired: Bool
        package let onMissing: FieldDefinition.MissingRule
        package let onNull: FieldDefinition.NullRule
        let onMismatch: FieldDefinition.MismatchRule
        /// The rule by which a value that does not fit ends the run, nil where it does not.
        package let runEnd: RunEnd?
        /// The value that stands in for an absent key.
        package let fallback: FieldConstant?
        /// Replacements by the text of the remote value.
        package let map: [[UInt8]: FieldConstant]
        /// A path with wildcards, or with an index from the end.
        let openPath: JSONPath?
        package let template: TextTemplate?
        /// A jq program over the record, whose first output is the value.
        package let program: String?
        /// What a record within another one takes from around it.
        let inherited: Inherited?
        package let pointer: String
        package let nameDigest: UInt64
        /// What is kept of its values, where they must not appear in clear.
        package let redaction: FieldRedaction?
        /// What identifies the records that it leads to; nil where it leads to none.
        package let target: Target?

        /// Makes a value of its parts.
        package init(
            name: String, converter: ValueConverter, isKey: Bool, isRequired: Bool,
            onMissing: FieldDefinition.MissingRule, onNull: FieldDefinition.NullRule,
            onMismatch: FieldDefinition.MismatchRule, runEnd: RunEnd?, fallback: FieldConstant?,
            map: [[UInt8]: FieldConstant], openPath: JSONPath?, template: TextTemplate?, program: String?,
            inherited: Inherited?, pointer: String, nameDigest: UInt64, redaction: FieldRedaction?, target: Target?
        ) {
            self.name = name
            self.converter = converter
            self.isKey = isKey
            self.isRequired = isRequired
            self.onMissing = onMissing
            self.onNull = onNull
            self.onMismatch = onMismatch
            self.runEnd = runEnd
            self.fallback = fallback
            self.map = map
            self.openPath = openPath
            self.template = template
            self.program = program
            self.inherited = inherited
            self.pointer = pointer
            self.nameDigest = nameDigest
            self.redaction = redaction
            self.target = target
        }
        /// Whether a value is taken as it is found.
        package var isPlain: Bool { map.isEmpty && target == nil }
    }

    /// How the keys of other records are found.
    ///
    /// Shared, so that no record counts references to what is in it.
    package final class Target: Sendable {
        /// The place of the key, or of each part of it, within an object.
        package let paths: [JSONPath]
        /// Whether a key is one value, so that it may stand for its record.
        let isSingle: Bool
        /// How several records are found; nil where there is one.
        package let many: Many?

        package init(paths: [JSONPath], isSingle: Bool, many: Many?) {
            self.paths = paths
            self.isSingle = isSingle
            self.many = many
        }
    }

    /// How several records and their keys are found.
    package final class Many: Sendable {
        /// The path to all records.
        let path: JSONPath
        /// The names that lead to the one list that they are of; nil for another path.
        let namesOfList: [String]?
        /// The path to what they stand in.
        let container: JSONPath
        /// The parts of their keys.
        let keys: [Field]
        /// Whether they are the elements of an array, each as it stands.
        let isList: Bool

        init(path: JSONPath, keys: [Field]) {
            self.path = path
            namesOfList = path.namesOfList
            self.keys = keys
            container = JSONPath(steps: Array(path.steps.prefix { $0 != .wildcard }), text: path.text)
            isList = path.isPlain && path.steps.firstIndex(of: .wildcard) == path.steps.count - 1
        }
    }

    /// What a record within another one takes from around it.
    package enum Inherited {
        /// A part of the key of the record that it belongs to.
        case ownerKey(Int)
        /// Its position in its list, from 0.
        case position
    }

    package let nodes: [Node]
    package let fields: [Field]
    package let keyFields: [Int]
    /// The places of the key fields, where no more than these tells what record it is; nil where it takes all of it.
    package let keyPaths: [JSONPath]?
    package let schema: RecordSchema
    /// Makes the key of what the other fields hold, where a record is told apart by that.
    package let contentKey: ContentKey?
    /// Which keys are taken, nil where nobody wants to know.
    let coverage: KeyCoverage?
    /// The member that names the fields of which a record says nothing unless it is new; nil where none does.
    let unsaidMember: [UInt8]?
    /// Hides redacted values where records are kept or told of that could not be taken; nil where there are none.
    package let redactor: RecordRedactor?
    /// What stands within records; nil where nothing of that is mapped.
    package let parts: NestedTree?
    /// Whether records are told apart by their place in a list, or by that of what they stand in: then a place says nothing of
    /// who stands there, and what a record leaves out is none, where elsewhere nothing is said of it.
    package let isPositional: Bool
    /// The key that takes the names of members, where these are the records.
    package let entriesKey: String?
    /// What becomes of records by their cursor; nil for a stream that is read as a whole.
    package var cursor: CursorFilter?
    /// The same for each partition, by their keys.
    package var partitionCursors: [ExactText: CursorFilter] = [:]
    /// What the hashes of records' texts begin with; nil where nobody keeps them.
    package var textSeed: UInt64?
    /// Whether somebody asks which records were left out that are still listed.
    package var keepsLeftOut = false
    /// What makes a program's look at records; nil where no program looks at them.
    package var looks: (any RecordLooks)?
    /// Whether anything looks at the records, or at what stands within them.
    package var isLookedAt: Bool { looks != nil || parts?.parts.contains { $0.plan.looks != nil } == true }
    /// Whether records are rows of cells.
    let readsRows: Bool
    /// Whether nobody said where the records are, so that a document that is no list is one.
    let takesDocuments: Bool
    /// What the partitions of its stream give; nil for a stream that asks once.
    package var partitions: PartitionShape?

    /// Compiles a mapping.
    ///
    /// - Parameters:
    ///   - entity: The entity.
    ///   - schema: What the store knows of it.
    ///   - entriesKey: The key that takes the names of members, where these are the records.
    ///   - stream: The stream whose keys are watched; nil to look at none but those that are mapped.
    ///   - types: What the contract says of types; nil for what the stream's does, or else to convert what can be.
    ///   - parts: What stands within records.
    ///   - isPositional: Whether records are told apart by their place in a list, see ``isPositional``.
    ///   - place: Where the records stand within those of a stream whose keys are watched; nil for the stream's own.
    /// - Throws: ``SyncError`` where a default or a mapped value does not fit its field.
    package init(
        entity: EntityDefinition, schema: RecordSchema, entriesKey: String?, stream: StreamDefinition? = nil,
        types: SchemaContract.TypeRule? = nil, parts: NestedTree? = nil, isPositional: Bool = false,
        within place: (stream: StreamDefinition, steps: [JSONPath.Step])? = nil
    ) throws {
        let types = types ?? stream?.schemaContract.types ?? .coerce
        self.parts = parts
        self.isPositional = isPositional
        readsRows = stream?.format.hasRows ?? false
        takesDocuments = stream.map { $0.format == .json && $0.records == nil && $0.entries == nil } ?? false
        self.schema = schema
        self.entriesKey = entriesKey
        keyFields = schema.keyFields
        redactor = RecordRedactor(entity.fields, below: parts?.redactedPaths ?? [])
        contentKey = ContentKey(entity)
        unsaidMember = entity.unsaidMember.map { Array($0.utf8) }
        var nodes = [Node()]
        let constants = ConstantReader()
        var fields: [Field] = []
        func field(
            _ definition: FieldDefinition, isKey: Bool, showsValues: Bool, nameDigest: UInt64 = 0
        ) throws -> Field {
            let mismatchRule = definition.onTypeMismatch ?? types.mismatchRule
            return Field(
                name: definition.name,
                converter: ValueConverter(
                    // What refers to a key is spelled like it.
                    definition, isKey: isKey || definition.reference != nil && !definition.isLink,
                    showsValues: showsValues,
                    isStrict: definition.onTypeMismatch == nil && types.isStrict,
                    readsTexts: stream?.format.hasRows == true), isKey: isKey,
                isRequired: definition.isRequired && !definition.mayBeLeftOut || isKey, onMissing: definition.onMissing,
                onNull: definition.onNull, onMismatch: mismatchRule,
                runEnd: mismatchRule != .fail ? nil : definition.onTypeMismatch == nil ? .types : .field,
                fallback: try definition.defaultJSON.map { try constants.read($0, for: definition) },
                map: try constants.read(definition.map, for: definition), openPath: definition.openPath(entriesKey),
                template: definition.template, program: definition.program, inherited: definition.inherited,
                pointer: definition.path.map { Self.pointer($0) } ?? "", nameDigest: nameDigest,
                redaction: definition.redaction,
                target: try definition.target(in: entity) { try field($0, isKey: true, showsValues: showsValues) })
        }
        for (index, definition) in entity.fields.enumerated() {
            let made = try field(
                definition, isKey: schema.keyFields.contains(index),
                showsValues: redactor?.showsMessages(of: index) ?? true, nameDigest: schema.fields[index].nameDigest)
            fields.append(made)
            // The member's name is the value, whatever the record itself has under that key.
            guard made.openPath == nil, let path = made.target?.many?.container ?? definition.path,
                !definition.isMember(entriesKey)
            else { continue }
            Self.insert(path, field: index, below: definition.partDepth, into: &nodes)
        }
        keyPaths = Self.keyPaths(entity, schema, fields)
        self.nodes = nodes
        self.fields = fields
        coverage =
            place.map { KeyCoverage(nodes, entity: entity, stream: $0.stream, part: $0.steps) }
            ?? KeyCoverage(nodes, entity: entity, stream: stream)
    }

    private static func keyPaths(
        _ entity: EntityDefinition, _ schema: RecordSchema, _ fields: [Field]
    ) -> [JSONPath]? {
        var paths: [JSONPath] = []
        for index in schema.keyFields {
            let field = fields[index]
            let isTextOfItsOwn = field.converter.type == .decimal || field.converter.type == .json
            guard case .path(let path) = entity.fields[index].origin, path.isSingular, field.isPlain,
                field.redaction == nil, !isTextOfItsOwn
            else { return nil }
            paths.append(path)
        }
        return paths
    }

    /// Gives a field its place in the tree.
    ///
    /// - Parameters:
    ///   - path: The path to its value.
    ///   - field: Its position.
    ///   - depth: How many of the last steps lead into objects that have to be there.
    ///   - nodes: The tree.
    private static func insert(_ path: JSONPath, field: Int, below depth: Int, into nodes: inout [Node]) {
        var node = 0
        for (place, step) in path.steps.enumerated() {
            if place > 0 && place >= path.steps.count - depth {
                nodes[node].object = pointer(JSONPath(steps: Array(path.steps[..<place]), text: path.text))
            }
            switch step {
            case .name(let name):
                let bytes = Array(name.utf8)
                if let found = nodes[node].names.first(where: { $0.name == bytes }) {
                    node = found.child
                } else {
                    nodes[node].names.append((bytes, nodes.count))
                    node = nodes.count
                    nodes.append(Node())
                }
            case .index(let index):
                if let found = nodes[node].indexes.first(where: { $0.index == index }) {
                    node = found.child
                } else {
                    nodes[node].indexes.append((index, nodes.count))
                    node = nodes.count
                    nodes.append(Node())
                }
            case .wildcard: return
            }
        }
        nodes[node].fields.append(field)
    }

    /// The JSON pointer of a member of an object.
    package static func pointer(_ name: [UInt8], below object: String) -> String {
        object + "/" + String(decoding: name, as: UTF8.self).replacing("~", with: "~0").replacing("/", with: "~1")
    }

    /// The JSON pointer of what a path leads to.
    package static func pointer(_ path: JSONPath) -> String {
        path.steps.map { step in
            switch step {
            case .name(let name): pointer(Array(name.utf8), below: "")
            case .index(let index): "/\(index)"
            case .wildcard: "/*"
            }
        }.joined()
    }
}

extension FieldDefinition {
    /// The path that its value is found by.
    fileprivate var path: JSONPath? {
        switch origin {
        case .path(let path), .reference(let path, _), .references(let path, _): path
        case .template, .program, .content, .parentKey, .position: nil
        }
    }

    fileprivate var template: TextTemplate? {
        if case .template(let template) = origin { return template }
        return nil
    }

    /// What it takes from around a record within another one.
    fileprivate var inherited: DecodePlan.Inherited? {
        switch origin {
        case .parentKey(let part): .ownerKey(part)
        case .position: .position
        default: nil
        }
    }

    fileprivate var program: String? {
        if case .program(let program) = origin { return program }
        return nil
    }

    /// Whether it takes the names of members.
    fileprivate func isMember(_ entriesKey: String?) -> Bool {
        guard let entriesKey, case .path(let path) = origin else { return false }
        return path.steps == [.name(entriesKey)]
    }

    /// The path where it has to be followed on its own.
    fileprivate func openPath(_ entriesKey: String?) -> JSONPath? {
        guard let path, !isLink, !isMember(entriesKey) else { return nil }
        return path.isSingular && path.isStreamable ? nil : path
    }

    /// How the keys are found of what it leads to.
    fileprivate func target(
        in entity: EntityDefinition, field: (FieldDefinition) throws -> DecodePlan.Field
    ) throws -> DecodePlan.Target? {
        guard let known = entity.references.first(where: { $0.name == reference }) else { return nil }
        let isSingle = known.targetKey.count == 1
        switch origin {
        case .reference(_, let key): return DecodePlan.Target(paths: [key], isSingle: isSingle, many: nil)
        case .references(let path, let keys):
            return DecodePlan.Target(
                paths: keys, isSingle: isSingle,
                many: DecodePlan.Many(path: path, keys: try known.targetKey.map(field)))
        case .path, .template, .program, .content, .parentKey, .position: return nil
        }
    }
}

extension SchemaContract.TypeRule {
    /// What becomes of a value that does not fit.
    fileprivate var mismatchRule: FieldDefinition.MismatchRule {
        switch self {
        case .coerce, .quarantine: .quarantine
        case .setNull: .setNull
        case .fail: .fail
        }
    }

    /// Whether values are not converted; where they would be lost, they are.
    fileprivate var isStrict: Bool { self == .quarantine || self == .fail }
}
