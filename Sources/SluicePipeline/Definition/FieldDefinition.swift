package import SluiceDiagnostics
package import SluiceJSON
package import SluiceModel

/// One field of an entity: where its value comes from and what becomes of it.
package struct FieldDefinition: Sendable {
    /// Where a value comes from.
    package enum Origin: Sendable {
        /// A path into the record.
        case path(JSONPath)
        /// A text with `{{ … }}`, the same for every record of a page.
        case template(TextTemplate)
        /// A jq program over the record, whose first result is the value.
        case program(String)
        /// A hash of the values of all other fields, by ``EntityDefinition/contentKeyName``.
        case content
        /// What identifies the record that stands at a path, or is named there: `ref`.
        ///
        /// At the path may be an object, whose key is what the second path selects from it, or the key itself where
        /// the target has a single one.
        case reference(path: JSONPath, key: JSONPath)
        /// The keys of all records at a path: `refs`. The value is a JSON array, sorted, each once.
        ///
        /// Each element may be an object, whose key is what the other paths select from it, or the key itself where
        /// the target has a single one. A key of several values is an array of them.
        case references(path: JSONPath, keys: [JSONPath])
        /// The value that the parent's record has in this place of its primary key.
        case parentKey(Int)
        /// The place of the element in its parent's list, from 0.
        case position
    }

    /// What an absent key means.
    package enum MissingRule: String, Sendable, CaseIterable {
        /// Nothing: the source does not speak of the field.
        case keep
        /// The same as a JSON null.
        case setNull = "set_null"
        /// The field's default.
        case `default`
        /// The record is refused.
        case fail
    }

    /// What a JSON null means.
    package enum NullRule: String, Sendable, CaseIterable {
        /// The value is null.
        case setNull = "set_null"
        /// Nothing, as if the key were absent.
        case keep
        /// The record is refused.
        case fail
    }

    /// What a remote value is replaced by.
    package enum MappedValue: Sendable, Hashable {
        /// A null.
        case null
        /// JSON text of a scalar.
        case json(String)
    }

    /// The field's name, which the report uses.
    package var name: String
    /// The column that holds the value.
    package var column: String
    /// Where the value comes from.
    package var origin: Origin
    /// The declared type.
    package var type: FieldType
    /// The line of the file that says the type; nil where none does.
    package var line: Int?
    /// Where that is; nil where no file says it.
    package var place: SourceLocation?
    /// Whether a record without a value is quarantined; always so for a field of the primary key.
    package var isRequired: Bool
    /// Whether a record may leave it out although it is required: what the store has of it stays then.
    package var mayBeLeftOut = false
    /// How many of the last steps of its path lead into objects that have to be some: what else stands there is no part of them.
    package var partDepth = 0
    /// The value that stands in for an absent key, as JSON text such as `"EUR"`, `0` or `null`.
    package var defaultJSON: String?
    /// Whether that counts only where the store has no value yet.
    package var defaultFillsGap = false
    /// How text is read as `date` or `datetime`, the first that fits; `rfc3339` where there is none.
    package var formats: [String]
    /// The offset from UTC of a `datetime` that states none, `UTC` or `+hh:mm`; nil where it must state one.
    package var timezone: String?
    /// The values that an `enum` may have.
    package var values: [String]
    /// Remote value to stored value, by the text of the value; what it misses passes through.
    package var map: [String: MappedValue]
    /// What an absent key means.
    package var onMissing: MissingRule
    /// What a JSON null means.
    package var onNull: NullRule
    /// What a value of another type means; nil where the stream's contract says it.
    package var onTypeMismatch: MismatchRule?
    /// Who may change it.
    package var owner = FieldOwner.shared
    /// What decides its conflicts; nil where the entity says it.
    package var onConflict: ConflictPolicy?
    /// What makes two values equal.
    package var comparison = FieldComparison.exact
    /// How much of the last sync's value is kept; nil where the entity says it.
    package var keepsBase: BaseKeeping?
    /// What is stored instead of the value; nil for the value itself.
    package var redaction: FieldRedaction?
    /// Where the file says so, or names the field if it does not; nil where no file does.
    package var redactionPlace: SourceLocation?
    /// The name that it had before, nil where it had none.
    package var renamedFrom: String?
    /// The names that it may have had since it is named after something that had other ones.
    package var derivedFormerNames: [String] = []
    /// The name of the ``ReferenceDefinition`` that it holds, alone or with others of the same name.
    package var reference: String?

    /// Makes a field.
    package init(
        name: String, column: String, origin: Origin, type: FieldType = .string, isRequired: Bool = false,
        defaultJSON: String? = nil, format: String? = nil, timezone: String? = nil, values: [String] = [],
        map: [String: MappedValue] = [:], onMissing: MissingRule = .keep, onNull: NullRule = .setNull
    ) {
        self.name = name
        self.column = column
        self.origin = origin
        self.type = type
        self.isRequired = isRequired
        self.defaultJSON = defaultJSON
        formats = format.map { [$0] } ?? []
        self.timezone = timezone
        self.values = values
        self.map = map
        self.onMissing = onMissing
        self.onNull = onNull
    }

    /// The type of what the column holds.
    package var storedType: FieldType { redaction == nil ? type : .string }

    /// Whether the column may be null. A default is for absent keys alone: the source may say null.
    package var mayBeNull: Bool { !isRequired || redaction != nil }

    /// Whether it is the hash that identifies a record.
    package var isContentKey: Bool { if case .content = origin { true } else { false } }

    /// Whether it stands in a table of links, not in a column of the record's table.
    package var isLink: Bool { if case .references = origin { true } else { false } }

    /// Whether its values can be filled into a text, such as a path.
    package var hasText: Bool { type != .json && type != .bytes && !isLink }

    /// The only or first of ``formats``; nil is `rfc3339`.
    package var format: String? {
        get { formats.first }
        set { formats = newValue.map { [$0] } ?? [] }
    }
}
