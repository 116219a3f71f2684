internal import SluiceModel

/// What tells a record from others of the same parent.
struct RecordName: Hashable {
    let entity: String
    /// The values of the key that the parent's key does not have, as JSON text; none for all of the parent's records.
    let key: [ExactText]
}
