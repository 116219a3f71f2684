internal import SluicePipeline
internal import SluicePipelineFiles

/// Writes configurations of models.
package struct SwiftConfigurationWriter {
    /// What is written out of each model.
    package enum Style: String, CaseIterable, Sendable {
        /// The names that do not follow from the pipeline.
        case compact
        /// All names and types.
        case explicit
    }

    /// A configuration without models.
    package enum Preset: String, CaseIterable, Sendable {
        /// What most need.
        case minimal
        /// All keys with what they mean.
        case full
    }

    private static let comment = """
        # What `sluice generate swift` and `sluice validate --swift` read. Paths are relative to this file.
        # `sluice generate schema swift-config` describes all keys.

        """
    private static let width = 118

    private init() {}

    // MARK: Presets

    /// The text of a preset.
    package static func text(_ preset: Preset) -> String {
        switch preset {
        case .minimal: comment + "version: 1\npipelines: [pipelines]\nsources: Sources/Models\n"
        case .full:
            comment
                + SwiftConfiguration.specification.topLevel.keys.map { key in
                    let isSaid = key.isRequired || ["pipelines", "sources"].contains(key.name)
                    let line = "\(isSaid ? "" : "# ")\(key.name): \(key.example)\n"
                    return "\n" + wrapped(key.documentation).map { "# \($0)\n" }.joined() + line
                }.joined()
        }
    }

    private static func wrapped(_ text: String) -> [String] {
        text.split(separator: " ").reduce(into: [String]()) { lines, word in
            if let last = lines.last, last.count + word.count < width {
                lines[lines.count - 1] = "\(last) \(word)"
            } else {
                lines.append(String(word))
            }
        }
    }

    // MARK: Models

    /// The text for models.
    ///
    /// - Parameters:
    ///   - models: The models.
    ///   - style: What is written out of each.
    ///   - pipelines: The paths of the pipelines, relative to the file.
    ///   - store: The URL of the store whose tables have the models, in the place of pipelines; nil for pipelines.
    /// - Returns: The text, which says what would be generated anyway.
    package static func text(
        _ models: [SwiftModel], _ style: Style, pipelines: [String], store: String?
    ) -> String {
        var text = comment + "version: 1\n"
        if let store {
            text += "store: \(PipelineWriter.scalar(store))\n"
        } else {
            text += "pipelines: [\(pipelines.map(PipelineWriter.scalar).joined(separator: ", "))]\n"
        }
        text += "sources: Sources/Models\n"
        let entities = models.sorted { $0.entity < $1.entity }.map { entity($0, style) }.filter { !$0.isEmpty }
        return entities.isEmpty ? text : text + "entities:\n" + entities.joined()
    }

    private static func entity(_ model: SwiftModel, _ style: Style) -> String {
        var text = ""
        if style == .explicit || model.type != model.entity { text += "    swift_name: \(model.type)\n" }
        let fields = model.properties.filter { $0.reference == nil }.map { field($0, style) }.joined()
        if !fields.isEmpty { text += "    fields:\n" + fields }
        let others = model.properties.filter { $0.reference != nil }.map { relationship($0, style) }.joined()
        if !others.isEmpty { text += "    relationships:\n" + others }
        return text.isEmpty ? "" : "  \(PipelineWriter.key(model.entity)):\n" + text
    }

    private static func field(_ property: SwiftModel.Property, _ style: Style) -> String {
        var members: [String] = []
        if style == .explicit || isUnusual(property) {
            members.append("swift_name: \(PipelineWriter.scalar(property.name))")
        }
        // An enum of its own is made where no type is said.
        if style == .explicit, property.enumeration == nil {
            members.append("swift_type: \(PipelineWriter.scalar(property.type))")
        }
        return line(property.field ?? property.storeName, members)
    }

    private static func relationship(_ property: SwiftModel.Property, _ style: Style) -> String {
        var members: [String] = []
        if style == .explicit || isUnusual(property) {
            members.append("swift_name: \(PipelineWriter.scalar(property.name))")
        }
        if style == .explicit, let rule = property.reference?.deleteRule { members.append("delete_rule: \(rule)") }
        return line(property.storeName, members)
    }

    private static func line(_ name: String, _ members: [String]) -> String {
        members.isEmpty ? "" : "      \(PipelineWriter.key(name)): {\(members.joined(separator: ", "))}\n"
    }

    /// Whether a property's name does not lead back to the one in the store.
    private static func isUnusual(_ property: SwiftModel.Property) -> Bool {
        SwiftName.storeName(property.name, .snakeCase) != property.storeName
    }
}
