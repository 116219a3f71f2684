internal import SluiceJSON

/// Texts by their names, as JSON that runs leave for one another.
package struct TextMembers {
    private let members: [(name: String, text: String?)]

    /// - Parameter members: The texts; those that are nil are left out.
    package init(_ members: [(name: String, text: String?)]) { self.members = members }

    /// Reads what ``json`` wrote; nil where it is something else.
    package init?(_ json: some Sequence<UInt8>) {
        guard let root = try? JSONDocument(Array(json)).root, root.kind == .object else { return nil }
        self.init(root.members.map { ($0.name, $0.value.string) })
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
