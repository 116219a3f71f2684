package import SluiceJSON
package import SluiceModel
package import SluicePipeline
package import SluiceReport

/// Turns the JSON value of one field into a stored value and its digest. Nothing is lost, or it is a mismatch.
///
/// Shared, so that no value counts references to what is in it.
package final class ValueConverter: Sendable {
    package let type: FieldType
    package let comparison: FieldComparison
    /// Whether the value identifies a record, so that its spelling must not matter.
    private let isKey: Bool
    private let formats: [TimeFormat]
    /// Whether a text that is written as this program writes times can be kept as it is.
    private let isRFC3339: Bool
    private let defaultOffset: Int?
    /// What `format` says, for messages; nil where it says nothing.
    private let formatsText: String?
    private let allowed: Set<[UInt8]>
    private let allowedText: String
    /// Whether what is wrong with a value may be said with the value.
    private let showsValues: Bool
    /// Whether a value of another JSON type is a mismatch even where it could be converted.
    private let isStrict: Bool
    /// Whether all values are texts, as in rows of cells.
    private let readsTexts: Bool

    package init(
        _ field: FieldDefinition, isKey: Bool = false, showsValues: Bool = true, isStrict: Bool = false,
        readsTexts: Bool = false
    ) {
        type = field.type
        comparison = field.comparison
        self.isKey = isKey
        formats = TimeFormat.named(field.formats, forDays: field.type == .date)
        isRFC3339 = formats.contains(.rfc3339)
        formatsText =
            field.formats.isEmpty ? nil : "`format` says: " + field.formats.map { "`\($0)`" }.joined(separator: " or ")
        defaultOffset = field.timezone.flatMap { Timestamp.offset($0) }
        allowed = Set(field.values.map { Array($0.utf8) })
        // In quotes: a value may have a comma.
        allowedText = field.values.map { FieldJSON.quoted($0) }.joined(separator: ", ")
        self.showsValues = showsValues
        self.isStrict = isStrict && !readsTexts
        self.readsTexts = readsTexts
    }

    /// A converter without format or values, for what a pipeline states itself and what a store holds.
    package init(type: FieldType, isKey: Bool = false) {
        self.type = type
        comparison = .exact
        self.isKey = isKey
        formats = [type == .date ? .date : .rfc3339]
        isRFC3339 = type != .date
        (defaultOffset, formatsText) = (nil, nil)
        allowed = []
        allowedText = ""
        showsValues = true
        isStrict = false
        readsTexts = false
    }

    /// The same for values as a store keeps them, which no longer have the source's formats.
    package var ofStoredValues: ValueConverter { ValueConverter(self) }

    private init(_ other: ValueConverter) {
        type = other.type
        comparison = other.comparison
        isKey = other.isKey
        formats = [type == .date ? .date : .rfc3339]
        isRFC3339 = type != .date
        (defaultOffset, formatsText) = (nil, nil)
        allowed = other.allowed
        allowedText = other.allowedText
        showsValues = other.showsValues
        isStrict = false
        readsTexts = false
    }

    /// Converts one value that is not null and stands alone.
    ///
    /// - Parameter element: The value.
    /// - Returns: It with the digest of the canonical form.
    /// - Throws: ``Mismatch``.
    package func value(of element: JSONElement) throws(Mismatch) -> (value: FieldValue, digest: UInt64) {
        var batch = RecordBatch(fieldCount: 1)
        let (cell, digest) = try convert(element, into: &batch.bytes)
        batch.cells = [cell]
        return (batch.value(record: 0, field: 0) ?? .null, digest)
    }

    /// Converts one value of a document, see ``value(of:)-(JSONElement)``.
    ///
    /// - Parameter value: The value, which is not null.
    /// - Returns: It with the digest of the canonical form.
    /// - Throws: ``Mismatch``.
    package func value(of value: JSONValue) throws(Mismatch) -> (value: FieldValue, digest: UInt64) {
        try unsafe value.withElement { (element) throws(Mismatch) in try self.value(of: element) }
    }

    /// Converts a value that is not null.
    ///
    /// - Parameters:
    ///   - element: The value.
    ///   - bytes: Where text and blobs are appended.
    /// - Returns: The cell, which points into `bytes`, and the digest of the canonical form.
    /// - Throws: ``Mismatch``.
    @inline(__always)
    package func convert(_ element: JSONElement, into bytes: inout [UInt8]) throws(Mismatch) -> (Cell, UInt64) {
        switch (type, element.kind) {
        case (.int, .integer): return integer(element.integer)
        case (.string, .string): return unsafe text(element.utf8, into: &bytes)
        case (.bool, .bool): return integer(element.boolean ? 1 : 0)
        case (.datetime, .string) where isRFC3339:
            let source = unsafe element.utf8
            if unsafe Timestamp.isCanonical(source) { return unsafe text(source, into: &bytes) }
            return try convertSlowly(element, into: &bytes)
        default: return try convertSlowly(element, into: &bytes)
        }
    }

    /// Converts an integer that stands as in JSON, of no more than 18 digits, without parsing it.
    ///
    /// - Parameter token: The bytes of one value.
    /// - Returns: The cell and the digest, as ``convert(_:into:)`` gives them; nil where it takes more to tell.
    package func convert(plainInteger token: UnsafeRawBufferPointer) -> (Cell, UInt64)? {
        guard type == .int, let first = unsafe token.first, token.count <= 18 else { return nil }
        if first == UInt8(ascii: "0") { return token.count == 1 ? integer(0) : nil }
        var value: Int64 = 0
        for index in 0..<token.count {
            let digit = unsafe token[index] &- UInt8(ascii: "0")
            if digit > 9 { return nil }
            value = value &* 10 &+ Int64(digit)
        }
        return integer(value)
    }

    private func convertSlowly(_ element: JSONElement, into bytes: inout [UInt8]) throws(Mismatch) -> (Cell, UInt64) {
        if type == .json { return json(element, into: &bytes) }
        if isStrict, !isNative(element.kind) { throw foreign(element) }
        return try convertText(element, into: &bytes)
    }

    /// Converts a value whatever its JSON type, as for a name, which can be nothing but text.
    func convertText(_ element: JSONElement, into bytes: inout [UInt8]) throws(Mismatch) -> (Cell, UInt64) {
        switch element.kind {
        case .integer, .number: return try unsafe number(element.token, into: &bytes)
        case .string: return try unsafe string(element.utf8, into: &bytes)
        case .null, .bool, .array, .object: throw mismatch(Found(words: element.kind.description, plain: nil))
        }
    }

    /// Whether values of the type are written so in JSON. Decimals are, as numbers and as text.
    private func isNative(_ kind: JSONKind) -> Bool {
        let isNumber = kind == .integer || kind == .number
        switch type {
        case .int: return kind == .integer
        case .double: return isNumber
        case .decimal: return isNumber || kind == .string
        case .bool: return kind == .bool
        case .json: return true
        case .string, .uuid, .url, .enumeration, .bytes: return kind == .string
        case .date, .datetime:
            return formats.contains { ($0 == .unix || $0 == .unixMilliseconds) ? isNumber : kind == .string }
        }
    }

    private func foreign(_ element: JSONElement) -> Mismatch {
        let found =
            switch element.kind {
            case .integer, .number: unsafe foundNumber(element.token)
            case .string: unsafe foundText(element.utf8)
            case .null, .bool, .array, .object: Found(words: element.kind.description, plain: nil)
            }
        return found.mismatch { found in
            "Expected a JSON value of the type `\(type.rawValue)`, found \(found), and nothing is converted."
        }
    }

    // MARK: By kind of JSON

    private func number(_ token: UnsafeRawBufferPointer, into bytes: inout [UInt8]) throws(Mismatch) -> (Cell, UInt64) {
        switch type {
        case .int:
            return try unsafe integer(token, found: foundNumber(token))
        case .double: return try unsafe double(token)
        case .decimal: return unsafe decimal(token, into: &bytes)
        case .string: return unsafe text(token, into: &bytes)
        case .enumeration: return try unsafe enumerated(token, into: &bytes)
        case .date, .datetime:
            for format in formats {
                let offset = type == .date ? 0 : defaultOffset
                guard let moment = unsafe format.timestamp(number: token, defaultOffset: offset) else { continue }
                return try unsafe self.moment(token, moment, format, into: &bytes)
            }
            throw unsafe mismatch(foundNumber(token))
        case .uuid, .url, .bool, .bytes, .json: throw unsafe mismatch(foundNumber(token))
        }
    }

    private func string(_ source: UnsafeRawBufferPointer, into bytes: inout [UInt8]) throws(Mismatch) -> (Cell, UInt64)
    {
        switch type {
        case .int:
            return try unsafe integer(source, found: foundText(source))
        case .double:
            guard unsafe ExactNumber(source) != nil else { throw unsafe mismatch(foundText(source)) }
            return try unsafe double(source)
        case .decimal:
            guard unsafe ExactNumber(source) != nil else { throw unsafe mismatch(foundText(source)) }
            return unsafe decimal(source, into: &bytes)
        case .string: return unsafe text(source, into: &bytes)
        case .enumeration: return try unsafe enumerated(source, into: &bytes)
        case .uuid: return try unsafe uuid(source, into: &bytes)
        case .url:
            guard unsafe AbsoluteURI.isValid(source) else { throw unsafe mismatch(foundText(source)) }
            return unsafe text(source, into: &bytes)
        case .date, .datetime:
            for format in formats {
                // A day is the one that is written, in whatever offset.
                let found = unsafe format.timestamp(
                    text: source, defaultOffset: type == .date ? 0 : defaultOffset, isLocal: type == .date)
                let number = unsafe readsTexts && found == nil && ExactNumber(source) != nil
                guard let moment = unsafe number ? format.timestamp(number: source) : found else { continue }
                return try unsafe self.moment(source, moment, format, into: &bytes)
            }
            throw unsafe mismatch(Found(words: quoted(source), plain: "a text that is none"))
        case .bytes: return try unsafe base64(source, into: &bytes)
        case .bool:
            guard readsTexts, let truth = unsafe RowCell.truth(source) else {
                throw unsafe mismatch(foundText(source))
            }
            return integer(truth ? 1 : 0)
        case .json: throw unsafe mismatch(foundText(source))
        }
    }

    // MARK: By type

    private func integer(
        _ token: UnsafeRawBufferPointer, found: @autoclosure () -> Found
    ) throws(Mismatch) -> (Cell, UInt64) {
        let number = unsafe ExactNumber(token)
        if let value = number?.integer { return integer(value) }
        let mismatch = mismatch(found())
        guard let number, number.isWhole else { throw mismatch }
        let remedy = "It is larger; use `decimal` or `string`."
        throw Mismatch(
            reason: mismatch.reason, message: "\(mismatch.message) \(remedy)",
            plain: mismatch.plain.map { "\($0) \(remedy)" })
    }

    private func integer(_ value: Int64) -> (Cell, UInt64) {
        (Cell(kind: .integer, payload: value), FieldDigest.integer(value))
    }

    private func double(_ token: UnsafeRawBufferPointer) throws(Mismatch) -> (Cell, UInt64) {
        guard let exact = unsafe ExactNumber(token), let value = unsafe Double(String(decoding: token, as: UTF8.self))
        else { throw unsafe mismatch(foundNumber(token)) }
        if let problem = unsafe exact.problem(asDouble: value, called: excerpt(token)) {
            throw Mismatch(
                reason: .typeMismatch, message: problem, plain: exact.problem(asDouble: value, called: "The number"))
        }
        return (Cell(kind: .real, payload: Int64(bitPattern: value.bitPattern)), FieldDigest.real(value))
    }

    private func decimal(_ token: UnsafeRawBufferPointer, into bytes: inout [UInt8]) -> (Cell, UInt64) {
        let start = bytes.count
        // Digits stay as they were written, 9.50 too; what nobody writes by hand is written out.
        if unsafe isKey || Self.isUnusual(token) {
            unsafe DecimalText.appendNormalized(token, to: &bytes)
        } else {
            unsafe bytes.append(contentsOf: token)
        }
        return unsafe (textCell(from: start, bytes), CanonicalValue.decimalDigest(token))
    }

    /// Whether a number has an exponent or is less than zero by its sign alone.
    private static func isUnusual(_ token: UnsafeRawBufferPointer) -> Bool {
        unsafe token.contains { $0 | 0x20 == UInt8(ascii: "e") }
            || token.first == UInt8(ascii: "-") && ExactNumber(token)?.isZero == true
    }

    private func json(_ element: JSONElement, into bytes: inout [UInt8]) -> (Cell, UInt64) {
        let start = bytes.count
        JSONWriter.append(element, to: &bytes)
        return (textCell(from: start, bytes), CanonicalValue.jsonDigest(element, comparison: comparison))
    }

    @inline(__always)
    private func text(_ source: UnsafeRawBufferPointer, into bytes: inout [UInt8]) -> (Cell, UInt64) {
        let start = bytes.count
        unsafe bytes.append(contentsOf: source)
        let digest =
            unsafe comparison == .ignoringCase ? FieldDigest.ignoringCase(source) : FieldDigest.text(source)
        return (textCell(from: start, bytes), digest)
    }

    private func enumerated(_ source: UnsafeRawBufferPointer, into bytes: inout [UInt8]) throws(Mismatch) -> (
        Cell, UInt64
    ) {
        guard unsafe allowed.isEmpty || allowed.contains(Array(source)) else {
            throw unsafe Mismatch(
                reason: .notAllowed, message: "Expected one of \(allowedText), found \(quoted(source)).",
                plain: "Expected one of \(allowedText), found a text that is none.")
        }
        return unsafe text(source, into: &bytes)
    }

    private func uuid(_ source: UnsafeRawBufferPointer, into bytes: inout [UInt8]) throws(Mismatch) -> (Cell, UInt64) {
        let start = bytes.count
        guard unsafe UUIDForm.append(source, to: &bytes) else { throw unsafe mismatch(foundText(source)) }
        return digested(from: start, bytes)
    }

    private func moment(
        _ source: UnsafeRawBufferPointer, _ moment: Timestamp, _ format: TimeFormat, into bytes: inout [UInt8]
    ) throws(Mismatch) -> (Cell, UInt64) {
        guard type == .datetime || format.isDay(moment) else {
            throw unsafe mismatch(Found(words: quoted(source), plain: "a text that is none"))
        }
        let start = bytes.count
        if type == .date { moment.appendDate(to: &bytes) } else { moment.appendRFC3339(to: &bytes) }
        return digested(from: start, bytes)
    }

    private func base64(_ source: UnsafeRawBufferPointer, into bytes: inout [UInt8]) throws(Mismatch) -> (Cell, UInt64)
    {
        let start = bytes.count
        guard unsafe Base64.decode(source, into: &bytes) else {
            bytes.removeLast(bytes.count - start)
            throw unsafe mismatch(foundText(source))
        }
        let length = UInt32(truncatingIfNeeded: bytes.count - start)
        let digest = unsafe bytes.withUnsafeBytes { all in
            unsafe FieldDigest.blob(UnsafeRawBufferPointer(rebasing: all[start...]))
        }
        return (Cell(kind: .blob, payload: Int64(start), length: length), digest)
    }

    // MARK: Shared

    @inline(__always)
    private func textCell(from start: Int, _ bytes: [UInt8]) -> Cell {
        Cell(kind: .text, payload: Int64(start), length: UInt32(truncatingIfNeeded: bytes.count &- start))
    }

    private func digested(from start: Int, _ bytes: [UInt8]) -> (Cell, UInt64) {
        let digest = unsafe bytes.withUnsafeBytes { all in
            unsafe FieldDigest.text(UnsafeRawBufferPointer(rebasing: all[start...]))
        }
        return (textCell(from: start, bytes), digest)
    }

    /// What was found in the place of what was expected.
    private struct Found {
        /// What it is, with the value.
        let words: String
        /// What it is, without the value; nil where the words have none.
        let plain: String?

        func mismatch(_ message: (String) -> String) -> Mismatch {
            Mismatch(reason: .typeMismatch, message: message(words), plain: plain.map(message))
        }
    }

    private func foundNumber(_ token: UnsafeRawBufferPointer) -> Found {
        unsafe Found(words: "the number \(excerpt(token))", plain: "a number that is none")
    }

    private func foundText(_ source: UnsafeRawBufferPointer) -> Found {
        unsafe Found(words: "the text \(quoted(source))", plain: "a text that is none")
    }

    private func mismatch(_ found: Found) -> Mismatch {
        found.mismatch { "Expected \(expectation), found \($0)." }
    }

    private var expectation: String {
        switch type {
        case .string: "text or a number"
        case .uuid: "a UUID such as 9b2f1f6e-8c1e-4a3f-9f53-0a4f4e1f6c11"
        case .url: "an absolute URL such as https://example.com/a%20b"
        case .enumeration: "one of \(allowedText)"
        case .int: "a whole number of 64 bits"
        case .double: "a number"
        case .decimal: "a decimal number"
        case .bool: "true or false"
        case .date:
            formatsText.map { "a date as \($0)" } ?? "a date such as 2026-01-31 (`format` reads other spellings)"
        case .datetime:
            formatsText.map { "a time as \($0)" + (isRFC3339 || defaultOffset != nil ? "" : ", with its zone") }
                ?? "a time such as 2026-01-31T12:00:00Z or 2026-01-31T12:00:00+01:00 (`format` reads other spellings)"
        case .json: "any value"
        case .bytes: "base64 with its padding"
        }
    }

    private func excerpt(_ source: UnsafeRawBufferPointer) -> String {
        if !showsValues { return FieldRedaction.hidden }
        let text = unsafe String(decoding: source.prefix(60), as: UTF8.self)
        return source.count > 60 ? text + "…" : text
    }

    private func quoted(_ source: UnsafeRawBufferPointer) -> String { unsafe "\"\(excerpt(source))\"" }
}
