internal import SluiceJSON

/// The scalars of a page that stand around its records: what it says of itself and of other pages.
struct Envelope {
    enum Value: Equatable {
        case null
        case text(String)
        case integer(Int)
        case flag(Bool)
    }

    struct Member: Equatable {
        /// The names that lead to it from the root.
        let names: [String]
        let value: Value

        var name: String { names.last ?? "" }
        var words: [String] { NameWords.of(name) }
        var path: JSONPath { JSONPath(names: names) }
        /// The path as it is said.
        var text: String { names.joined(separator: ".") }
        var integer: Int? { if case .integer(let value) = value { value } else { nil } }
        var string: String? { if case .text(let value) = value { value } else { nil } }
        /// Whether it says that there is nothing: null or an empty text.
        var isNothing: Bool { value == .null || value == .text("") }
    }

    private static let maximumDepth = 4
    private static let maximumMembers = 300
    private static let longestText = 8192

    private(set) var members: [Member] = []

    /// An envelope with nothing in it.
    init() {}

    /// Looks around the records of a page.
    ///
    /// - Parameters:
    ///   - body: The page.
    ///   - records: Where the records are.
    init(_ body: PageBody, records: JSONPath?) {
        guard let records, let root = body.element(at: JSONPath(steps: [])), root.kind == .object else { return }
        var names: [String] = []
        for case .name(let name) in records.steps.prefix(while: { if case .name = $0 { true } else { false } }) {
            names.append(name)
        }
        walk(root, [], leavingOut: names)
        // The parser's memory belongs to the body.
        withExtendedLifetime(body) {}
    }

    private mutating func walk(_ object: JSONElement, _ names: [String], leavingOut records: [String]) {
        var cursor = object.members()
        while cursor.next(), members.count < Self.maximumMembers {
            let path = names + [cursor.name]
            if path == records { continue }
            let element = cursor.value
            switch element.kind {
            case .object: if path.count < Self.maximumDepth { walk(element, path, leavingOut: records) }
            case .null: members.append(Member(names: path, value: .null))
            case .bool: members.append(Member(names: path, value: .flag(element.boolean)))
            case .integer:
                if let value = Int(exactly: element.integer) {
                    members.append(Member(names: path, value: .integer(value)))
                }
            case .string:
                if let text = element.string, text.utf8.count <= Self.longestText {
                    members.append(Member(names: path, value: .text(text)))
                }
            case .number, .array: break
            }
        }
    }
}
