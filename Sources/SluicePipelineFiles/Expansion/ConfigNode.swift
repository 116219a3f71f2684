internal import SluicePipeline
internal import SluiceYAML

/// A value of the pipeline file after `${…}` is filled in.
struct ConfigNode {
    enum Content {
        case scalar(ConfigScalar)
        case sequence([ConfigNode])
        case mapping([ConfigMember])
    }

    var content: Content
    var start: SourcePlace
    var end: SourcePlace

    var scalar: ConfigScalar? {
        if case .scalar(let scalar) = content { return scalar }
        return nil
    }

    var elements: [ConfigNode]? {
        if case .sequence(let elements) = content { return elements }
        return nil
    }

    var members: [ConfigMember]? {
        if case .mapping(let members) = content { return members }
        return nil
    }

    /// The value of a key; nil where this is no mapping or has no such key.
    func member(_ name: String) -> ConfigNode? { members?.first { $0.name == name }?.value }

    /// The place of a character within a scalar, where what is shown is what was written; else the scalar's own.
    func place(ofOffset offset: Int) -> SourcePlace {
        guard let scalar, scalar.isVerbatim, start.line == end.line else { return start }
        let text = scalar.text.revealed
        let before = String(decoding: text.utf8.prefix(offset), as: UTF8.self).unicodeScalars.count
        let width = end.column - start.column
        let length = text.unicodeScalars.count
        if width == length { return start.moved(to: Mark(line: start.line, column: start.column + before)) }
        if width == length + 2 { return start.moved(to: Mark(line: start.line, column: start.column + 1 + before)) }
        return start
    }

    /// What was found, to go into "found …"; secrets show as `***`.
    var found: String {
        switch content {
        case .sequence: return "a list"
        case .mapping: return "a mapping"
        case .scalar(let scalar):
            // What may be a credential is not repeated.
            let text = start.file.hides(at: start.mark) ? nil : scalar.printable
            switch scalar.value {
            case .null: return "nothing"
            case .bool: return text.map { "`\($0)`, a truth value" } ?? "a truth value"
            case .int, .double: return text.map { "the number `\($0)`" } ?? "a number"
            case .string where scalar.text.revealed.isEmpty: return "an empty text"
            case .string: return text.map { "the text `\($0)`" } ?? "a text"
            }
        }
    }
}

/// A key of a mapping and its value.
struct ConfigMember {
    var name: String
    var mark: SourcePlace
    var value: ConfigNode
}

/// A single value after `${…}` is filled in.
struct ConfigScalar {
    /// The characters, of which some may be secret.
    var text: ConfigurationText
    /// What it means: of a plain scalar, by the core schema once more after expansion.
    var value: YAMLValue
    /// Whether it stands for an environment variable that is not set here, so that its text says nothing.
    var isPlaceholder = false
    /// Whether the characters are those of the file, so that an offset is a column.
    var isVerbatim = true

    /// The characters for a message: secrets masked, long text cut.
    var printable: String {
        let shown = text.description
        return shown.unicodeScalars.count > 60 ? String(shown.prefix(57)) + "…" : shown
    }
}
