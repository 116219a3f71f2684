package import SluiceJSON
internal import SluiceMerge

extension MergeTree {
    /// A JSON value: an object is its members, anything else is taken as a whole.
    ///
    /// Of several members with one name the last counts.
    package init(_ value: JSONValue) {
        guard value.kind == .object else {
            self = .whole(MergeItem(value))
            return
        }
        var members: [Member] = []
        var places: [[UInt8]: Int] = [:]
        for read in value.members {
            let member = Member(name: read.nameBytes, value: MergeTree(read.value))
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
                JSONWriter.append(utf8: member.name, to: &bytes)
                bytes.append(UInt8(ascii: ":"))
                member.value.appendJSON(to: &bytes)
            }
            bytes.append(UInt8(ascii: "}"))
        }
    }
}

extension MergeItem {
    /// A JSON value, whatever the order of its members and the spelling of its numbers.
    package init(_ value: JSONValue) { self.init(canonical: value.canonicalJSON, text: value.json) }
}
