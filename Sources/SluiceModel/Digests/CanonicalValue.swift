package import SluiceJSON

/// Digests of values in the canonical form of their type: a change of representation is not a change.
///
/// Decoding and comparing use the same ones, so that a value which was stored equals the value that is read back.
package final class CanonicalValue {
    // Most who ask about one value need none.
    private lazy var parser = JSONParser()
    private let integers = IntegerSetText()

    /// Makes a reader of values.
    package init() {}

    /// The digest of a decimal by value: 1.50, 1.5 and 15e-1 are one.
    package static func decimalDigest(_ token: UnsafeRawBufferPointer) -> UInt64 {
        var normalised: [UInt8] = []
        unsafe DecimalText.appendNormalized(token, to: &normalised)
        return FieldDigest.text(normalised)
    }

    /// The one form of a text of a type, which is the same for all texts that compare as equal.
    ///
    /// - Parameters:
    ///   - text: The value as it is stored.
    ///   - type: The type of its field.
    ///   - comparison: What makes two of its values equal.
    /// - Returns: The form.
    package func form(of text: ArraySlice<UInt8>, type: FieldType, comparison: FieldComparison) -> [UInt8] {
        switch type {
        case .decimal:
            var form: [UInt8] = []
            let isNumber = unsafe text.withUnsafeBytes { unsafe DecimalText.appendNormalized($0, to: &form) }
            return isNumber ? form : Array(text)
        case .json:
            guard let element = try? unsafe parser.parse(Array(text)) else { return Array(text) }
            return comparison == .set ? Self.canonicalSet(element) : Self.canonicalJSON(element)
        default:
            guard comparison == .ignoringCase else { return Array(text) }
            return unsafe text.withUnsafeBytes { unsafe CaseFolding.folded($0) }
        }
    }

    private static func canonicalSet(_ element: JSONElement) -> [UInt8] {
        guard element.kind == .array else { return canonicalJSON(element) }
        return Array(Set(elements(of: element)).sorted { $0.lexicographicallyPrecedes($1) }.joined(separator: [0x0A]))
    }

    private static func elements(of array: JSONElement) -> [[UInt8]] {
        var elements: [[UInt8]] = []
        var cursor = array.elements()
        while cursor.next() { elements.append(canonicalJSON(cursor.value)) }
        return elements
    }

    /// The digest of JSON, whatever the order of its members and the spelling of its numbers.
    package static func jsonDigest(_ element: JSONElement, comparison: FieldComparison) -> UInt64 {
        if comparison == .set, element.kind == .array {
            return FieldDigest.set(elements(of: element))
        }
        return FieldDigest.text(canonicalJSON(element))
    }

    /// The one text of JSON, whatever the order of its members and the spelling of its numbers.
    package static func canonicalJSON(_ element: JSONElement) -> [UInt8] {
        var canonical: [UInt8] = []
        JSONWriter.appendCanonical(element, to: &canonical)
        return canonical
    }

    /// Whether a value is one of a type as stores keep them: what people wrote, and what a source said before its field
    /// changed the type, may be none. Which values an `enum` has is another question, see `RecordSchema.Field.canHold`.
    ///
    /// - Parameters:
    ///   - value: The value as it is stored.
    ///   - type: The type.
    /// - Returns: True for null, which all types have.
    package func isValid(_ value: FieldValue, type: FieldType) -> Bool {
        validDigest(of: value, type: type, comparison: .exact) != nil
    }

    /// Whether a text is a value of a type in the spelling in which this program writes it, of which people and other types may
    /// have more: `1000` for the decimal `1e3`.
    package func isPlain(_ text: [UInt8], type: FieldType) -> Bool {
        switch type {
        case .datetime: unsafe text.withUnsafeBytes { unsafe Timestamp.isCanonical($0) }
        case .uuid: unsafe text.withUnsafeBytes { unsafe UUIDForm.isCanonical($0) }
        case .decimal: !text.contains { $0 | 0x20 == UInt8(ascii: "e") } && isValid(.text(text), type: type)
        case .json: (try? JSONDocument(text).root.json) == text
        default: isValid(.text(text), type: type)
        }
    }

    /// The digest of a value that a store holds.
    ///
    /// A value that is not valid in the declared type gets a digest that no decoded value has.
    package func digest(of value: FieldValue, type: FieldType, comparison: FieldComparison) -> UInt64 {
        if let digest = validDigest(of: value, type: type, comparison: comparison) { return digest }
        return switch value {
        case .null: FieldDigest.null
        case .integer(let value): Self.invalid(FieldDigest.integer(value))
        case .real(let value): Self.invalid(FieldDigest.real(value))
        case .text(let text): Self.invalid(FieldDigest.text(text))
        case .blob(let blob): Self.invalid(unsafe blob.withUnsafeBytes { unsafe FieldDigest.blob($0) })
        }
    }

    /// The digest of a value; nil where it is not valid in the declared type.
    private func validDigest(of value: FieldValue, type: FieldType, comparison: FieldComparison) -> UInt64? {
        switch value {
        case .null: FieldDigest.null
        case .integer(let value): validDigest(of: value, type: type)
        case .real(let value): validDigest(of: value, type: type)
        case .text(let text):
            unsafe text.withUnsafeBytes { unsafe validDigest(ofText: $0, type: type, comparison: comparison) }
        case .blob(let blob): unsafe blob.withUnsafeBytes { unsafe validDigest(ofBlob: $0, type: type) }
        }
    }

    /// The digest of a value of a row.
    ///
    /// - Parameters:
    ///   - cell: The value.
    ///   - bytes: The bytes that the cell points into.
    ///   - type: The type of its field.
    ///   - comparison: What makes two of its values equal.
    /// - Returns: The same digest as of a copy of the value.
    @unsafe
    package func digest(
        of cell: Cell, in bytes: UnsafeRawBufferPointer, type: FieldType, comparison: FieldComparison
    ) -> UInt64 {
        switch cell.kind {
        case .absent, .null: FieldDigest.null
        case .integer: digest(of: cell.payload, type: type)
        case .real: digest(of: Double(bitPattern: UInt64(bitPattern: cell.payload)), type: type)
        case .text:
            unsafe digest(
                ofText: UnsafeRawBufferPointer(rebasing: bytes[cell.slice]), type: type, comparison: comparison)
        case .blob: unsafe digest(ofBlob: UnsafeRawBufferPointer(rebasing: bytes[cell.slice]), type: type)
        }
    }

    // MARK: By what is stored

    /// The digest of an integer that a store holds.
    func digest(of value: Int64, type: FieldType) -> UInt64 {
        validDigest(of: value, type: type) ?? Self.invalid(FieldDigest.integer(value))
    }

    /// The digest of a double that a store holds.
    func digest(of value: Double, type: FieldType) -> UInt64 {
        validDigest(of: value, type: type) ?? Self.invalid(FieldDigest.real(value))
    }

    /// The digest of a blob that a store holds.
    func digest(ofBlob blob: UnsafeRawBufferPointer, type: FieldType) -> UInt64 {
        unsafe validDigest(ofBlob: blob, type: type) ?? Self.invalid(FieldDigest.blob(blob))
    }

    /// The digest of a text that a store holds.
    func digest(ofText text: UnsafeRawBufferPointer, type: FieldType, comparison: FieldComparison) -> UInt64 {
        unsafe validDigest(ofText: text, type: type, comparison: comparison) ?? Self.invalid(FieldDigest.text(text))
    }

    // MARK: By what is stored, nil where that is not valid in its type

    private func validDigest(of value: Int64, type: FieldType) -> UInt64? {
        switch type {
        case .int: return FieldDigest.integer(value)
        case .bool: return value == 0 || value == 1 ? FieldDigest.integer(value) : nil
        case .double: return Double(exactly: value).map(FieldDigest.real)
        case .decimal:
            let text = Array(String(value).utf8)
            return unsafe text.withUnsafeBytes { unsafe decimal($0) }
        default: return nil
        }
    }

    private func validDigest(of value: Double, type: FieldType) -> UInt64? {
        type == .double ? FieldDigest.real(value) : nil
    }

    private func validDigest(ofBlob blob: UnsafeRawBufferPointer, type: FieldType) -> UInt64? {
        type == .bytes ? unsafe FieldDigest.blob(blob) : nil
    }

    private func validDigest(
        ofText text: UnsafeRawBufferPointer, type: FieldType, comparison: FieldComparison
    ) -> UInt64? {
        switch type {
        case .string, .url, .enumeration:
            unsafe comparison == .ignoringCase ? FieldDigest.ignoringCase(text) : FieldDigest.text(text)
        case .decimal: unsafe decimal(text)
        case .json: unsafe json(text, comparison)
        case .uuid: unsafe uuid(text)
        case .date: unsafe Timestamp(date: text) == nil ? nil : FieldDigest.text(text)
        case .datetime: unsafe moment(text)
        case .int, .bool, .double, .bytes: nil
        }
    }

    // MARK: Texts. What is written as this program writes it is taken as it is.

    private func decimal(_ text: UnsafeRawBufferPointer) -> UInt64? {
        if unsafe Self.isPlainDecimal(text) { return unsafe FieldDigest.text(text) }
        return unsafe ExactNumber(text) == nil ? nil : Self.decimalDigest(text)
    }

    /// Whether a text is a number in its one form, as far as that shows at once: `12`, `-0.5`, `9.25`.
    private static func isPlainDecimal(_ text: UnsafeRawBufferPointer) -> Bool {
        guard let first = unsafe text.first, let last = unsafe text.last, text.count <= 40 else { return false }
        let start = first == UInt8(ascii: "-") ? 1 : 0
        let isZero = unsafe start < text.count && text[start] == UInt8(ascii: "0")
        // One zero alone or before the point, and none at the end behind it.
        if isZero && text.count == 1 { return true }
        var point: Int?
        for index in start..<text.count {
            let byte = unsafe text[index]
            if byte == UInt8(ascii: ".") {
                if point != nil || index == start { return false }
                point = index
            } else if byte < UInt8(ascii: "0") || byte > UInt8(ascii: "9") {
                return false
            }
        }
        guard let point else { return start < text.count && !isZero }
        return last > UInt8(ascii: "0") && (!isZero || point == start + 1)
    }

    private func uuid(_ text: UnsafeRawBufferPointer) -> UInt64? {
        if unsafe UUIDForm.isCanonical(text) { return unsafe FieldDigest.text(text) }
        var canonical: [UInt8] = []
        return unsafe UUIDForm.append(text, to: &canonical) ? FieldDigest.text(canonical) : nil
    }

    private func moment(_ text: UnsafeRawBufferPointer) -> UInt64? {
        if unsafe Timestamp.isCanonical(text) { return unsafe FieldDigest.text(text) }
        guard let moment = unsafe Timestamp(rfc3339: text) else { return nil }
        var canonical: [UInt8] = []
        moment.appendRFC3339(to: &canonical)
        return FieldDigest.text(canonical)
    }

    private func json(_ text: UnsafeRawBufferPointer, _ comparison: FieldComparison) -> UInt64? {
        if comparison == .set, let digest = unsafe integers.digest(ofSet: text) { return digest }
        guard let element = try? unsafe parser.parse(text) else { return nil }
        return element.isNull ? FieldDigest.null : Self.jsonDigest(element, comparison: comparison)
    }

    /// The digest of a value that its type does not allow, of the one that it has for itself.
    package static func invalid(_ digest: UInt64) -> UInt64 {
        FieldDigest.contribution(of: digest, nameDigest: 0x1A7A_11D0_0000_0001)
    }
}
