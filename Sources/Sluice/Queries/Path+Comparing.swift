// Nil is a value here, as in Swift: `!=` does not lose the rows without one.

extension Path {
    fileprivate func compare(_ sign: String, _ value: SQLExpression) -> Condition<M> {
        Condition("(" + expression.compared + SQLExpression(sql: " \(sign) ") + value + ")")
    }

    /// Whether there is no value.
    public var isNil: Condition<M> { Condition("(" + expression + " IS NULL)") }
    /// Whether there is a value.
    public var isNotNil: Condition<M> { Condition("(" + expression + " IS NOT NULL)") }
}

extension Path {
    /// A value as it is compared with what the path leads to.
    func bound(_ value: some StoredValue) -> SQLExpression {
        SQLExpression(of: property) { () throws(BoxError) in try value.boxed() }
    }
}

extension Path where Value: StoredValue {
    /// Whether it is a value.
    public static func == (path: Path, value: Value) -> Condition<M> { path.compare("IS", path.bound(value)) }
    /// Whether it is another value.
    public static func != (path: Path, value: Value) -> Condition<M> { path.compare("IS NOT", path.bound(value)) }
    /// Whether it is what another path is.
    public static func == (path: Path, other: Path) -> Condition<M> { path.compare("IS", other.expression) }
    /// Whether it is something else than another path.
    public static func != (path: Path, other: Path) -> Condition<M> { path.compare("IS NOT", other.expression) }

    /// Whether it is one of some values.
    public func `in`(_ values: some Sequence<Value>) -> Condition<M> {
        isOne(of: Array(values))
    }
}

extension Path {
    /// A query is no list.
    @available(
        *, unavailable,
        message:
            "`in` takes a list: say what holds of the other record by a path, as in `$0.author.name == \"Ann\"`, or read the values first, in the same `read`"
    )
    public func `in`<Other>(_ query: Query<Other>) -> Condition<M> { isNil }

    /// A selection is no list.
    @available(
        *, unavailable,
        message:
            "`in` takes a list: say what holds of the other record by a path, as in `$0.author.name == \"Ann\"`, or read the values first, in the same `read`"
    )
    public func `in`<Other, each Selected>(_ selection: Selection<Other, repeat each Selected>) -> Condition<M> {
        isNil
    }

    /// Whether it is one of some values as columns hold them.
    fileprivate func isOne(of values: [some StoredValue]) -> Condition<M> {
        do throws(BoxError) {
            return Condition(expression.isOne(of: try values.map { value throws(BoxError) in try value.boxed() }))
        } catch { return Condition(SQLExpression(refusal: error.at(property))) }
    }
}

extension Path where Value: StoredValue & Comparable {
    /// Whether it is less than a value.
    public static func < (path: Path, value: Value) -> Condition<M> { path.compare("<", path.bound(value)) }
    /// Whether it is at most a value.
    public static func <= (path: Path, value: Value) -> Condition<M> { path.compare("<=", path.bound(value)) }
    /// Whether it is greater than a value.
    public static func > (path: Path, value: Value) -> Condition<M> { path.compare(">", path.bound(value)) }
    /// Whether it is at least a value.
    public static func >= (path: Path, value: Value) -> Condition<M> { path.compare(">=", path.bound(value)) }
    /// Whether it is less than another path.
    public static func < (path: Path, other: Path) -> Condition<M> { path.compare("<", other.expression) }
    /// Whether it is at most another path.
    public static func <= (path: Path, other: Path) -> Condition<M> { path.compare("<=", other.expression) }
    /// Whether it is greater than another path.
    public static func > (path: Path, other: Path) -> Condition<M> { path.compare(">", other.expression) }
    /// Whether it is at least another path.
    public static func >= (path: Path, other: Path) -> Condition<M> { path.compare(">=", other.expression) }
    /// Whether it lies within a range, both ends included.
    public func between(_ range: ClosedRange<Value>) -> Condition<M> {
        (self >= range.lowerBound) && (self <= range.upperBound)
    }
}

extension Path {
    /// Whether it is a value.
    public static func == <Wrapped: StoredValue>(path: Path, value: Wrapped) -> Condition<M> where Value == Wrapped? {
        path.compare("IS", path.bound(value))
    }
    /// Whether it is another value, or none.
    public static func != <Wrapped: StoredValue>(path: Path, value: Wrapped) -> Condition<M> where Value == Wrapped? {
        path.compare("IS NOT", path.bound(value))
    }
    /// Whether it is what another path is, which always has a value.
    public static func == <Wrapped: StoredValue>(path: Path, other: Path<M, Wrapped>) -> Condition<M>
    where Value == Wrapped? { path.compare("IS", other.expression) }
    /// Whether it is something else than another path, which always has a value.
    public static func != <Wrapped: StoredValue>(path: Path, other: Path<M, Wrapped>) -> Condition<M>
    where Value == Wrapped? { path.compare("IS NOT", other.expression) }
    /// Whether it is what another path is, which may have no value.
    public static func == <Wrapped: StoredValue>(other: Path<M, Wrapped>, path: Path) -> Condition<M>
    where Value == Wrapped? { path.compare("IS", other.expression) }
    /// Whether it is something else than another path, which may have no value.
    public static func != <Wrapped: StoredValue>(other: Path<M, Wrapped>, path: Path) -> Condition<M>
    where Value == Wrapped? { path.compare("IS NOT", other.expression) }
    /// Whether it is one of some values.
    public func `in`<Wrapped: StoredValue>(_ values: some Sequence<Wrapped>) -> Condition<M> where Value == Wrapped? {
        `in`(values.map(Optional.some))
    }
    /// Whether it lies within a range, both ends included; not where there is no value.
    public func between<Wrapped: StoredValue & Comparable>(_ range: ClosedRange<Wrapped>) -> Condition<M>
    where Value == Wrapped? { (self >= range.lowerBound) && (self <= range.upperBound) }
    /// Whether it is less than a value; not where there is none.
    public static func < <Wrapped: StoredValue & Comparable>(path: Path, value: Wrapped) -> Condition<M>
    where Value == Wrapped? { path.compare("<", path.bound(value)) }
    /// Whether it is at most a value; not where there is none.
    public static func <= <Wrapped: StoredValue & Comparable>(path: Path, value: Wrapped) -> Condition<M>
    where Value == Wrapped? { path.compare("<=", path.bound(value)) }
    /// Whether it is greater than a value; not where there is none.
    public static func > <Wrapped: StoredValue & Comparable>(path: Path, value: Wrapped) -> Condition<M>
    where Value == Wrapped? { path.compare(">", path.bound(value)) }
    /// Whether it is at least a value; not where there is none.
    public static func >= <Wrapped: StoredValue & Comparable>(path: Path, value: Wrapped) -> Condition<M>
    where Value == Wrapped? { path.compare(">=", path.bound(value)) }
    /// Whether it is less than another path; not where one of them has no value.
    public static func < <Wrapped: StoredValue & Comparable>(path: Path, other: Path) -> Condition<M>
    where Value == Wrapped? { path.compare("<", other.expression) }
    /// Whether it is less than another path; not where it has no value.
    public static func < <Wrapped: StoredValue & Comparable>(path: Path, other: Path<M, Wrapped>) -> Condition<M>
    where Value == Wrapped? { path.compare("<", other.expression) }
    /// Whether it is less than another path; not where that has no value.
    public static func < <Wrapped: StoredValue & Comparable>(other: Path<M, Wrapped>, path: Path) -> Condition<M>
    where Value == Wrapped? { other.compare("<", path.expression) }
    /// Whether it is at most another path; not where one of them has no value.
    public static func <= <Wrapped: StoredValue & Comparable>(path: Path, other: Path) -> Condition<M>
    where Value == Wrapped? { path.compare("<=", other.expression) }
    /// Whether it is at most another path; not where it has no value.
    public static func <= <Wrapped: StoredValue & Comparable>(path: Path, other: Path<M, Wrapped>) -> Condition<M>
    where Value == Wrapped? { path.compare("<=", other.expression) }
    /// Whether it is at most another path; not where that has no value.
    public static func <= <Wrapped: StoredValue & Comparable>(other: Path<M, Wrapped>, path: Path) -> Condition<M>
    where Value == Wrapped? { other.compare("<=", path.expression) }
    /// Whether it is greater than another path; not where one of them has no value.
    public static func > <Wrapped: StoredValue & Comparable>(path: Path, other: Path) -> Condition<M>
    where Value == Wrapped? { path.compare(">", other.expression) }
    /// Whether it is greater than another path; not where it has no value.
    public static func > <Wrapped: StoredValue & Comparable>(path: Path, other: Path<M, Wrapped>) -> Condition<M>
    where Value == Wrapped? { path.compare(">", other.expression) }
    /// Whether it is greater than another path; not where that has no value.
    public static func > <Wrapped: StoredValue & Comparable>(other: Path<M, Wrapped>, path: Path) -> Condition<M>
    where Value == Wrapped? { other.compare(">", path.expression) }
    /// Whether it is at least another path; not where one of them has no value.
    public static func >= <Wrapped: StoredValue & Comparable>(path: Path, other: Path) -> Condition<M>
    where Value == Wrapped? { path.compare(">=", other.expression) }
    /// Whether it is at least another path; not where it has no value.
    public static func >= <Wrapped: StoredValue & Comparable>(path: Path, other: Path<M, Wrapped>) -> Condition<M>
    where Value == Wrapped? { path.compare(">=", other.expression) }
    /// Whether it is at least another path; not where that has no value.
    public static func >= <Wrapped: StoredValue & Comparable>(other: Path<M, Wrapped>, path: Path) -> Condition<M>
    where Value == Wrapped? { other.compare(">=", path.expression) }
}

// MARK: Raw values

extension Path {
    /// Why raw values are not compared with what the path leads to; nil where they are.
    private var rawRefusal: BoxError? {
        guard expression.isEncoded else { return nil }
        return BoxError(
            "raw values are compared with properties that are stored as `.raw`, and this one holds what `.codable` or a transform makes of it",
            property: property)
    }

    fileprivate func compare<Raw: RawRepresentable>(_ sign: String, raw value: Raw?) -> Condition<M>
    where Raw.RawValue: StoredValue {
        compare(sign, rawRefusal.map { SQLExpression(refusal: $0) } ?? bound(value?.rawValue))
    }

    fileprivate func isOne<Raw: RawRepresentable>(ofRaw values: some Sequence<Raw>) -> Condition<M>
    where Raw.RawValue: StoredValue {
        rawRefusal.map { Condition(SQLExpression(refusal: $0)) } ?? isOne(of: values.map { $0.rawValue })
    }
}

// What is a stored value besides is compared as that.
extension Path where Value: RawRepresentable, Value.RawValue: StoredValue {
    /// Whether it is a value that is stored as its raw value.
    @_disfavoredOverload
    public static func == (path: Path, value: Value) -> Condition<M> { path.compare("IS", raw: value) }
    /// Whether it is another value than one that is stored as its raw value.
    @_disfavoredOverload
    public static func != (path: Path, value: Value) -> Condition<M> { path.compare("IS NOT", raw: value) }
    /// Whether it is one of some values that are stored as their raw values.
    @_disfavoredOverload
    public func `in`(_ values: some Sequence<Value>) -> Condition<M> { isOne(ofRaw: values) }
}

extension Path {
    /// Whether it is a value that is stored as its raw value, or nothing where that is nil.
    @_disfavoredOverload
    public static func == <Wrapped: RawRepresentable>(path: Path, value: Wrapped?) -> Condition<M>
    where Value == Wrapped?, Wrapped.RawValue: StoredValue { path.compare("IS", raw: value) }
    /// Whether it is another value than one that is stored as its raw value, or none.
    @_disfavoredOverload
    public static func != <Wrapped: RawRepresentable>(path: Path, value: Wrapped?) -> Condition<M>
    where Value == Wrapped?, Wrapped.RawValue: StoredValue { path.compare("IS NOT", raw: value) }
    /// Whether it is one of some values that are stored as their raw values.
    @_disfavoredOverload
    public func `in`<Wrapped: RawRepresentable>(_ values: some Sequence<Wrapped>) -> Condition<M>
    where Value == Wrapped?, Wrapped.RawValue: StoredValue { isOne(ofRaw: values) }
}

// MARK: Texts

/// A path to texts.
public protocol TextValue {}
extension String: TextValue {}
extension Optional: TextValue where Wrapped == String {}

extension Path where Value: TextValue {
    /// Whether it begins with a text, letter by letter.
    public func hasPrefix(_ text: String) -> Condition<M> {
        Condition("(substr(" + expression + ", 1, length(" + bound(text) + ")) = " + bound(text) + ")")
    }

    /// Whether it ends with a text, letter by letter.
    public func hasSuffix(_ text: String) -> Condition<M> {
        if text.isEmpty { return isNotNil }
        return Condition("(substr(" + expression + ", -length(" + bound(text) + ")) = " + bound(text) + ")")
    }

    /// Whether a text is part of it.
    ///
    /// - Parameters:
    ///   - text: The text.
    ///   - isCaseSensitive: Whether upper and lower case are told apart; else both are folded as Unicode says.
    /// - Returns: The condition.
    public func contains(_ text: String, caseSensitive isCaseSensitive: Bool = false) -> Condition<M> {
        if isCaseSensitive { return Condition("(instr(" + expression + ", " + bound(text) + ") > 0)") }
        return Condition("(instr(sluice_fold(" + expression + "), sluice_fold(" + bound(text) + ")) > 0)")
    }

    /// Whether it is like a pattern, in which `%` stands for any text and `_` for any character; `\\` takes their meaning. Upper
    /// and lower case of the letters of ASCII are the same.
    public func like(_ pattern: String) -> Condition<M> {
        Condition("(" + expression + " LIKE " + bound(pattern) + " ESCAPE '\\')")
    }

    /// The number of its characters, as SQLite counts them: by Unicode scalars.
    public var length: Path<M, Int?> { Path<M, Int?>("length(" + expression + ")") }
}

// MARK: Aggregates

extension Path {
    /// How many records have a value.
    public func count() -> Path<M, Int> { Path<M, Int>("count(" + expression + ")") }
    /// How many values there are, equal ones once.
    public func countDistinct() -> Path<M, Int> { Path<M, Int>("count(DISTINCT " + expression.compared + ")") }
}

extension Path where Value == Bool {
    /// Whether it is false.
    public static prefix func ! (path: Path) -> Condition<M> { Condition("(" + path.expression + " IS NOT TRUE)") }
}

extension Path where Value == Bool? {
    /// Whether it is false, or nothing.
    public static prefix func ! (path: Path) -> Condition<M> { Condition("(" + path.expression + " IS NOT TRUE)") }
}

extension Query {
    /// Only records of which something is true as well.
    public func `where`(_ body: (M.Paths) -> Path<M, Bool?>) -> Query {
        `where`(Condition("(" + body(M.path).expression + " IS TRUE)"))
    }

    /// Only records of which something is true as well.
    public func `where`(_ body: (M.Paths) -> Path<M, Bool>) -> Query {
        `where`(Condition("(" + body(M.path).expression + " IS TRUE)"))
    }
}
