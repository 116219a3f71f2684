/// The values that anchors name, so that aliases can stand for them.
///
/// An alias shares its value's storage. What it costs is paid by whoever walks the tree, so values are counted as if
/// they were written out.
struct AnchorTable {
    private enum Entry {
        /// The anchor's value is still being read, so that an alias here would hold itself.
        case open
        case value(YAMLNode, count: Int, height: Int)
    }

    private let limits: YAMLDocument.Limits
    private var entries: [String: Entry] = [:]
    private var aliasedNodes = 0

    init(limits: YAMLDocument.Limits) { self.limits = limits }

    /// Notes that an anchor's value begins; an anchor of the same name before it is forgotten.
    mutating func open(_ name: String) { entries[name] = .open }

    /// Notes an anchor's value.
    mutating func close(_ name: String, value: YAMLNode) {
        let size = Self.size(of: value)
        entries[name] = .value(value, count: size.count, height: size.height)
    }

    /// The value that an alias stands for.
    ///
    /// - Parameters:
    ///   - name: The anchor's name.
    ///   - event: The alias.
    ///   - depth: How many sequences and mappings are around the alias.
    /// - Returns: The anchor's value, which knows that it is used here.
    /// - Throws: ``YAMLError`` where the anchor has no value, or it would be too much.
    mutating func value(of name: String, event: YAMLEvent, depth: Int) throws(YAMLError) -> YAMLNode {
        switch entries[name] {
        case nil:
            let message = "No anchor `&\(name)` comes before the alias `*\(name)`."
            throw YAMLError(code: .invalidAlias, message: message, mark: event.start)
        case .open?:
            let message = "The alias `*\(name)` is within the value of `&\(name)`, which would then contain itself."
            throw YAMLError(code: .invalidAlias, message: message, mark: event.start)
        case .value(var node, let count, let height)?:
            if depth + height > limits.maximumDepth {
                throw .tooDeep(limits, at: event.start)
            }
            aliasedNodes += count
            if aliasedNodes > limits.maximumAliasedNodes {
                let limit = limits.maximumAliasedNodes
                let message = "The aliases up to here expand to more than \(limit) values, which is the limit."
                throw YAMLError(code: .limit, message: message, mark: event.start)
            }
            node.usedAt = event.start
            return node
        }
    }

    /// How many values there are, and how many sequences and mappings are within each other.
    ///
    /// It walks each value once per anchor around it, of which there are as many as the text is deep at most; aliases
    /// within it were counted when they were read, so the walk is bounded too.
    private static func size(of node: YAMLNode) -> (count: Int, height: Int) {
        var count = 1
        var height = 0
        func add(_ inner: YAMLNode) {
            let size = size(of: inner)
            count += size.count
            height = max(height, size.height)
        }
        switch node.content {
        case .scalar: return (1, 0)
        case .sequence(let elements): for element in elements { add(element) }
        case .mapping(let members):
            for member in members {
                count += 1
                add(member.value)
            }
        }
        return (count, height + 1)
    }
}

extension YAMLError {
    /// The error of values that are nested too deeply.
    static func tooDeep(_ limits: YAMLDocument.Limits, at mark: Mark) -> YAMLError {
        YAMLError(code: .limit, message: "Values are nested more than \(limits.maximumDepth) levels deep.", mark: mark)
    }
}
