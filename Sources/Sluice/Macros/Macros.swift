/// Makes a model of a struct: its rows, its typed paths, and how values pass between them.
///
/// ```swift
/// @PersistentModel(table: "books", names: .snakeCase)
/// struct Book {
///     let id: Int
///     @Attribute(.unique) var isbn: String?
///     var title: String
///     var origin = Origin()
/// }
/// ```
///
/// - Parameters:
///   - entity: The entity's name; the type's where it is left out.
///   - table: The table; the entity in snake_case where it is left out.
///   - identifier: What tells records apart.
///   - renamedFrom: What the entity was called before. Its table follows, where that is named after it.
///   - tableRenamedFrom: What the table was called before.
///   - unique: Groups of properties whose values together are unique, such as `[["repo", "number"]]`.
///   - names: How properties are called in the store.
///   - unboxing: Who makes values of rows. An initialiser of your own within the struct is found; one in an extension is announced.
///   - onConflict: What decides where a source and people changed one value, for a sync that does not say it; a person where
///     nothing is said.
///   - owner: Who may change its properties, unless they say it themselves.
///   - newest: The property that says when a record was changed last, for `.newestWins`.
///   - history: What the history keeps of its records.
///   - initializer: Whether to write an initialiser with all properties, of the type's access level.
///   - counts: Whether to write counts of what the model leads to, such as `tagsCount(in:)`.
@attached(
    extension, conformances: PersistentModel,
    names: named(model), named(Paths), named(path), named(saveNested(in:)), named(Identifier), named(identifier),
    named(savedIdentifier),
    named(init(unboxing:)), named(box(into:)), named(assign(generated:)), named(storedOrigin), arbitrary)
public macro PersistentModel(
    entity: String? = nil, table: String? = nil, identifier: ModelIdentifier = .property, renamedFrom: String? = nil,
    tableRenamedFrom: String? = nil,
    unique: [[String]] = [], names: NameStyle = .verbatim, unboxing: ModelUnboxing = .generated,
    onConflict: SyncOptions.ConflictPolicy? = nil, owner: AttributeOwner? = nil, newest: String? = nil,
    history: HistoryRule? = nil,
    initializer: Bool = false, counts: Bool = true
) = #externalMacro(module: "SluiceMacros", type: "PersistentModelMacro")

/// Says how a property is stored.
///
/// - Parameters:
///   - traits: What it is.
///   - persistentName: The name in the store; the property's where it is left out.
///   - renamedFrom: The name in the store that it had before. The column is renamed, with what sources said of it.
///   - column: The column; the name where it is left out.
///   - json: The path to the value within a source's JSON; the coding key where it is left out.
///   - storageMethod: How its value is stored.
///   - decodeFailurePolicy: What a value means that cannot be read.
///   - owner: Who may change it; as the model says where it is left out.
///   - onConflict: What decides its conflicts; as the model says where it is left out.
///   - compare: What makes two of its values equal for the merge.
///   - keepBase: How much is kept of what a source said of it.
///   - onMissing: What it means that a source's record lacks its key: the initial value where it has one, else nothing.
///   - onNull: What a null of a source means.
///   - check: What its values have to be; null is none of them.
@attached(peer)
public macro Attribute(
    _ traits: AttributeTrait..., persistentName: String? = nil, renamedFrom: String? = nil, column: String? = nil,
    json: String? = nil,
    storageMethod: AttributeStorageMethod = .default, decodeFailurePolicy: DecodeFailurePolicy = .throw,
    owner: AttributeOwner? = nil, onConflict: SyncOptions.ConflictPolicy? = nil, compare: AttributeComparison = .exact,
    keepBase: BaseRule? = nil, onMissing: MissingKeyRule? = nil, onNull: NullRule = .setNull, check: AttributeCheck...
) = #externalMacro(module: "SluiceMacros", type: "AttributeMacro")

/// Says what a property leads to: `Ref<Author>`, `Ref<Author>?` or `Refs<Tag>`.
///
/// - Parameters:
///   - persistentName: The name in the store; the property's where it is left out.
///   - renamedFrom: The name in the store that it had before.
///   - inverse: The property on the other side that leads back.
///   - deleteRule: What becomes of the other side when this one is deleted.
///   - via: The table of the links, where both sides lead to several records.
///   - json: The path to the key within a source's JSON, or to the list of keys: what a source says of these links is merged
///     with what people changed. Without it a source says nothing of `Refs`.
///   - merge: How a source's list is merged with what people changed.
@attached(peer)
public macro Relationship(
    persistentName: String? = nil, renamedFrom: String? = nil, inverse: InverseName, deleteRule: DeleteRule,
    via: String? = nil, json: String? = nil, merge: LinkMergeRule = .set
) = #externalMacro(module: "SluiceMacros", type: "RelationshipMacro")

/// Gives the parts of a struct columns of their own within the tables of models that have a property of it, stored as
/// ``AttributeStorageMethod/composition``.
///
/// - Parameter names: How parts are called in the store, behind the name of the property.
@attached(
    extension, conformances: StoredComposition,
    names: named(composition), named(Parts), named(init(unboxing:)), named(box(into:)))
public macro Composition(names: NameStyle = .verbatim) =
    #externalMacro(module: "SluiceMacros", type: "CompositionMacro")

/// Gives a part of a composition another name in the store.
///
/// - Parameter persistentName: The name; the property's where it is left out.
@attached(peer)
public macro CompositionField(persistentName: String? = nil) =
    #externalMacro(module: "SluiceMacros", type: "CompositionFieldMacro")

/// Leaves a property out of the store.
@attached(peer)
public macro Ignore() = #externalMacro(module: "SluiceMacros", type: "IgnoreMacro")

/// Lets an actor run where a store writes, so that its functions change the store without waiting.
///
/// - Parameter initializer: Whether to write `init(store:)`.
@attached(member, names: named(store), named(unownedExecutor), named(init(store:)))
@attached(extension, conformances: StoreActor)
public macro StoreActor(initializer: Bool = true) =
    #externalMacro(module: "SluiceMacros", type: "StoreActorMacro")

/// Lets a class of the main actor read and change a store at once.
///
/// - Parameter initializer: Whether to write `init(store:)`.
@attached(member, names: named(store), named(init(store:)))
@attached(extension, conformances: MainStoreActor)
public macro MainStoreActor(initializer: Bool = true) =
    #externalMacro(module: "SluiceMacros", type: "MainStoreActorMacro")

/// What tells the records of a model apart.
public enum ModelIdentifier: Sendable {
    /// The property `id`, or those that are marked `.identifier`.
    case property
    /// All values together: two records with the same values are one. The key is a hash of them, in the column `_key`, as
    /// `primary_key: content` of pipelines makes it.
    case content
    /// Nothing: records are inserted and deleted, and never found again one by one, as those of a log or a cache.
    case none
}

/// Who makes values of rows.
public enum ModelUnboxing: Sendable {
    /// The macro.
    case generated
    /// The author, with an `init(unboxing:)` in an extension, which reads with `row[\.title]`.
    case custom
}

/// How properties are called in the store.
public enum NameStyle: Sendable {
    /// As in Swift.
    case verbatim
    /// `isRead` as `is_read`.
    case snakeCase
}

/// What a property is.
public enum AttributeTrait: Sendable {
    /// It identifies the record, alone or with others.
    case identifier
    /// The store gives it: an identifier of type `Int?`.
    case generated
    /// No two records have the same value.
    case unique
    /// Records are looked up by it: its column has an index. Not for `Decimal` and `Date`, which compare by what they mean.
    case indexed
    /// What is not stored has no trait.
    @available(*, unavailable, message: "what is not stored is marked @Ignore")
    case transient
}

/// How a property's value is stored.
public enum AttributeStorageMethod {
    /// As its type says.
    case `default`
    /// As its raw value.
    case raw
    /// As JSON.
    case codable
    /// As a transform says.
    case transformed(any ValueTransform.Type)
    /// With a column for each part of a struct with `@Composition`.
    case composition
}

/// What a value means that cannot be read.
public enum DecodeFailurePolicy: Sendable {
    /// An error.
    case `throw`
    /// The property's initial value, nil for an optional one.
    case fallbackToDefaultValue
    /// The same, and debug builds stop.
    case debugAssertNil
}

/// Who may change a property.
public enum AttributeOwner: Sendable {
    /// Source and people.
    case shared
    /// The source alone: saving a changed value is refused, since the next run would overwrite it.
    case remote
    /// People alone: the source's value is taken for records that are new.
    case local
}

/// The property on the other side of a relationship.
public struct InverseName: Sendable, ExpressibleByStringLiteral {
    let name: String?

    private init(name: String?) { self.name = name }

    /// The property of a name, in Swift or in the store.
    public init(stringLiteral name: String) { self.name = name }

    /// There is none.
    public static let none = InverseName(name: nil)
}
