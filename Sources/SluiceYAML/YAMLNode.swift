/// A value of a YAML text with the place where it stands.
public struct YAMLNode: Sendable, Hashable {
    /// What a node holds.
    public enum Content: Sendable, Hashable {
        /// A single value.
        case scalar(YAMLScalar)
        /// A list.
        case sequence([YAMLNode])
        /// Keys and their values, in the order of the text.
        case mapping([YAMLMember])
    }

    /// What it holds.
    public var content: Content
    /// Where it starts; of a block mapping that is its first key.
    public var start: Mark
    /// Where it ends, exclusive; of a block it may be the start of what follows.
    public var end: Mark
    /// Where the alias stands that brought it here; nil where it stands for itself.
    public var usedAt: Mark?

    /// Makes a node.
    public init(content: Content, start: Mark, end: Mark, usedAt: Mark? = nil) {
        self.content = content
        self.start = start
        self.end = end
        self.usedAt = usedAt
    }

    /// The scalar, if it is one.
    public var scalar: YAMLScalar? {
        if case .scalar(let scalar) = content { return scalar }
        return nil
    }

    /// The elements, if it is a sequence.
    public var sequence: [YAMLNode]? {
        if case .sequence(let elements) = content { return elements }
        return nil
    }

    /// The members, if it is a mapping.
    public var mapping: [YAMLMember]? {
        if case .mapping(let members) = content { return members }
        return nil
    }
}

/// One key of a mapping and its value.
public struct YAMLMember: Sendable, Hashable {
    /// The key, a scalar with its own marks.
    public var key: YAMLNode
    /// The value.
    public var value: YAMLNode
    /// Where the aliases stand through which merge keys (`<<`) brought it here, the first one first.
    public var mergedAt: [Mark]

    /// Makes a member.
    public init(key: YAMLNode, value: YAMLNode, mergedAt: [Mark] = []) {
        self.key = key
        self.value = value
        self.mergedAt = mergedAt
    }

    /// The key's characters; a key such as `1` or `true` is its text.
    public var name: String { key.scalar?.text ?? "" }
}
