internal import SluiceDecode
internal import SluiceJSON
internal import SluiceModel
internal import SluicePipeline

/// The forms that texts have, of those that are types of their own.
struct TextForms: OptionSet {
    let rawValue: UInt16
    static let uuid = TextForms(rawValue: 1)
    static let date = TextForms(rawValue: 2)
    static let datetime = TextForms(rawValue: 4)
    static let url = TextForms(rawValue: 8)
    /// A decimal number with a fraction, which some sources put in quotes to keep its digits.
    static let fraction = TextForms(rawValue: 128)
    /// An address of mail.
    static let email = TextForms(rawValue: 256)
    /// Times that RFC 3339 does not know, each by the `format` that it is read by.
    private static let formats: [(form: TextForms, format: String)] = [
        // As ISO 8601 has it with an offset without a colon: Salesforce, Jira and others write it.
        (TextForms(rawValue: 16), "%Y-%m-%dT%H:%M:%S.%f%z"), (TextForms(rawValue: 32), "%Y-%m-%dT%H:%M:%S%z"),
        (TextForms(rawValue: 64), "rfc2822"),
    ]
    static let all: TextForms = formats.reduce([.uuid, .date, .datetime, .url, .fraction, .email]) { $0.union($1.form) }

    private static let converters: [(TextForms, ValueConverter)] =
        [
            (.uuid, ValueConverter(type: .uuid)), (.date, ValueConverter(type: .date)),
            (.datetime, ValueConverter(type: .datetime)), (.url, ValueConverter(type: .url)),
        ]
        + formats.map { form, format in
            (
                form,
                ValueConverter(
                    FieldDefinition(
                        name: "", column: "", origin: .path(JSONPath(names: [])), type: .datetime, format: format))
            )
        }
    private static let hostMark = Array("://".utf8)

    /// Those of these forms that one more text has.
    func kept(by element: JSONElement) -> TextForms {
        var found: TextForms = []
        var scratch: [UInt8] = []
        for (form, converter) in Self.converters where contains(form) {
            // The type takes any URI; in a source's texts only those with a host are likely to be meant as one.
            if form == .url, !Self.hasHost(element) { continue }
            // 32 digits without hyphens are rather a hash.
            if form == .uuid, element.string?.utf8.count == 32 { continue }
            if (try? converter.convert(element, into: &scratch)) != nil { found.insert(form) }
        }
        if contains(.fraction), element.string.map(Self.isFraction) == true { found.insert(.fraction) }
        if contains(.email), element.string.map(Self.isEmail) == true { found.insert(.email) }
        return found
    }

    /// A name, `@` and a host with a point, without blanks.
    private static func isEmail(_ text: String) -> Bool {
        let parts = text.utf8.split(separator: UInt8(ascii: "@"), omittingEmptySubsequences: false)
        guard parts.count == 2, !parts[0].isEmpty, text.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7F }) else {
            return false
        }
        let labels = parts[1].split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        return labels.count > 1 && labels.allSatisfy { !$0.isEmpty }
    }

    /// Digits, a point and digits, as in `-12.50`.
    private static func isFraction(_ text: String) -> Bool {
        let digits = text.utf8.drop { $0 == UInt8(ascii: "-") }
        if text.utf8.count - digits.count > 1 { return false }
        let parts = digits.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        return parts.count == 2
            && parts.allSatisfy { part in !part.isEmpty && part.allSatisfy { (0x30...0x39).contains($0) } }
    }

    /// The `format` of times whose texts have another form than RFC 3339; nil where they have none of those known.
    var timeFormat: String? { Self.formats.first { contains($0.form) }?.format }

    private static func hasHost(_ element: JSONElement) -> Bool {
        guard let text = element.string?.utf8, let colon = text.firstIndex(of: UInt8(ascii: ":")) else { return false }
        return text[colon...].starts(with: hostMark)
    }
}
