internal import SluiceDiagnostics
internal import SluiceYAML

/// The variables of a file: those under `vars`, of which some may be overridden.
struct VariableTable {
    /// Each variable's text.
    private(set) var variables: [String: ConfigScalar] = [:]
    /// The node of `vars` after expansion, which stands in for the file's own.
    private(set) var node: ConfigNode?

    /// Reads the variables.
    ///
    /// - Parameters:
    ///   - root: The file's top node.
    ///   - overrides: Values that win over those of the file.
    ///   - context: What values may refer to, and what the file is read for.
    ///   - reporter: Gets the problems, such as overrides of variables that the file does not have.
    init(root: YAMLNode, overrides: [String: String], context: Expander.Context, reporter: Reporter) {
        let declared = root.mapping?.first { $0.name == "vars" }
        var expander = Expander(context: context, reporter: reporter)
        var members: [ConfigMember] = []
        for member in declared?.value.mapping ?? [] where variables[member.name] == nil {
            // A variable may use those above it, so there are no cycles.
            expander.variables = variables
            let value = Self.value(of: member, override: overrides[member.name], expander: expander)
            members.append(ConfigMember(name: member.name, mark: member.key.start, value: value))
            if let scalar = value.scalar { variables[member.name] = scalar }
        }
        if let declared {
            let isMapping = declared.value.mapping != nil
            node =
                isMapping
                ? ConfigNode(content: .mapping(members), start: declared.value.start, end: declared.value.end)
                : expander.expand(declared.value)
        }
        let names = (declared?.value.mapping ?? []).map(\.name)
        for name in overrides.keys.sorted() where !names.contains(name) {
            reporter.report(
                .unknownVariable, "The value given for the variable `\(name)` fits none under `vars`.",
                at: declared?.key.start ?? root.start, suggestion: Suggestion.nearest(to: name, among: names),
                help: names.isEmpty
                    ? "Declare it under `vars`." : "Declare it under `vars`; known are \(names.quotedList).")
        }
    }

    private static func value(of member: YAMLMember, override: String?, expander: Expander) -> ConfigNode {
        guard let override else { return expander.expand(member.value) }
        let scalar = ConfigScalar(
            text: ConfigurationText(override), value: CoreSchema.resolve(override), isVerbatim: false)
        return ConfigNode(content: .scalar(scalar), start: member.value.start, end: member.value.end)
    }
}
