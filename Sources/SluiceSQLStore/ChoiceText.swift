internal import SluiceDiagnostics
internal import SluiceModel

/// The values of an `enum` as one word: `new,paid,on%20hold`.
enum ChoiceText {
    private static let empty = "%"

    /// The word; values are in the order of their bytes.
    static func text(_ values: Set<[UInt8]>) -> String {
        values.sorted { $0.lexicographicallyPrecedes($1) }.map(word).joined(separator: ",")
    }

    /// The values of a word; nil where it is none.
    static func values(_ text: String) -> Set<[UInt8]>? {
        var values: Set<[UInt8]> = []
        for word in text.split(separator: ",", omittingEmptySubsequences: false) {
            guard let value = value(Array(word.utf8)) else { return nil }
            values.insert(value)
        }
        return values
    }

    // MARK: For people

    /// Values as messages list them.
    static func list(_ values: Set<[UInt8]>) -> String {
        let texts = values.map { FieldJSON.text(.text($0), type: .string) }.sorted()
        return texts.prefix(5).map(TypeConversion.LostValues.short).joined(separator: ", ")
            + (texts.count > 5 ? " and \(texts.count - 5) more" : "")
    }

    /// What became of the values: `without "lost", with "returned"`.
    static func words(gone: Set<[UInt8]>, new: Set<[UInt8]>) -> String {
        [gone.isEmpty ? nil : "without \(list(gone))", new.isEmpty ? nil : "with \(list(new))"]
            .compactMap { $0 }.joined(separator: ", ")
    }

    // MARK: Words

    private static func word(_ value: [UInt8]) -> String {
        if value.isEmpty { return empty }
        // The store has digits in lower case.
        return PercentText.encoded(value, isUpperCase: false, keeping: isPlain)
    }

    private static func value(_ word: [UInt8]) -> [UInt8]? {
        if word == Array(empty.utf8) { return [] }
        guard let value = PercentText.bytes(word) else { return nil }
        return value.isEmpty ? nil : value
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."):
            true
        default: false
        }
    }
}

/// A type and, of an `enum`, its values, as the history keeps them: `int`, `enum new,paid`.
struct StoredType: Equatable {
    let type: FieldType
    /// The values of an `enum`; nil where they are not known, and of other types.
    let allowed: Set<[UInt8]>?

    /// That of a slot.
    init(_ slot: EntityRegistry.Slot) { (type, allowed) = (slot.type, slot.allowed) }

    /// That of a field.
    init(_ field: RecordSchema.Field) { (type, allowed) = (field.type, field.choices) }

    /// Reads what was kept; nil where it is none.
    init?(_ text: String) {
        let words = text.split(separator: " ", maxSplits: 1).map(String.init)
        guard let type = words.first.flatMap(FieldType.init(rawValue:)) else { return nil }
        self.type = type
        allowed = words.count > 1 ? ChoiceText.values(words[1]) : nil
    }

    /// What is kept.
    var text: String { type.rawValue + (allowed.map { " " + ChoiceText.text($0) } ?? "") }

    /// Whether a slot is of it; values that are not known make no difference.
    func isThat(of slot: EntityRegistry.Slot) -> Bool {
        guard slot.type == type else { return false }
        guard let allowed, let other = slot.allowed else { return true }
        return allowed == other
    }
}

extension RecordSchema.Field {
    /// The values that it may have, of an `enum` whose values are known.
    var choices: Set<[UInt8]>? { type == .enumeration && !allowed.isEmpty ? allowed : nil }
}
