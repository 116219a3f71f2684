internal import SluiceSwift

/// Edits of one model that need no judgement.
struct ModelEdits {
    let found: FoundModel
    init(_ found: FoundModel) { self.found = found }

    /// Gives an argument of an attribute of a property a value, and the property the attribute where it has none.
    ///
    /// - Parameters:
    ///   - label: The argument's label; nil for a trait.
    ///   - text: The value, as it is written.
    ///   - attribute: The attribute's name, without its sign.
    ///   - property: The property.
    /// - Returns: The edits.
    func set(
        _ label: String?, _ text: String, in attribute: String, of property: TypeDeclaration.Property
    ) -> [SourceEdit] {
        guard let written = property.attribute(attribute) else {
            let argument = label.map { "\($0): \(text)" } ?? text
            let start = property.range.lowerBound
            return [SourceEdit(range: start..<start, text: "@\(attribute)(\(argument)) ")]
        }
        return set(label, text, in: written)
    }

    /// Gives an argument of the model's attribute a value.
    func set(_ label: String, _ text: String) -> [SourceEdit] { found.attribute.map { set(label, text, in: $0) } ?? [] }

    /// Adds a group to `unique` of the model's attribute.
    func addUnique(_ names: [String]) -> [SourceEdit] {
        let group = "[\(names.map(SwiftLiteral.quoted).joined(separator: ", "))]"
        guard let old = found.attribute?.arguments.first(where: { $0.label == "unique" }) else {
            return set("unique", "[\(group)]")
        }
        // A list without comments, behind whose last group it goes.
        let list = Array(old.text.utf8)
        guard list.first == UInt8(ascii: "["), list.last == UInt8(ascii: "]"), !old.text.contains("/") else {
            return []
        }
        let blanks = list.dropLast().reversed().prefix { [0x20, 0x09, 0x0A, 0x0D].contains($0) }.count
        let place = old.range.upperBound - 1 - blanks
        let separator =
            switch list[list.count - 2 - blanks] {
            case UInt8(ascii: "["): ""
            case UInt8(ascii: ","): " "
            default: ", "
            }
        return [SourceEdit(range: place..<place, text: separator + group)]
    }

    private func set(_ label: String?, _ text: String, in written: TypeDeclaration.Attribute) -> [SourceEdit] {
        let argument = label.map { "\($0): \(text)" } ?? text
        if let label, let old = written.arguments.first(where: { $0.label == label }) {
            return [SourceEdit(range: old.range, text: text)]
        }
        guard let first = written.arguments.first, let last = written.arguments.last else {
            return [SourceEdit(range: written.range, text: "@\(written.name)(\(argument))")]
        }
        if label == nil { return [SourceEdit(range: first.start..<first.start, text: "\(text), ")] }
        // Arguments stand in the order of the macro's parameters.
        let order = Self.order[written.name] ?? []
        let place = order.firstIndex(of: label ?? "") ?? order.count
        let next = written.arguments.first { argument in
            argument.label.flatMap { order.firstIndex(of: $0) }.map { $0 > place } ?? false
        }
        if let next {
            return [SourceEdit(range: next.start..<next.start, text: "\(argument), ")]
        }
        return [SourceEdit(range: last.range.upperBound..<last.range.upperBound, text: ", \(argument)")]
    }

    private static let order: [String: [String]] = [
        "PersistentModel": [
            "entity", "table", "identifier", "renamedFrom", "tableRenamedFrom", "unique", "names", "unboxing",
            "onConflict", "owner", "newest", "history", "initializer", "counts",
        ],
        "Attribute": [
            "persistentName", "renamedFrom", "column", "json", "storageMethod", "decodeFailurePolicy", "owner",
            "onConflict",
            "compare", "keepBase", "onMissing", "onNull", "check",
        ],
        "Relationship": ["persistentName", "renamedFrom", "inverse", "deleteRule", "via", "json", "merge"],
    ]

    /// Makes the type of a property optional.
    func makeOptional(_ property: TypeDeclaration.Property) -> [SourceEdit] {
        guard let range = property.typeRange else { return [] }
        return [SourceEdit(range: range.upperBound..<range.upperBound, text: "?")]
    }

    /// Gives a property an initial value, where it has a plain literal or none.
    func setValue(_ value: String, of property: TypeDeclaration.Property) -> [SourceEdit] {
        if let range = property.valueRange {
            let old = property.initialValue ?? ""
            guard old == "nil" || SwiftLiteral.type(of: old) != nil else { return [] }
            return [SourceEdit(range: range, text: value)]
        }
        guard let range = property.typeRange, !property.isConstant else { return [] }
        return [SourceEdit(range: range.upperBound..<range.upperBound, text: " = \(value)")]
    }

    /// Adds what remembers the values that were read, behind the last property and like it.
    func addOrigin() -> [SourceEdit] {
        guard let last = found.declaration.storedProperties.last else { return [] }
        let end = last.range.upperBound
        let access = last.access.isEmpty ? "" : last.access + " "
        let start = last.range.lowerBound
        let line = found.source[..<start].lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
        let before = found.source[line..<start]
        let isOwnLine = before.allSatisfy { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
        let newline = found.source[..<line].suffix(2).elementsEqual("\r\n".utf8) ? "\r\n" : "\n"
        let separator = isOwnLine ? newline + String(decoding: before, as: UTF8.self) : "; "
        return [SourceEdit(range: end..<end, text: "\(separator)\(access)var origin = Origin()")]
    }
}

extension ModelFinding {
    /// Applies the edits of findings to a file. Of edits that meet at one place the first one is done; the others show
    /// themselves when the file is looked at again.
    ///
    /// - Returns: The text, and how many findings it mends.
    package static func apply(_ findings: [ModelFinding], to source: [UInt8]) -> (text: [UInt8], count: Int) {
        var taken: [SourceEdit] = []
        var count = 0
        for finding in findings where !finding.edits.isEmpty {
            let isFree = finding.edits.allSatisfy { edit in
                edit.range.upperBound <= source.count && taken.allSatisfy { !$0.meets(edit) }
            }
            guard isFree else { continue }
            taken += finding.edits
            count += 1
        }
        var result: [UInt8] = []
        var position = 0
        for edit in taken.sorted(by: { $0.range.lowerBound < $1.range.lowerBound }) {
            result += source[position..<edit.range.lowerBound]
            result += Array(edit.text.utf8)
            position = edit.range.upperBound
        }
        return (result + source[position...], count)
    }
}

extension SourceEdit {
    /// Whether two edits overlap, or insert at one place.
    fileprivate func meets(_ other: SourceEdit) -> Bool {
        range.lowerBound == other.range.lowerBound || range.overlaps(other.range)
            || range.contains(other.range.lowerBound) || other.range.contains(range.lowerBound)
    }
}
