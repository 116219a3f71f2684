internal import SluiceDiagnostics
internal import SluicePipeline
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
        if let declared {
            let outer = Expander.steps(to: declared.value, within: Expander.steps(to: declared, within: []))
            if let own = declared.value.mapping {
                let members = expander.members(own, steps: outer) { member, steps in
                    // A variable may use those above it, so there are no cycles.
                    expander.variables = variables
                    let value = Self.value(
                        of: member, override: overrides[member.name], steps: steps, expander: expander)
                    if let scalar = value.scalar { variables[member.name] = scalar }
                    return value
                }
                node = expander.configNode(.mapping(members), of: declared.value, steps: outer)
            } else {
                node = expander.expand(declared.value)
            }
        }
        let names = (declared?.value.mapping ?? []).map(\.name)
        for name in overrides.keys.sorted() where !names.contains(name) {
            reporter.report(
                .unknownVariable, "A value is given for the variable `\(name)`, which `vars` does not have.",
                at: SourcePlace(file: context.file, mark: declared?.key.start ?? root.start),
                suggestion: Suggestion.nearest(to: name, among: names),
                help: names.isEmpty
                    ? "Declare it under `vars`." : "Add it to `vars`, which has \(names.quotedList).")
        }
    }

    private static func value(
        of member: YAMLMember, override: String?, steps: [SourcePlace.Step], expander: Expander
    ) -> ConfigNode {
        guard let override else { return expander.expand(member.value, steps: steps) }
        let scalar = ConfigScalar(
            text: ConfigurationText(override), value: CoreSchema.resolve(override), isVerbatim: false)
        return expander.configNode(.scalar(scalar), of: member.value, steps: steps)
    }
}
