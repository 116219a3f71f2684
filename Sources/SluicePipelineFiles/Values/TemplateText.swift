internal import SluiceDiagnostics
internal import SluicePipeline

/// Reads texts with `{{ … }}`.
enum TemplateText {
    /// A run of literal text, or what stands between braces.
    enum Piece: Equatable {
        case text(String)
        /// An expression without the blanks around it, and the byte offset of its first brace.
        case expression(String, offset: Int)
    }

    /// The parts of a field's template.
    static func parse(_ text: String) throws(TextProblem) -> TextTemplate {
        var parts: [TextTemplate.Part] = []
        for piece in try pieces(of: text) {
            switch piece {
            case .text(let text): parts.append(.text(text))
            case .expression("file.stem", _): parts.append(.fileStem)
            case .expression(let expression, let offset):
                switch member(expression, of: [.parent, .item]) {
                case (.parent, let field?)?: parts.append(.parent(field))
                case (.item, let list)?: parts.append(.item(list))
                default:
                    throw TextProblem(
                        "This variable is not known here.", offset: offset,
                        help:
                            "Known are `{{ file.stem }}`, the name of the page's file without folder and extension, and `{{ parent.id }}` and `{{ item }}` of a stream with `parent` or `for_each`."
                    )
                }
            }
        }
        return TextTemplate(parts: parts)
    }

    /// The parts of a text that goes into a request.
    ///
    /// - Parameters:
    ///   - text: The text.
    ///   - names: The variables that may be used.
    /// - Returns: Literal parts and variables, in order.
    /// - Throws: Why it is no template.
    static func parse(
        _ text: String, names: [TemplateVariable.Name]
    ) throws(TextProblem) -> [ConfigurationText.Part] {
        var parts: [ConfigurationText.Part] = []
        for piece in try pieces(of: text) {
            switch piece {
            case .text(let text): parts.append(.init(text))
            case .expression(let expression, let offset):
                let variable = try variable(expression, names: names, offset: offset)
                parts.append(.init("{{ \(expression) }}", variable: variable))
            }
        }
        return parts
    }

    private static func variable(
        _ expression: String, names: [TemplateVariable.Name], offset: Int
    ) throws(TextProblem) -> TemplateVariable {
        let words = expression.split(separator: "|", omittingEmptySubsequences: false).map { trimmed($0) }
        let known = names.map(\.example)
        guard let (name, member) = member(words[0], of: names), !name.needsMember || member != nil else {
            let near = Suggestion.nearest(to: words[0], among: known).map { " Did you mean `{{ \($0) }}`?" } ?? ""
            throw TextProblem(
                "This variable is not known here.\(near)", offset: offset,
                help: "Known here is \(known.map { "`{{ \($0) }}`" }.joined(separator: ", ")).")
        }
        if words.count == 1 { return TemplateVariable(name, member: member) }
        guard words.count == 2, name.isTime, let filter = TemplateVariable.Filter(rawValue: words[1]) else {
            throw TextProblem(
                "This filter is not known here.", offset: offset,
                help: name.isTime
                    ? "There are `unix`, `unix_ms` and `date`, as in `{{ \(name.rawValue) | unix }}`."
                    : "`{{ \(words[0]) }}` takes none.")
        }
        return TemplateVariable(name, filter: filter)
    }

    /// The variable that an expression without filters names; what follows the dot of `parent` and `item` is free.
    private static func member(
        _ expression: String, of names: [TemplateVariable.Name]
    ) -> (name: TemplateVariable.Name, member: String?)? {
        if let name = names.first(where: { $0.rawValue == expression }) { return (name, nil) }
        guard let name = names.first(where: { $0.hasMembers && expression.hasPrefix($0.rawValue + ".") }) else {
            return nil
        }
        let member = expression.dropFirst(name.rawValue.count + 1)
        // What a filter or a brace would be is no name.
        let isName = !member.isEmpty && !member.contains { "|{}".contains($0) } && member.first != " "
        return isName ? (name, String(member)) : nil
    }

    private static func pieces(of text: String) throws(TextProblem) -> [Piece] {
        let bytes = Array(text.utf8)
        var pieces: [Piece] = []
        var literal: [UInt8] = []
        var index = 0
        while index < bytes.count {
            guard isPair(bytes, index, "{") else {
                literal.append(bytes[index])
                index += 1
                continue
            }
            guard let end = (index + 2..<bytes.count).first(where: { isPair(bytes, $0, "}") }) else {
                throw TextProblem("`{{` is not closed by `}}`.", offset: index)
            }
            if !literal.isEmpty { pieces.append(.text(String(decoding: literal, as: UTF8.self))) }
            literal = []
            let expression = String(decoding: bytes[index + 2..<end], as: UTF8.self)
            pieces.append(.expression(trimmed(expression[...]), offset: index))
            index = end + 2
        }
        if !literal.isEmpty { pieces.append(.text(String(decoding: literal, as: UTF8.self))) }
        return pieces
    }

    private static func trimmed(_ text: Substring) -> String {
        var text = text
        while text.first == " " { text = text.dropFirst() }
        while text.last == " " { text = text.dropLast() }
        return String(text)
    }

    private static func isPair(_ bytes: [UInt8], _ index: Int, _ brace: Unicode.Scalar) -> Bool {
        index + 1 < bytes.count && bytes[index] == UInt8(ascii: brace) && bytes[index + 1] == UInt8(ascii: brace)
    }
}

extension ConfigurationText {
    /// What may be filled in anywhere in a request.
    static let requestVariables: [TemplateVariable.Name] = [
        .runStartedAt, .cursorStart, .cursorEnd, .parent, .item,
    ]

    /// What may be filled in where one record is asked for.
    static let recordVariables: [TemplateVariable.Name] = [.key, .record]

    /// The text with its variables told apart. What is secret is sent as it is, whatever it looks like.
    func template(_ names: [TemplateVariable.Name] = requestVariables) -> ConfigurationText {
        ConfigurationText(
            parts: parts.flatMap { part in
                part.isSecret ? [part] : (try? TemplateText.parse(part.text, names: names)) ?? [part]
            })
    }

    /// Why the text is no template, or nil where it is one.
    func templateProblem(_ names: [TemplateVariable.Name] = requestVariables) -> TextProblem? {
        var start = 0
        for part in parts {
            defer { start += part.text.utf8.count }
            if part.isSecret { continue }
            do throws(TextProblem) {
                _ = try TemplateText.parse(part.text, names: names)
            } catch {
                var problem = error
                problem.offset = problem.offset.map { start + $0 }
                return problem
            }
        }
        return nil
    }
}
