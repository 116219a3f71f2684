import SluiceJSON

/// A JSON value as a plain tree.
indirect enum ReferenceValue: Equatable {
    case null
    case bool(Bool)
    case number(String)
    case string([UInt8])
    case array([ReferenceValue])
    case object([Member])

    struct Member: Equatable {
        var name: [UInt8]
        var value: ReferenceValue
    }
}

extension ReferenceValue {
    /// Copies what an element says, through all of its accessors.
    init(_ element: JSONElement) {
        switch element.kind {
        case .null: self = .null
        case .bool: self = .bool(element.boolean)
        case .integer:
            let text = element.numberText ?? ""
            self = Int64(text) == element.integer ? .number(text) : .string(Array("\(text) is not its value".utf8))
        case .number: self = .number(element.numberText ?? "")
        case .string: self = .string(unsafe Array(element.utf8))
        case .array:
            var values: [ReferenceValue] = []
            var elements = element.elements()
            while elements.next() { values.append(ReferenceValue(elements.value)) }
            self = values.count == element.count ? .array(values) : .null
        case .object:
            var values: [Member] = []
            var members = element.members()
            while members.next() {
                values.append(Member(name: unsafe Array(members.key), value: ReferenceValue(members.value)))
            }
            self = values.count == element.count ? .object(values) : .null
        }
    }
}
