package import SluiceJSON
internal import SluiceMerge
internal import SluiceModel

extension MergeTree {
    /// A JSON value: an object is its members, anything else is taken as a whole.
    ///
    /// Of several members with one name the last counts.
    package init(_ element: JSONElement) {
        guard element.kind == .object else {
            self = .whole(MergeItem(element))
            return
        }
        var members: [Member] = []
        var places: [[UInt8]: Int] = [:]
        var cursor = element.members()
        while cursor.next() {
            let member = unsafe Member(name: Array(cursor.key), value: MergeTree(cursor.value))
            if let known = places[member.name] {
                members[known] = member
            } else {
                places[member.name] = members.count
                members.append(member)
            }
        }
        self = .members(members)
    }

    /// Appends the value as JSON text.
    package func appendJSON(to bytes: inout [UInt8]) {
        switch self {
        case .whole(let item): bytes += item.text
        case .members(let members):
            bytes.append(UInt8(ascii: "{"))
            for (index, member) in members.enumerated() {
                if index > 0 { bytes.append(UInt8(ascii: ",")) }
                unsafe member.name.withUnsafeBytes { unsafe JSONWriter.append(utf8: $0, to: &bytes) }
                bytes.append(UInt8(ascii: ":"))
                member.value.appendJSON(to: &bytes)
            }
            bytes.append(UInt8(ascii: "}"))
        }
    }
}

extension MergeItem {
    /// A JSON value, whatever the order of its members and the spelling of its numbers.
    package init(_ element: JSONElement) {
        var text: [UInt8] = []
        JSONWriter.append(element, to: &text)
        self.init(canonical: CanonicalValue.canonicalJSON(element), text: text)
    }
}
