/// What containers a JSON text has and how large they are, seen while its bytes stream past.
///
/// Only places that are reached by names from the root are remembered, of a wide object the first members, and of an array
/// the first object: the outline of a large text is small. It checks nothing; reading the records does.
struct DocumentOutline {
    /// A place that is reached by names, or within the first object of an array.
    struct Node {
        enum Kind {
            case array, object, scalar
        }

        var kind: Kind
        var name: [UInt8] = []
        var parent = 0
        /// Whether it is an element of an array or within one.
        var isWithinArray = false
        /// The members that are remembered, by their position in ``DocumentOutline/nodes``.
        var children: [Int] = []
        /// Elements or members in all, and those of them that are objects or arrays.
        var count = 0
        var objects = 0
        var arrays = 0
        var bytes = 0

        /// Makes a value of its parts.
        package init(
            kind: Kind, name: [UInt8] = [], parent: Int = 0, isWithinArray: Bool = false, children: [Int] = [],
            count: Int = 0, objects: Int = 0, arrays: Int = 0, bytes: Int = 0
        ) {
            self.kind = kind
            self.name = name
            self.parent = parent
            self.isWithinArray = isWithinArray
            self.children = children
            self.count = count
            self.objects = objects
            self.arrays = arrays
            self.bytes = bytes
        }
    }

    private struct Frame {
        /// The remembered place, or -1.
        var node: Int
        let isObject: Bool
        let start: Int
        var expectsName: Bool
        var name: [UInt8] = []
    }

    private static let maximumDepth = 6
    private static let maximumChildren = 300
    private static let maximumNodes = 20_000

    /// The remembered places; the first is the root of the first value.
    private(set) var nodes: [Node] = []
    /// How many values begin at the top level.
    private(set) var rootCount = 0
    /// How many bytes were seen.
    private(set) var byteCount = 0
    private var frames: [Frame] = []
    private var isInString = false
    private var isEscaped = false
    private var isInWord = false
    private var isName = false
    private var name: [UInt8] = []

    /// Looks at the next bytes.
    mutating func add(_ bytes: [UInt8]) {
        for byte in bytes {
            if isInString { addToString(byte) } else { addOutside(byte) }
            byteCount += 1
        }
    }

    private mutating func addToString(_ byte: UInt8) {
        if isEscaped {
            isEscaped = false
        } else if byte == UInt8(ascii: "\\") {
            isEscaped = true
        } else if byte == UInt8(ascii: "\"") {
            isInString = false
            if isName, !frames.isEmpty { frames[frames.count - 1].name = name }
            isName = false
            return
        }
        if isName, name.count < 4096 { name.append(byte) }
    }

    private mutating func addOutside(_ byte: UInt8) {
        switch byte {
        case UInt8(ascii: "\""):
            isInString = true
            isInWord = false
            if let frame = frames.last, frame.isObject, frame.expectsName {
                isName = true
                name.removeAll(keepingCapacity: true)
                frames[frames.count - 1].expectsName = false
            } else {
                _ = begin(.scalar)
            }
        case UInt8(ascii: "{"), UInt8(ascii: "["):
            isInWord = false
            let isObject = byte == UInt8(ascii: "{")
            let node = begin(isObject ? .object : .array)
            frames.append(Frame(node: node, isObject: isObject, start: byteCount, expectsName: isObject))
        case UInt8(ascii: "}"), UInt8(ascii: "]"):
            isInWord = false
            guard let frame = frames.popLast() else { return }
            if frame.node >= 0 { nodes[frame.node].bytes = byteCount - frame.start }
        case UInt8(ascii: ","):
            isInWord = false
            if let frame = frames.last, frame.isObject { frames[frames.count - 1].expectsName = true }
        case 0x20, 0x0A, 0x0D, 0x09, UInt8(ascii: ":"): isInWord = false
        default:
            // A byte order mark is no value.
            if byte >= 0x80, frames.isEmpty { return }
            if !isInWord { _ = begin(.scalar) }
            isInWord = true
        }
    }

    /// A value begins.
    ///
    /// - Returns: Where it is remembered, or -1.
    private mutating func begin(_ kind: Node.Kind) -> Int {
        guard let frame = frames.last else {
            rootCount += 1
            if rootCount > 1 { return -1 }
            nodes.append(Node(kind: kind))
            return 0
        }
        guard frame.node >= 0 else { return -1 }
        nodes[frame.node].count += 1
        if kind == .object { nodes[frame.node].objects += 1 }
        if kind == .array { nodes[frame.node].arrays += 1 }
        let isWanted =
            frame.isObject
            ? nodes[frame.node].children.count < Self.maximumChildren
            : kind == .object && nodes[frame.node].children.isEmpty
        guard isWanted, frames.count < Self.maximumDepth, nodes.count < Self.maximumNodes else { return -1 }
        let isWithinArray = nodes[frame.node].isWithinArray || !frame.isObject
        nodes.append(
            Node(
                kind: kind, name: frame.isObject ? frame.name : [], parent: frame.node, isWithinArray: isWithinArray))
        nodes[frame.node].children.append(nodes.count - 1)
        return nodes.count - 1
    }

    /// The bytes of a place; of one that has not ended, those so far.
    func size(of node: Int) -> Int {
        if let frame = frames.first(where: { $0.node == node }) { return byteCount - frame.start }
        return nodes[node].bytes
    }
}
