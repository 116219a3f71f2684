/// What the merge and the store need to know of an entity as one stream fills it.
package struct RecordSchema: Sendable, Equatable {
    /// The member of a row in a conflict that tells what people did below it; no field has such a name.
    package static let withinName = "edited within it"

    /// One mapped field.
    package struct Field: Sendable, Equatable {
        /// The name in the pipeline and in reports.
        package var name: String
        /// The column of the entity's table.
        package var column: String
        /// The declared type.
        package var type: FieldType
        /// Who may change it.
        package var owner: FieldOwner
        /// What makes two of its values equal.
        package var comparison = FieldComparison.exact
        /// How much of its base is kept.
        package var baseKeeping = BaseKeeping.short
        /// Whether values are in the base of which `keep_base: digest` kept no more than a digest.
        package var hadDigests = false
        /// What is kept of its values, where they must not appear in clear.
        package var redaction: FieldRedaction?
        /// What decides its conflicts; nil where ``RecordSchema/policies`` do.
        package var policies: ConflictPolicies?
        /// The UTF-8 of the values that an `enum` may have; none where nothing is said of them.
        package var allowed: Set<[UInt8]> = []
        /// Whether no record is written without a value of it.
        package var isRequired = false
        /// Whether its default fills only what has no value yet: of what has one, an absent key says nothing.
        package var defaultFillsGap = false
        /// Whether its value, an array of keys, stands in a table of its own and not in a column.
        package var isLink = false
        /// Whether nothing is taken out of its set because the source no longer has it.
        package var addsOnly = false
        /// Whether its column has a default of its own, which a row has that says nothing of it, as a store knows it.
        package var hasColumnDefault = false
        /// Whether it identified records before, so that a row which was made for others that refer to it may have its value.
        package var wasIdentifier = false
        /// The run since which its pipeline no longer has it, as a store knows it; 0 where that is not known, nil where the pipeline
        /// has it.
        package var givenUpIn: Int64?
        /// Whether its pipeline no longer has it, see ``givenUpIn``.
        package var isGivenUp: Bool { givenUpIn != nil }
        /// The names that it may have had before.
        package var formerNames: [String] = []
        /// The digest of the name, which its value's digest is combined with.
        package let nameDigest: UInt64

        /// Makes a field.
        package init(name: String, column: String, type: FieldType, owner: FieldOwner = .shared) {
            self.name = name
            self.column = column
            self.type = type
            self.owner = owner
            nameDigest = FieldDigest.text(Array(name.utf8))
        }
    }

    /// The pipeline's name.
    package var pipeline: String
    /// The stream's name.
    package var stream: String
    /// The entity's name.
    package var entity: String
    /// The table that holds the records.
    package var table: String
    /// The fields in the order of the pipeline.
    package var fields: [Field]
    /// The positions of the identifier fields within ``fields``, in the order of the primary key.
    package var keyFields: [Int]
    /// Groups of positions whose values together are unique.
    package var unique: [[Int]]
    /// What decides conflicts of the record, and of fields without policies of their own.
    package var policies: ConflictPolicies
    /// What it was called before.
    package var formerly = FormerNames()
    /// The position of the field that says when a record was changed last, for `newest_wins`.
    package var newestField: Int?
    /// Whether rows of records that are gone are marked as deleted and stay.
    package var deletesSoftly = false
    /// How records get into the table, see ``follow(_:)``.
    package internal(set) var writeMode = WriteMode.merge
    /// Whether the key is a hash of the record's values.
    package var hasContentKey = false
    /// Whether the history keeps the values of inserted records too.
    package var auditsInserts = false
    /// What leads to other records.
    package var references: [RecordReference] = []
    /// The fields that are the parts of one value each, which may be null, as far as a program said so.
    package var compositions: [RecordComposition] = []
    /// The positions of the fields that have a column of the table.
    package var columnFields: [Int] { fields.indices.filter { !fields[$0].isLink } }

    /// The position of the field that fills a column of the table; nil where none does.
    ///
    /// - Parameter column: The column's name, whatever the case of its letters.
    /// - Returns: The field's position.
    package func field(ofColumn column: String) -> Int? {
        fields.indices.first { ColumnName.areSame(fields[$0].column, column) }
    }

    /// The fields of a row that has nothing but its key, as one that is made for others that refer to it, in which it has
    /// more than that: those that were a part of the key when it was made.
    ///
    /// - Parameter row: One value for each field.
    /// - Returns: The positions of these fields; nil where anything else is not null.
    package func formerKeyFields(ofBare row: [FieldValue]) -> [Int]? {
        func isHeld(_ field: Int) -> Bool { !keyFields.contains(field) && !fields[field].isLink && !row[field].isNull }
        // Most rows have more, which is to cost nothing.
        guard fields.indices.allSatisfy({ fields[$0].wasIdentifier || !isHeld($0) }) else { return nil }
        return fields.indices.filter(isHeld)
    }

    /// Whether its records belong to others, within which they stand.
    package var isOwned: Bool { references.contains { $0.onDangling == .owner } }
    /// Whether the source alone may change some field, so that the local row has to be read for every record.
    package var hasRemoteOwnedField: Bool { fields.contains { $0.owner == .remote } }
    /// The fields that the source alone may change.
    package var fieldsOwnedBySource: [Int] { fields.indices.filter { fields[$0].owner == .remote } }

    /// Makes a schema.
    package init(
        pipeline: String, stream: String, entity: String, table: String, fields: [Field], keyFields: [Int],
        unique: [[Int]] = [], policy: ConflictPolicy = .manual
    ) {
        self.pipeline = pipeline
        self.stream = stream
        self.entity = entity
        self.table = table
        self.fields = fields
        self.keyFields = keyFields
        self.unique = unique
        policies = ConflictPolicies(layers: [ConflictPolicies.Layer(fallback: policy)])
    }

    /// The hash of a record: the sum of what each field with a value contributes. There is one digest per field, 0
    /// where there is no value.
    @inlinable
    package func rowHash(digests: [UInt64]) -> UInt64 {
        var hash: UInt64 = 0
        for (field, digest) in zip(fields, digests) where digest != 0 {
            hash &+= FieldDigest.contribution(of: digest, nameDigest: field.nameDigest)
        }
        return hash
    }
}

extension RecordSchema {
    /// Whether a field identifies a record, or refers to one: then the spelling of its values must not matter.
    package func identifies(_ field: Int) -> Bool {
        keyFields.contains(field) || references.contains { $0.link == nil && $0.fields.contains(field) }
    }

    /// What may be stored of a value of a field, which may be older than the field's redaction.
    package func stored(_ value: FieldValue, field: Int) -> FieldValue {
        fields[field].redaction.map { $0.stored(value, comparison: fields[field].comparison) } ?? value
    }

    /// What may be shown of a value of a field, which a person may have written.
    package func shown(_ value: FieldValue, field: Int) -> FieldValue {
        fields[field].redaction.map { $0.shown(value, comparison: fields[field].comparison) } ?? value
    }
}

/// Who may change a field.
package enum FieldOwner: String, Codable, Sendable, CaseIterable {
    /// Source and people: three-way merge.
    case shared
    /// The source alone: a local edit is overwritten, and said to be.
    case remote
    /// People alone: the source's value is used on insert only.
    case local
}

/// What decides where both sides changed a value.
package enum ConflictPolicy: String, Sendable, CaseIterable {
    case remoteWins = "remote_wins"
    case localWins = "local_wins"
    case newestWins = "newest_wins"
    case manual
    case fail
}

extension RecordSchema.Field {
    /// What a row holds where nobody ever gave a value: null, or a set of nothing.
    package var unsaid: FieldSide { isLink ? .value(FieldDigest.set([])) : .null }
}
