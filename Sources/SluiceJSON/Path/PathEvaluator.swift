/// Follows the segments of a path through a document, with bounded work.
struct PathEvaluator {
    /// Why the evaluation ended early.
    enum Stop: Error {
        case tooCostly
        /// The one who gets the values wants no more.
        case enough
    }

    typealias Body = (JSONElement) throws(Stop) -> Void

    let root: JSONElement
    private var remainingSteps: Int
    /// The expression that was compiled last of those that stand in the document.
    private var latestPattern: (source: String, compiled: IRegexp?)?

    /// What a path of so many parts may cost: time linear in the document always suffices, and so does some more.
    static func defaultSteps(for element: JSONElement, segments: [PathSegment]) -> Int {
        4_000_000 + element.width * 32 * (1 + segments.reduce(0) { $0 + $1.weight })
    }

    init(root: JSONElement, maximumSteps: Int) {
        self.root = root
        remainingSteps = maximumSteps
    }

    mutating func spend(_ steps: Int) throws(Stop) {
        remainingSteps -= steps
        if remainingSteps < 0 { throw .tooCostly }
    }

    /// Calls a closure with each value that the segments select from a value, in the order of RFC 9535.
    mutating func visit(
        _ element: JSONElement, _ segments: [PathSegment], from index: Int, _ body: Body
    ) throws(Stop) {
        guard index < segments.count else {
            // Somebody may collect the values: memory counts as work.
            try spend(16)
            return try body(element)
        }
        guard segments[index].isDescendant else { return try select(element, segments, index, body) }
        try select(element, segments, index, body)
        // The tape could be deep: the way through it is kept here and not on the stack.
        var cursors = [JSONChildCursor(element)]
        while var cursor = cursors.popLast() {
            guard cursor.next() else { continue }
            try spend(1)
            let child = cursor.value
            cursors.append(cursor)
            guard child.isContainer else { continue }
            try select(child, segments, index, body)
            cursors.append(JSONChildCursor(child))
        }
    }

    private mutating func select(
        _ element: JSONElement, _ segments: [PathSegment], _ index: Int, _ body: Body
    ) throws(Stop) {
        for selector in segments[index].selectors {
            switch selector {
            case .name(let name):
                try spend(1 + element.count)
                if let child = element.member(named: name) { try visit(child, segments, from: index + 1, body) }
            case .index(let position):
                try spend(1 + element.count)
                if let child = element.element(at: position) { try visit(child, segments, from: index + 1, body) }
            case .wildcard:
                var children = JSONChildCursor(element)
                while children.next() {
                    try spend(1)
                    try visit(children.value, segments, from: index + 1, body)
                }
            case .slice(let slice):
                guard element.kind == .array else { continue }
                try spend(1 + element.count)
                for child in Self.elements(of: element, in: slice) {
                    try visit(child, segments, from: index + 1, body)
                }
            case .filter(let condition):
                var children = JSONChildCursor(element)
                while children.next() {
                    try spend(1)
                    if try isTrue(condition, for: children.value) {
                        try visit(children.value, segments, from: index + 1, body)
                    }
                }
            }
        }
    }

    private static func elements(of array: JSONElement, in slice: PathSlice) -> [JSONElement] {
        let positions = slice.positions(count: array.count)
        var found: [JSONElement] = []
        // From the first to the last: elements can only be gone through forwards.
        var wanted = slice.step > 0 ? Array(positions) : positions.reversed()
        wanted.reverse()
        var cursor = array.elements()
        var position = -1
        while let next = wanted.popLast() {
            while position < next, cursor.next() { position += 1 }
            found.append(cursor.value)
        }
        if slice.step < 0 { found.reverse() }
        return found
    }

    /// Whether a value matches an expression; never for what is no string.
    mutating func matches(_ pattern: PathPattern, for element: JSONElement) throws(Stop) -> Bool {
        guard let text = try value(of: pattern.text, for: element).string else { return false }
        var expression = pattern.compiled
        if expression == nil {
            guard let source = try value(of: pattern.pattern, for: element).string else { return false }
            if latestPattern?.source != source {
                try spend(20_000)
                latestPattern = (source, try? IRegexp(parsing: source))
            }
            expression = latestPattern?.compiled
        }
        guard let expression else { return false }
        // The product bounds the work before it is done.
        let (bound, isTooLarge) = expression.program.count.multipliedReportingOverflow(by: text.utf8.count)
        if isTooLarge || bound / 64 > max(remainingSteps, 0) { throw .tooCostly }
        var steps = 0
        let isMatch = expression.matches(text, isWhole: pattern.isWhole, steps: &steps)
        try spend(steps)
        return isMatch
    }
}

extension PathSegment {
    /// How many selectors and conditions there are, with those within filters.
    var weight: Int { selectors.reduce(0) { $0 + $1.weight } }
}

extension PathSelector {
    fileprivate var weight: Int {
        if case .filter(let condition) = self { return 1 + condition.weight }
        return 1
    }
}

extension PathCondition {
    fileprivate var weight: Int {
        switch self {
        case .any(let conditions), .all(let conditions): conditions.reduce(0) { $0 + $1.weight }
        case .not(let condition): condition.weight
        case .exists(let query): query.weight
        case .comparison(let left, _, let right): left.weight + right.weight
        case .pattern(let pattern):
            pattern.text.weight + pattern.pattern.weight + (pattern.compiled?.program.count ?? 0)
        }
    }
}

extension PathQuery {
    fileprivate var weight: Int { segments.reduce(1) { $0 + $1.weight } }
}

extension PathOperand {
    fileprivate var weight: Int {
        switch self {
        case .literal: 1
        case .query(let query), .count(let query), .value(let query): query.weight
        case .length(let operand): 1 + operand.weight
        }
    }
}
