package import SluiceModel
package import SluicePipelineFiles

/// What a program wants of its models: where they are, how they are made, and what differs from what follows of the
/// pipelines.
package struct SwiftConfiguration {
    /// Where a rule stands.
    package typealias Place = SpecifiedFile.Value

    /// What is said of a field.
    package struct FieldRule {
        /// The field or the column.
        package let name: String
        /// The property's name.
        package var swiftName: String?
        /// The property's type, without the sign that makes it optional.
        package var swiftType: String?
        package var storage: SwiftPropertyRule.Storage?
        /// Whether the model may take no null although the pipeline has some.
        package var ignoresOptionality = false
        /// Whether the struct leaves it out.
        package var isSkipped = false
        /// Where it stands.
        package let place: Place
    }

    /// What is said of what leads to other records.
    package struct RelationshipRule {
        /// The name in the store.
        package let name: String
        /// The property's name.
        package var swiftName: String?
        /// `nullify`, `cascade` or `deny`.
        package var deleteRule: String?
        /// Where it stands.
        package let place: Place
    }

    /// What is said of an entity.
    package struct EntityRule {
        /// The entity or the table.
        package let name: String
        /// The type's name.
        package var swiftName: String?
        package var fields: [FieldRule] = []
        package var relationships: [RelationshipRule] = []
        /// Where it stands.
        package let place: Place
    }

    /// The name that is looked for where none is given.
    package static let fileName = "sluice-swift.yaml"

    /// The pipelines, by paths from the working directory; empty for the usual folder.
    package var pipelines: [String] = []
    /// The URL of the store whose tables have models; nil where pipelines say it.
    package var store: String?
    /// The folder of the models; nil where none is named.
    package var sources: String?
    /// Which files of that folder are looked at.
    package var include = ["**/*.swift"]
    /// Which of those are not.
    package var exclude: [String] = []
    /// Whether generated files are to be what would be generated now.
    package var isExact = false
    /// Whether all models are in one file.
    package var isSingleFile = false
    /// The file with the comments that each file begins with.
    package var header: String?
    package var options = SwiftModelOptions()
    /// The types of Swift that differ from the usual ones.
    package var types: [FieldType: String] = [:]
    package var entities: [EntityRule] = []

    /// Makes what holds without a file.
    package init() {}
}
