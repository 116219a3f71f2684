/// Where something is wrong: a record of an entity, or a field of it.
package struct RecordPlace: Sendable {
    /// The entity's name.
    package let entity: String
    /// The key of the record; nil where it is about several or about none.
    package let key: RecordKey?
    /// The name of the field; nil where it is about the record as a whole.
    package let field: String?

    /// Names a place.
    package init(entity: String, key: RecordKey? = nil, field: String? = nil) {
        (self.entity, self.key, self.field) = (entity, key, field)
    }
}
