internal import SluiceDiscovery
internal import SluicePipeline

/// The key of an import: the fields that were asked for, or those that there is no doubt about, or a hash of all values.
struct ImportKey {
    /// What stands for a hash of all values, where no field has that name.
    static let content = "content"

    let identity: ImportIdentity
    /// Why it was taken, as the end of a sentence.
    let reason: String
    /// Whether a person named it.
    let wasAsked: Bool

    /// The names of its fields.
    var fields: [String] {
        switch identity {
        case .fields(let names): names
        case .content: [EntityDefinition.contentKeyName]
        }
    }
}
