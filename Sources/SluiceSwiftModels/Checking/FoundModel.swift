internal import SluiceJSON
package import SluiceSwift

/// A struct of a Swift file that is a model.
package struct FoundModel: Sendable {
    /// The file.
    package let file: String
    /// The file's text.
    let source: [UInt8]
    /// What it says.
    package let model: ModelDeclaration
    /// Its declaration, with places in the file.
    package let declaration: TypeDeclaration
    /// What keeps it from being a model.
    package let problems: [SourceProblem]
    /// How its file was made, as the file says.
    let options: SwiftModelOptions

    /// The models of a file.
    ///
    /// - Parameters:
    ///   - source: The file's text in UTF-8.
    ///   - file: The file's name.
    /// - Returns: The models in their order, also those that cannot be.
    package static func all(in source: [UInt8], file: String) -> [FoundModel] {
        let options = ModelFile.options(ofFile: String(decoding: source, as: UTF8.self))
        return DeclarationReader.readAll(source, with: "PersistentModel").map { declaration in
            let (model, problems) = ModelReader.read(declaration)
            return FoundModel(
                file: file, source: source, model: model, declaration: declaration,
                problems: problems + pathProblems(declaration), options: options)
        }
    }

    /// The paths of JSON whose conditions are none, as a store finds when it opens; what else is wrong with paths, the macro sees.
    private static func pathProblems(_ declaration: TypeDeclaration) -> [SourceProblem] {
        declaration.storedProperties.flatMap(\.attributes).flatMap { attribute in
            attribute.arguments.compactMap { argument in
                guard ["Attribute", "Relationship"].contains(attribute.name), argument.label == "json",
                    let path = SwiftLiteral.string(argument.text), JSONPathGrammar.accepts(path),
                    (try? JSONPath(parsing: path)) == nil
                else { return nil }
                return SourceProblem(
                    "@\(attribute.name): `\(path)` is no path; write it as in `author.name` or `labels[*]`",
                    at: argument.range.lowerBound)
            }
        }
    }

    /// The compositions of a file that can be ones.
    package static func compositions(in source: [UInt8]) -> [CompositionDeclaration] {
        DeclarationReader.readAll(source, with: "Composition").compactMap { declaration in
            let (composition, problems) = CompositionReader.read(declaration)
            return problems.isEmpty ? composition : nil
        }
    }

    /// The type's name.
    package var name: String { declaration.name }
    /// What keeps it from being a model, as the end of a sentence; nil where nothing does.
    package var reason: String? { problems.isEmpty ? nil : problems.map(\.message).joined(separator: "; ") }

    /// What makes it a model, with its arguments.
    var attribute: TypeDeclaration.Attribute? { declaration.attributes.first { $0.name == "PersistentModel" } }

    /// Where an argument of the model's attribute stands, else the type's name.
    func place(of label: String) -> Int {
        attribute?.arguments.first { $0.label == label }?.range.lowerBound ?? declaration.nameRange.lowerBound
    }

    /// The property of a name, with its places.
    func property(_ name: String) -> TypeDeclaration.Property? {
        declaration.storedProperties.first { $0.name == name }
    }
}

/// An edit of a file, by the offsets of its bytes.
package struct SourceEdit: Sendable, Hashable {
    /// What it replaces.
    package let range: Range<Int>
    /// What stands there afterwards.
    package let text: String
}

/// Where models and pipelines do not agree.
package struct ModelFinding: Sendable, Hashable {
    /// How much it matters.
    package enum Severity: Sendable, Hashable {
        case error, warning, note
    }

    /// What kind of difference it is; the word is stable.
    package enum Code: String, Sendable, CaseIterable {
        case modelMissing = "swift_model_missing"
        case modelDuplicate = "swift_model_duplicate"
        case modelUnmatched = "swift_model_unmatched"
        case modelName = "swift_model_name"
        case modelRule = "swift_model_rule"
        case fieldMissing = "swift_field_missing"
        case fieldExtra = "swift_field_extra"
        case fieldType = "swift_field_type"
        case fieldOptional = "swift_field_optional"
        case fieldName = "swift_field_name"
        case fieldColumn = "swift_field_column"
        case fieldStorage = "swift_field_storage"
        case fieldUnique = "swift_field_unique"
        case fieldDefault = "swift_field_default"
        case fieldPolicy = "swift_field_policy"
        case fieldKey = "swift_field_key"
        case fieldOwner = "swift_field_owner"
        case fieldRule = "swift_field_rule"
        case fieldJSON = "swift_field_json"
        case compositionField = "swift_composition_field"
        case relationshipMissing = "swift_relationship_missing"
        case relationshipShape = "swift_relationship_shape"
        case relationshipTarget = "swift_relationship_target"
        case relationshipInverse = "swift_relationship_inverse"
        case relationshipDeleteRule = "swift_relationship_delete_rule"
        case relationshipMerge = "swift_relationship_merge"
        case relationshipVia = "swift_relationship_via"
        case originMissing = "swift_origin_missing"
        case managedDrift = "swift_managed_drift"
        case managedStale = "swift_managed_stale"
        case managedMissing = "swift_managed_missing"
        case managedUnmanaged = "swift_managed_unmanaged"
        case unreadable = "swift_unreadable"

        /// A few words that say it.
        package var summary: String {
            switch self {
            case .modelMissing: "Missing model"
            case .modelDuplicate: "Two models"
            case .modelUnmatched: "Model without an entity"
            case .fieldMissing: "Missing property"
            case .fieldExtra: "Property without a field"
            case .fieldType: "Other type"
            case .fieldOptional: "Other optionality"
            case .fieldName, .modelName: "Other name"
            case .fieldColumn: "Other column"
            case .fieldStorage: "Other storage"
            case .fieldUnique: "Other uniqueness"
            case .fieldDefault: "Other default"
            case .fieldPolicy: "Other policy of decoding"
            case .fieldKey: "Other identifier"
            case .fieldOwner: "Other owner"
            case .fieldRule, .modelRule: "Other rule of merging"
            case .fieldJSON: "Other place in JSON"
            case .compositionField: "Other part"
            case .relationshipMissing: "Missing relationship"
            case .relationshipShape: "Other shape"
            case .relationshipTarget: "Other target"
            case .relationshipInverse: "Other inverse"
            case .relationshipDeleteRule: "Other delete rule"
            case .relationshipMerge: "Other rule of merging"
            case .relationshipVia: "Other table of links"
            case .originMissing: "Missing origin"
            case .managedDrift: "Edited file"
            case .managedStale: "Stale file"
            case .managedMissing: "Missing file"
            case .managedUnmanaged: "File in the way"
            case .unreadable: "Unreadable model"
            }
        }
    }

    package let code: Code
    package let severity: Severity
    /// The file, of Swift or of the pipeline.
    package let file: String
    /// Where, by the offset in the file; nil for the file as a whole.
    package let offset: Int?
    /// What differs, as sentences.
    package let detail: String
    /// What to do, nil where the detail says it.
    package let help: String?
    /// The edits that mend it without a person's judgement; none where there are none.
    package let edits: [SourceEdit]
    /// The places in pipelines that say otherwise.
    package let sources: [SwiftModel.Place]
}
