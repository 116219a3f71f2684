/// One segment of a path: what it selects among the children of a value, or among those of all its descendants too.
struct PathSegment: Sendable {
    var isDescendant = false
    var selectors: [PathSelector]

    /// The same as a step, where it is one.
    var step: JSONPath.Step? {
        guard !isDescendant, selectors.count == 1 else { return nil }
        return switch selectors[0] {
        case .name(let name): .name(name)
        case .index(let index): .index(index)
        case .wildcard: .wildcard
        case .slice, .filter: nil
        }
    }

    /// Whether it selects at most one child.
    var isSingular: Bool { step.map { $0 != .wildcard } ?? false }
}

/// One selector of a segment.
enum PathSelector: Sendable {
    case name(String)
    case index(Int)
    case wildcard
    case slice(PathSlice)
    case filter(PathCondition)
}

/// A slice of an array, see RFC 9535 section 2.3.4.
struct PathSlice: Sendable {
    var start: Int?
    var end: Int?
    var step = 1

    /// The positions that are selected among so many elements.
    func positions(count: Int) -> StrideTo<Int> {
        func normalized(_ index: Int) -> Int { index >= 0 ? index : count + index }
        if step == 0 { return stride(from: 0, to: 0, by: 1) }
        if step > 0 {
            let lower = min(max(normalized(start ?? 0), 0), count)
            return stride(from: lower, to: min(max(normalized(end ?? count), 0), count), by: step)
        }
        let upper = min(max(normalized(start ?? count - 1), -1), count - 1)
        return stride(from: upper, to: min(max(end.map(normalized) ?? -1, -1), count - 1), by: step)
    }
}

/// What a filter demands of a child, see RFC 9535 section 2.3.5.
indirect enum PathCondition: Sendable {
    case any([PathCondition])
    case all([PathCondition])
    case not(PathCondition)
    case exists(PathQuery)
    case comparison(PathOperand, PathComparison, PathOperand)
    case pattern(PathPattern)
}

/// How two values are compared.
enum PathComparison: Sendable {
    case equal, notEqual, less, lessOrEqual, greater, greaterOrEqual
}

/// A path within a filter.
struct PathQuery: Sendable {
    /// Whether it begins at the root of the document, not at the child that is looked at.
    var isAbsolute: Bool
    var segments: [PathSegment]

    var isSingular: Bool { segments.allSatisfy(\.isSingular) }
}

/// What stands for one value in a filter, or for none.
indirect enum PathOperand: Sendable {
    case literal(PathLiteral)
    /// A query that selects at most one value.
    case query(PathQuery)
    case length(PathOperand)
    case count(PathQuery)
    case value(PathQuery)
}

/// A value that a filter states itself.
enum PathLiteral: Sendable {
    case null
    case boolean(Bool)
    /// A number as JSON writes it.
    case number([UInt8])
    case string([UInt8])
}

/// A call of `match` or `search`.
struct PathPattern: Sendable {
    /// Whether the expression must match the whole text.
    var isWhole: Bool
    var text: PathOperand
    var pattern: PathOperand
    /// The expression where it is stated in the path and valid.
    var compiled: IRegexp?
}
