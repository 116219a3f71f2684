/// A value of a YAML text with the place where it stands.
package struct YAMLNode: Sendable, Hashable {
    /// What a node holds.
    package enum Content: Sendable, Hashable {
        /// A single value.
        case scalar(YAMLScalar)
        /// A list.
        case sequence([YAMLNode])
        /// Keys and their values, in the order of the text.
        case mapping([YAMLMember])
    }

    /// What it holds.
    package var content: Content
    /// Where it starts; of a block mapping that is its first key.
    package var start: Mark
    /// Where it ends, exclusive; of a block it may be the start of what follows.
    package var end: Mark
    /// Where the alias stands that brought it here; nil where it stands for itself.
    package var usedAt: Mark?

    /// Makes a node.
    package init(content: Content, start: Mark, end: Mark, usedAt: Mark? = nil) {
        self.content = content
        self.start = start
        self.end = end
        self.usedAt = usedAt
    }

    /// The scalar, if it is one.
    package var scalar: YAMLScalar? {
        if case .scalar(let scalar) = content { return scalar }
        return nil
    }

    /// The elements, if it is a sequence.
    package var sequence: [YAMLNode]? {
        if case .sequence(let elements) = content { return elements }
        return nil
    }

    /// The members, if it is a mapping.
    package var mapping: [YAMLMember]? {
        if case .mapping(let members) = content { return members }
        return nil
    }
}

/// One key of a mapping and its value.
package struct YAMLMember: Sendable, Hashable {
    /// The key, a scalar with its own marks.
    package var key: YAMLNode
    /// The value.
    package var value: YAMLNode
    /// Where the aliases stand through which merge keys (`<<`) brought it here, the first one first.
    package var mergedAt: [Mark]

    /// Makes a member.
    package init(key: YAMLNode, value: YAMLNode, mergedAt: [Mark] = []) {
        self.key = key
        self.value = value
        self.mergedAt = mergedAt
    }

    /// The key's characters; a key such as `1` or `true` is its text.
    package var name: String { key.scalar?.text ?? "" }
}
