internal import SluiceJSON
internal import SluiceMerge

/// Digests of values in the canonical form of their type: a change of representation is not a change.
///
/// Decoding and comparing use the same ones, so that a value which was stored equals the value that is read back.
final class CanonicalValue {
    private let parser = JSONParser()

    /// The digest of a decimal by value: 1.50, 1.5 and 15e-1 are one.
    static func decimalDigest(_ token: UnsafeRawBufferPointer) -> UInt64 {
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
    func form(of text: ArraySlice<UInt8>, type: FieldType, comparison: FieldComparison) -> [UInt8] {
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
    static func jsonDigest(_ element: JSONElement, comparison: FieldComparison) -> UInt64 {
        if comparison == .set, element.kind == .array {
            return FieldDigest.set(elements(of: element))
        }
        return FieldDigest.text(canonicalJSON(element))
    }

    /// The one text of JSON, whatever the order of its members and the spelling of its numbers.
    static func canonicalJSON(_ element: JSONElement) -> [UInt8] {
        var canonical: [UInt8] = []
        JSONWriter.appendCanonical(element, to: &canonical)
        return canonical
    }

    /// The digest of a value that a store holds.
    ///
    /// A value that is not valid in the declared type gets a digest that no decoded value has.
    func digest(of value: FieldValue, type: FieldType, comparison: FieldComparison) -> UInt64 {
        if value == .null { return FieldDigest.null }
        return validDigest(of: value, type: type, comparison: comparison) ?? invalidDigest(of: value)
    }

    private func validDigest(of value: FieldValue, type: FieldType, comparison: FieldComparison) -> UInt64? {
        switch (type, value) {
        case (.int, .integer(let value)): return FieldDigest.integer(value)
        case (.bool, .integer(let value)): return value == 0 || value == 1 ? FieldDigest.integer(value) : nil
        case (.double, .real(let value)): return FieldDigest.real(value)
        case (.double, .integer(let value)): return Double(exactly: value).map(FieldDigest.real)
        case (.string, .text(let bytes)), (.url, .text(let bytes)), (.enumeration, .text(let bytes)):
            return unsafe bytes.withUnsafeBytes { bytes in
                unsafe comparison == .ignoringCase ? FieldDigest.ignoringCase(bytes) : FieldDigest.text(bytes)
            }
        case (.bytes, .blob(let bytes)): return unsafe bytes.withUnsafeBytes { unsafe FieldDigest.blob($0) }
        case (.decimal, .text(let bytes)):
            return unsafe bytes.withUnsafeBytes { bytes in
                unsafe ExactNumber(bytes) == nil ? nil : Self.decimalDigest(bytes)
            }
        case (.decimal, .integer(let value)):
            return validDigest(of: FieldValue(String(value)), type: .decimal, comparison: comparison)
        case (.json, .text(let bytes)):
            guard let element = try? unsafe parser.parse(bytes) else { return nil }
            return element.isNull ? FieldDigest.null : Self.jsonDigest(element, comparison: comparison)
        case (.uuid, .text(let bytes)):
            var canonical: [UInt8] = []
            let isUUID = unsafe bytes.withUnsafeBytes { unsafe UUIDForm.append($0, to: &canonical) }
            return FieldDigest.text(isUUID ? canonical : bytes.map { $0 > 0x40 ? $0 | 0x20 : $0 })
        case (.date, .text(let bytes)):
            return unsafe bytes.withUnsafeBytes { unsafe Timestamp(date: $0) } == nil ? nil : FieldDigest.text(bytes)
        case (.datetime, .text(let bytes)):
            guard let moment = unsafe bytes.withUnsafeBytes({ unsafe Timestamp(rfc3339: $0) }) else { return nil }
            var canonical: [UInt8] = []
            moment.appendRFC3339(to: &canonical)
            return FieldDigest.text(canonical)
        default: return nil
        }
    }

    private func invalidDigest(of value: FieldValue) -> UInt64 {
        FieldDigest.contribution(of: KeyHash.valueHash(value), nameDigest: 0x1A7A_11D0_0000_0001)
    }
}
