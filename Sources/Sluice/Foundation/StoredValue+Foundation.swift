public import FoundationEssentials
internal import SluiceModel

extension UUID: StoredValue, StoredKey {
    /// A UUID.
    public static var storedType: StoredType { .uuid }

    /// The UUID of a text.
    public static func unboxed(_ column: StoredColumn) throws(UnboxError) -> UUID {
        guard case .text(let text) = column.value, let value = UUID(uuidString: text) else {
            throw column.mismatch("UUID")
        }
        return value
    }

    /// The text in lower case.
    public func boxed() throws(BoxError) -> BoxedValue { .text(uuidString.lowercased()) }
}

extension URL: StoredValue, StoredKey {
    /// A URL.
    public static var storedType: StoredType { .url }

    /// The URL of a text.
    public static func unboxed(_ column: StoredColumn) throws(UnboxError) -> URL {
        guard case .text(let text) = column.value, let value = URL(string: text) else { throw column.mismatch("URL") }
        return value
    }

    /// The text as it was given.
    public func boxed() throws(BoxError) -> BoxedValue { .text(absoluteString) }
}

extension Data: StoredValue, StoredKey {
    /// Bytes.
    public static var storedType: StoredType { .bytes }

    /// The bytes.
    public static func unboxed(_ column: StoredColumn) throws(UnboxError) -> Data { Data(try [UInt8].unboxed(column)) }

    /// The bytes.
    public func boxed() throws(BoxError) -> BoxedValue { .blob(Array(self)) }
}

extension Decimal: StoredValue, StoredKey {
    /// An exact number.
    public static var storedType: StoredType { .decimal }

    /// The number of a text; what has more digits than a `Decimal` is a mismatch, never rounded.
    public static func unboxed(_ column: StoredColumn) throws(UnboxError) -> Decimal {
        let text: String
        switch column.value {
        case .text(let stored): text = stored
        case .integer(let number): text = String(number)
        default: throw column.mismatch("Decimal")
        }
        guard let value = Decimal(exactly: text) else { throw column.mismatch("Decimal") }
        return value
    }

    /// The number of a text; nil where it is none, or has more digits than a `Decimal`.
    fileprivate init?(exactly text: String) {
        guard let value = Decimal(string: text), !value.isNaN,
            DecimalOrder.compare(Array(value.description.utf8), Array(text.utf8)) == 0
        else { return nil }
        self = value
    }

    /// The number in digits.
    public func boxed() throws(BoxError) -> BoxedValue {
        if isNaN { throw BoxError("the store cannot hold NaN") }
        return .text(description)
    }
}

extension Date: StoredValue, StoredKey {
    /// A moment in time.
    public static var storedType: StoredType { .datetime }

    /// The moment of a text, to the nearest that a `Date` can hold.
    public static func unboxed(_ column: StoredColumn) throws(UnboxError) -> Date {
        guard case .text(let text) = column.value, let time = Timestamp(stored: Array(text.utf8)) else {
            throw column.mismatch("time")
        }
        let fraction = time.fraction.isEmpty ? 0 : Double("0." + String(decoding: time.fraction, as: UTF8.self)) ?? 0
        return moment(Double(time.seconds), fraction, digits: time.fraction.count)
    }

    /// The moment that digits of a second mean.
    ///
    /// A `Date` counts from 2001, those of today in steps of 119 ns, and from 1970 in twice as long ones. Up to microseconds it is the one
    /// that a count from 1970 gives, as most programs count; with more digits it is the nearest.
    private static func moment(_ seconds: Double, _ fraction: Double, digits: Int) -> Date {
        if digits <= microseconds { return Date(timeIntervalSince1970: seconds + fraction) }
        return Date(
            timeIntervalSinceReferenceDate: seconds - timeIntervalBetween1970AndReferenceDate + fraction)
    }

    /// How many digits of a second those are.
    private static let microseconds = 6

    /// The moment in UTC, with as many digits of a fraction as it takes to read the same moment back, nine at most.
    public func boxed() throws(BoxError) -> BoxedValue {
        let since2001 = timeIntervalSinceReferenceDate.rounded(.down)
        let whole = since2001 + Self.timeIntervalBetween1970AndReferenceDate
        guard let seconds = Int64(exactly: whole), Timestamp(seconds: seconds) != nil else {
            throw BoxError("the year does not have four digits")
        }
        for digits in 0...9 {
            let scale = (0..<digits).reduce(1.0) { scale, _ in scale * 10 }
            var count = ((timeIntervalSinceReferenceDate - since2001) * scale).rounded()
            let isNext = count >= scale
            // What ends with a zero has fewer digits, and these were tried.
            let isShorter = digits > 0 && count.truncatingRemainder(dividingBy: 10) == 0
            // A nanosecond more tells a step from the one that fewer digits mean.
            if digits == 9, isShorter, count + 1 < scale,
                Self.moment(whole, (count + 1) / scale, digits: digits) == self
            {
                count += 1
            }
            let isRead = !isShorter && Self.moment(whole, count / scale, digits: digits) == self
            guard digits == 9 || isRead else { continue }
            let text = isNext ? "" : String(Int(count))
            let padded = String(repeating: "0", count: max(0, digits - text.utf8.count)) + text
            guard
                let time = Timestamp(
                    seconds: isNext ? seconds + 1 : seconds, fraction: digits == 0 || isNext ? [] : Array(padded.utf8))
            else { throw BoxError("the year does not have four digits") }
            return .text(time.text(.rfc3339))
        }
        throw BoxError("the moment cannot be written")
    }
}

extension Decimal: StoredNumber {}
extension Date: CalendarValue {}

extension Path where Value: ArithmeticValue, Value.Number == Decimal {
    /// The product of a decimal and a whole number; nil where one of them is. It is exact.
    public static func * <Other: ArithmeticValue>(left: Path, right: Path<M, Other>) -> Path<M, Decimal?>
    where Other.Number: BinaryInteger { Path<M, Decimal?>(.multiply(left.expression, right.expression, .decimal)) }
    /// The product of a whole number and a decimal; nil where one of them is. It is exact.
    public static func * <Other: ArithmeticValue>(left: Path<M, Other>, right: Path) -> Path<M, Decimal?>
    where Other.Number: BinaryInteger { Path<M, Decimal?>(.multiply(left.expression, right.expression, .decimal)) }

    /// Decimals are not divided.
    @available(
        *, unavailable, message: "a quotient of decimals may have digits without end: divide what is read in Swift"
    )
    public static func / <Other: ArithmeticValue>(left: Path, right: Path<M, Other>) -> Path<M, Decimal?> {
        Path<M, Decimal?>("NULL")
    }
}

extension Path where Value == Decimal {
    /// The average: the exact sum divided by the count, with ten digits more than the numbers have.
    public func average() -> Path<M, Decimal?> { Path<M, Decimal?>(.aggregate("sluice_average", expression)) }
}

extension Path where Value == Decimal? {
    /// The average of those that have a value: the exact sum divided by the count, with ten digits more than they have.
    public func average() -> Path<M, Decimal?> { Path<M, Decimal?>(.aggregate("sluice_average", expression)) }
}

extension ToManyPath {
    /// The average of what is computed of each: the exact sum divided by the count, with ten digits more than the numbers have; nil
    /// where there is nothing.
    public func average<Value: ArithmeticValue>(
        _ body: (Target.Paths) -> Path<Target, Value>
    ) -> Path<M, Decimal?> where Value.Number == Decimal {
        value { Path<Target, Decimal?>(.aggregate("sluice_average", body($0).expression)) }
    }
}

extension Decimal: TextDecodable {
    init?(jsonText text: String) {
        guard !text.isEmpty, text.utf8.allSatisfy({ (48...57).contains($0) || [43, 45, 46, 69, 101].contains($0) })
        else {
            return nil
        }
        self.init(exactly: text)
    }
}

extension Date: TextDecodable {
    init?(jsonText text: String) {
        let forms = [Date.ISO8601FormatStyle(), Date.ISO8601FormatStyle(includingFractionalSeconds: true)]
        guard let value = forms.lazy.compactMap({ try? $0.parse(text) }).first else { return nil }
        self = value
    }
}
