internal import SluiceDiagnostics
internal import SluicePipeline
internal import SluiceYAML

/// Fills in `${env:…}`, `${file:…}` and `${var:…}`.
struct Expander {
    /// What is known from outside the file.
    struct Context {
        var environment: [String: String]
        var mode: ReadingMode
        /// The file whose values are filled in; `${file:}` paths are relative to its folder.
        var file: SourceFile
        /// Is told of the files that ``file`` names.
        var texts = PipelineTexts()
    }

    let context: Context
    let reporter: Reporter
    /// What `${var:}` may name, each with its text.
    var variables: [String: ConfigScalar] = [:]

    /// Fills in a whole file; everything under `source.auth` becomes secret, and so does `webhook` of `notify`.
    ///
    /// - Parameters:
    ///   - root: The file's top node.
    ///   - variables: What stands in for the value of `vars`, which is expanded already.
    /// - Returns: A node at the same place; of a key that stands there twice it has only the first.
    func expand(root: YAMLNode, variables: ConfigNode?) -> ConfigNode {
        guard let members = root.mapping else { return expand(root, steps: []) }
        let content = self.members(members, steps: []) { member, steps in
            switch member.name {
            case "vars": variables ?? expand(member.value, steps: steps)
            case "source": expand(source: member.value, steps: steps)
            case "notify": expand(notifications: member.value, steps: steps)
            default: expand(member.value, steps: steps)
            }
        }
        return configNode(.mapping(content), of: root, steps: [])
    }

    private func expand(source: YAMLNode, steps: [SourcePlace.Step]) -> ConfigNode {
        guard let members = source.mapping else { return expand(source, steps: steps) }
        let steps = Self.steps(to: source, within: steps)
        let content = self.members(members, steps: steps) { member, steps in
            let isSecret = member.name == "auth"
            return expand(member.value, isSecret: isSecret, plain: isSecret ? .authentication : .none, steps: steps)
        }
        return configNode(.mapping(content), of: source, steps: steps)
    }

    private func expand(notifications: YAMLNode, steps: [SourcePlace.Step]) -> ConfigNode {
        let steps = Self.steps(to: notifications, within: steps)
        guard case .sequence(let elements) = notifications.content else { return expand(notifications, steps: steps) }
        let content = elements.map { expand($0, isSecret: $0.mapping != nil, plain: .notification, steps: steps) }
        return configNode(.sequence(content), of: notifications, steps: steps)
    }

    /// Fills in a value and all within it.
    ///
    /// - Parameters:
    ///   - node: The value as it was read.
    ///   - isSecret: Whether its text is secret wherever it comes from.
    ///   - plain: The keys of a secret value that are not secret.
    ///   - steps: The aliases and merge keys that lead to it.
    /// - Returns: A node at the same place; what cannot be filled in is reported.
    func expand(
        _ node: YAMLNode, isSecret: Bool = false, plain: PlainKeys = .none, steps: [SourcePlace.Step] = []
    ) -> ConfigNode {
        let steps = Self.steps(to: node, within: steps)
        switch node.content {
        case .scalar(let scalar):
            let isSecret = isSecret || context.file.isSecret(node)
            let verbatim = ConfigScalar(
                text: ConfigurationText(parts: [.init(scalar.text, isSecret: isSecret)]), value: scalar.value)
            var result = configNode(.scalar(verbatim), of: node, steps: steps)
            result.content = .scalar(expand(scalar, verbatim: verbatim, in: result, isSecret: isSecret))
            return result
        case .sequence(let elements):
            let content = elements.map { expand($0, isSecret: isSecret, steps: steps) }
            return configNode(.sequence(content), of: node, steps: steps)
        case .mapping(let members):
            let content = self.members(members, steps: steps) { member, steps in
                let isSecret = isSecret && !plain.isPlain(member.name)
                return expand(member.value, isSecret: isSecret, plain: plain.within(member.name), steps: steps)
            }
            return configNode(.mapping(content), of: node, steps: steps)
        }
    }

    func configNode(
        _ content: ConfigNode.Content, of node: YAMLNode, steps: [SourcePlace.Step]
    ) -> ConfigNode {
        let start = SourcePlace(file: context.file, mark: node.start, steps: steps)
        return ConfigNode(content: content, start: start, end: start.moved(to: node.end))
    }

    static func steps(to node: YAMLNode, within steps: [SourcePlace.Step]) -> [SourcePlace.Step] {
        node.usedAt.map { [SourcePlace.Step(kind: .alias, mark: $0)] + steps } ?? steps
    }

    static func steps(to member: YAMLMember, within steps: [SourcePlace.Step]) -> [SourcePlace.Step] {
        member.mergedAt.map { SourcePlace.Step(kind: .merge, mark: $0) } + steps
    }

    /// Members in order; of a key that stands there twice the first counts.
    func members(
        _ members: [YAMLMember], steps: [SourcePlace.Step], value: (YAMLMember, [SourcePlace.Step]) -> ConfigNode
    ) -> [ConfigMember] {
        var known: Set<String> = []
        return members.filter { known.insert($0.name).inserted }.map { member in
            let steps = Self.steps(to: member, within: steps)
            let mark = SourcePlace(file: context.file, mark: member.key.start, steps: steps)
            return ConfigMember(name: member.name, mark: mark, value: value(member, steps))
        }
    }

    private func expand(
        _ scalar: YAMLScalar, verbatim: ConfigScalar, in node: ConfigNode, isSecret: Bool
    ) -> ConfigScalar {
        guard scalar.text.utf8.contains(UInt8(ascii: "$")) else { return verbatim }
        do throws(TextProblem) {
            let pieces = try ReferenceText.parse(scalar.text)
            if pieces == [.literal(scalar.text)] { return verbatim }
            var result = ConfigScalar(text: ConfigurationText(parts: []), value: .string, isVerbatim: false)
            for piece in pieces { append(piece, to: &result, in: node) }
            if isSecret {
                result.text.parts = result.text.parts.map {
                    .init($0.text, isSecret: true, reference: $0.reference)
                }
            }
            let isPlain = scalar.style == .plain
            result.value = isPlain && !result.isPlaceholder ? CoreSchema.resolve(result.text.revealed) : .string
            return result
        } catch {
            let place = node.place(ofOffset: error.offset ?? 0)
            reporter.report(.invalidReference, error.message, at: place, help: error.help)
            return placeholder(verbatim)
        }
    }

    /// What stands in for a value that could not be made, so that no second problem follows from the first.
    private func placeholder(_ scalar: ConfigScalar) -> ConfigScalar {
        var result = scalar
        result.isPlaceholder = true
        result.value = .string
        return result
    }

    private func append(_ piece: ReferenceText.Piece, to scalar: inout ConfigScalar, in node: ConfigNode) {
        switch piece {
        case .literal(let text): scalar.text.parts.append(.init(text))
        case .environment(let name, let fallback): appendEnvironment(name, fallback, to: &scalar, in: node)
        case .file(let path): appendFile(path, to: &scalar, in: node)
        case .variable(let name): appendVariable(name, to: &scalar, in: node)
        }
    }

    private func appendEnvironment(
        _ name: String, _ fallback: String?, to scalar: inout ConfigScalar, in node: ConfigNode
    ) {
        let value = context.environment[name]
        if let fallback, value?.isEmpty ?? true {
            reporter.hide(fallback)
            scalar.text.parts.append(.init(fallback, isSecret: true, reference: "env:\(name)"))
        } else if let value {
            reporter.hide(value)
            scalar.text.parts.append(.init(value, isSecret: true, reference: "env:\(name)"))
        } else if context.mode == .replay {
            appendUnknown(to: &scalar)
        } else {
            reporter.report(
                .unsetEnvironment, "The environment variable `\(name)` is not set.", at: node.start,
                help:
                    "Set it, name a file that does with `--env-file`, or give a default with `${env:\(name):-default}`.",
                severity: missingSeverity)
            appendPlaceholder(to: &scalar)
        }
    }

    private func appendFile(_ path: String, to scalar: inout ConfigScalar, in node: ConfigNode) {
        let file = FilePath.join(context.file.folder, path)
        context.texts.record(NamedFile(use: .value, path: path, location: node.start.location))
        do throws(FileReader.Failure) {
            var bytes = try FileReader.read(file, maximumBytes: 1 << 20)
            if bytes.last == 0x0A { bytes.removeLast() }
            if bytes.last == 0x0D { bytes.removeLast() }
            guard let text = String(validating: bytes, as: UTF8.self) else {
                let message = "The file `\(path)` is not UTF-8 text."
                reporter.report(
                    .unreadableReference, message, at: node.start, help: "Save it as UTF-8; it holds one value as text."
                )
                return appendPlaceholder(to: &scalar)
            }
            reporter.hide(text)
            scalar.text.parts.append(.init(text, isSecret: true, reference: "file:\(path)"))
        } catch {
            if context.mode == .replay { return appendUnknown(to: &scalar) }
            reporter.report(
                .unreadableReference, "The file `\(path)` \(error.reason).", at: node.start,
                help: "The path is relative to the file that names it.", severity: missingSeverity)
            appendPlaceholder(to: &scalar)
        }
    }

    private func appendVariable(_ name: String, to scalar: inout ConfigScalar, in node: ConfigNode) {
        if let variable = variables[name] {
            scalar.text.parts += variable.text.parts
            if variable.isPlaceholder { scalar.isPlaceholder = true }
            return
        }
        let names = variables.keys.sorted()
        let known = names.isEmpty ? "There are none here." : "The variables are \(names.quotedList)."
        reporter.report(
            .unknownVariable, "`vars` has no `\(name)`.", at: node.start,
            suggestion: Suggestion.nearest(to: name, among: names),
            help: "\(known) A variable must be declared under `vars` before it is used.")
        scalar.isPlaceholder = true
    }

    /// What is not there yet when a file is checked must be there when it runs.
    private var missingSeverity: Severity { context.mode == .validate ? .warning : .error }

    /// Puts in what stands for a secret that nobody needs.
    private func appendUnknown(to scalar: inout ConfigScalar) {
        scalar.text.parts.append(.init("***", isSecret: true))
        scalar.isPlaceholder = true
    }

    private func appendPlaceholder(to scalar: inout ConfigScalar) {
        scalar.text.parts.append(.init("", isSecret: true))
        scalar.isPlaceholder = true
    }
}

extension [String] {
    /// The names in backquotes with commas between them.
    var quotedList: String { map { "`\($0)`" }.joined(separator: ", ") }
}
