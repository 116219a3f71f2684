internal import SluiceJSON
internal import SluiceModel

/// Texts by their names, as JSON that runs leave for one another.
package struct TextMembers {
    private let members: [(name: String, text: String?)]

    /// - Parameter members: The texts; those that are nil are left out.
    package init(_ members: [(name: String, text: String?)]) { self.members = members }

    /// Reads what ``json`` wrote; nil where it is something else.
    package init?(_ json: some Sequence<UInt8>) {
        let parser = JSONParser()
        // The elements read the parser's memory.
        defer { withExtendedLifetime(parser) {} }
        guard let root = try? unsafe parser.parse(Array(json)), root.kind == .object else { return nil }
        var members: [(String, String?)] = []
        var cursor = root.members()
        while cursor.next() { members.append((cursor.name, cursor.value.string)) }
        self.init(members)
    }

    /// A text, nil where there is none.
    package subscript(name: String) -> String? { members.first { $0.name == name }?.text }

    package var json: String {
        let texts = members.compactMap { name, text in
            text.map { "\(FieldJSON.quoted(name)):\(FieldJSON.quoted($0))" }
        }
        return "{" + texts.joined(separator: ",") + "}"
    }
}
