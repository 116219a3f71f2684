extension PathEvaluator {
    /// Whether a condition holds for a child that a filter looks at.
    mutating func isTrue(_ condition: PathCondition, for element: JSONElement) throws(Stop) -> Bool {
        try spend(1)
        switch condition {
        case .any(let conditions):
            for condition in conditions {
                if try isTrue(condition, for: element) { return true }
            }
            return false
        case .all(let conditions):
            for condition in conditions {
                if try !isTrue(condition, for: element) { return false }
            }
            return true
        case .not(let condition): return try !isTrue(condition, for: element)
        case .exists(let query): return try first(of: query, for: element) != nil
        case .comparison(let left, let comparison, let right):
            return try isTrue(
                value(of: left, for: element), comparison, value(of: right, for: element))
        case .pattern(let pattern): return try matches(pattern, for: element)
        }
    }

    /// The value that an operand stands for.
    mutating func value(of operand: PathOperand, for element: JSONElement) throws(Stop) -> PathValue {
        switch operand {
        case .literal(let literal): return .literal(literal)
        case .query(let query): return try first(of: query, for: element).map { .element($0) } ?? .nothing
        case .length(let operand):
            let value = try value(of: operand, for: element)
            if let text = value.string {
                try spend(text.utf8.count)
                return .literal(.number(Array(String(text.unicodeScalars.count).utf8)))
            }
            guard case .element(let container) = value, container.isContainer else { return .nothing }
            return .literal(.number(Array(String(container.count).utf8)))
        case .count(let query):
            var count = 0
            try nodes(of: query, for: element) { _ throws(Stop) in count += 1 }
            return .literal(.number(Array(String(count).utf8)))
        case .value(let query):
            var count = 0
            var only: JSONElement?
            try nodes(of: query, for: element) { found throws(Stop) in
                count += 1
                only = found
            }
            guard count == 1, let only else { return .nothing }
            return .element(only)
        }
    }

    private mutating func nodes(of query: PathQuery, for element: JSONElement, _ body: Body) throws(Stop) {
        try visit(query.isAbsolute ? root : element, query.segments, from: 0, body)
    }

    private mutating func first(of query: PathQuery, for element: JSONElement) throws(Stop) -> JSONElement? {
        var first: JSONElement?
        do throws(Stop) {
            try nodes(of: query, for: element) { found throws(Stop) in
                first = found
                throw .enough
            }
        } catch {
            if error == .tooCostly { throw error }
        }
        return first
    }

    private mutating func isTrue(
        _ left: PathValue, _ comparison: PathComparison, _ right: PathValue
    ) throws(Stop) -> Bool {
        switch comparison {
        case .equal: try isEqual(left, right)
        case .notEqual: try !isEqual(left, right)
        case .less: try isLess(left, right)
        case .greater: try isLess(right, left)
        case .lessOrEqual: try isLess(left, right) ? true : isEqual(left, right)
        case .greaterOrEqual: try isLess(right, left) ? true : isEqual(left, right)
        }
    }

    private mutating func isLess(_ left: PathValue, _ right: PathValue) throws(Stop) -> Bool {
        guard left.kind == right.kind else { return false }
        try spend(1 + (left.byteCount + right.byteCount) / 16)
        switch left.kind {
        // The order of the bytes is the order of the scalars.
        case .string: return unsafe left.holds(with: right) { a, b in unsafe a.isBefore(b) }
        case .number:
            if let a = left.integer, let b = right.integer { return a < b }
            return unsafe left.holds(with: right) { a, b in unsafe DecimalText.isLess(a, b) }
        default: return false
        }
    }

    private mutating func isEqual(_ left: PathValue, _ right: PathValue) throws(Stop) -> Bool {
        guard left.kind == right.kind else { return false }
        try spend(1 + (left.byteCount + right.byteCount) / 16)
        switch left.kind {
        case .nothing, .null: return true
        case .boolean: return left.boolean == right.boolean
        case .string: return unsafe left.holds(with: right) { a, b in unsafe a.hasSameBytes(as: b) }
        case .number:
            if let a = left.integer, let b = right.integer { return a == b }
            return unsafe left.holds(with: right) { a, b in
                unsafe !DecimalText.isLess(a, b) && !DecimalText.isLess(b, a)
            }
        case .array, .object:
            guard case .element(let a) = left, case .element(let b) = right, a.count == b.count else { return false }
            return try left.kind == .array ? hasEqualElements(a, b) : hasEqualMembers(a, b)
        }
    }

    private mutating func hasEqualElements(_ left: JSONElement, _ right: JSONElement) throws(Stop) -> Bool {
        var a = left.elements()
        var b = right.elements()
        while a.next(), b.next() {
            if try !isEqual(.element(a.value), .element(b.value)) { return false }
        }
        return true
    }

    private mutating func hasEqualMembers(_ left: JSONElement, _ right: JSONElement) throws(Stop) -> Bool {
        var members = left.members()
        while members.next() {
            try spend(left.count + right.count)
            guard let a = unsafe left.member(named: members.key), let b = unsafe right.member(named: members.key),
                try isEqual(.element(a), .element(b))
            else { return false }
        }
        return true
    }
}

/// What stands on one side of an operator.
enum PathValue {
    enum Kind {
        case nothing, null, boolean, number, string, array, object
    }

    case nothing
    case element(JSONElement)
    case literal(PathLiteral)

    var kind: Kind {
        switch self {
        case .nothing: .nothing
        case .literal(.null): .null
        case .literal(.boolean): .boolean
        case .literal(.number): .number
        case .literal(.string): .string
        case .element(let element):
            switch element.kind {
            case .null: .null
            case .bool: .boolean
            case .integer, .number: .number
            case .string: .string
            case .array: .array
            case .object: .object
            }
        }
    }

    var boolean: Bool {
        switch self {
        case .element(let element): element.boolean
        case .literal(.boolean(let value)): value
        case .literal, .nothing: false
        }
    }

    /// The value of a number that is written as an integer of 64 bits.
    var integer: Int64? {
        switch self {
        case .element(let element): element.kind == .integer ? element.integer : nil
        case .literal(.number(let bytes)): Int64(String(decoding: bytes, as: UTF8.self))
        case .literal, .nothing: nil
        }
    }

    /// The text of a string.
    var string: String? {
        switch self {
        case .element(let element): element.string
        case .literal(.string(let bytes)): String(decoding: bytes, as: UTF8.self)
        case .literal, .nothing: nil
        }
    }

    var byteCount: Int { unsafe withBytes { $0.count } }

    /// Whether a relation holds between the bytes of two values.
    func holds(
        with other: PathValue, _ relation: (UnsafeRawBufferPointer, UnsafeRawBufferPointer) -> Bool
    ) -> Bool {
        unsafe withBytes { left in unsafe other.withBytes { right in unsafe relation(left, right) } }
    }

    /// Calls a closure with the bytes of a string or a number; with none for anything else.
    func withBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        switch self {
        case .element(let element): unsafe body(element.kind == .string ? element.utf8 : element.token)
        case .literal(.number(let bytes)), .literal(.string(let bytes)): unsafe bytes.withUnsafeBytes(body)
        case .literal, .nothing: unsafe body(UnsafeRawBufferPointer(start: nil, count: 0))
        }
    }
}
