internal import SluiceJSON
internal import SluiceModel

/// JSON with a line for each member, and which lines are about one place.
struct MarkedJSON {
    struct Line {
        let text: String
        let isMarked: Bool
    }

    private(set) var lines: [Line] = []
    private var pointer: String

    /// - Parameters:
    ///   - json: The text; where it is no JSON, its lines are as they are.
    ///   - pointer: The JSON pointer of the place, empty for the whole.
    init(_ json: [UInt8], pointer: String) {
        self.pointer = pointer
        guard let root = (try? JSONDocument(json))?.root else {
            lines = String(decoding: json, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
                .map { Line(text: String($0), isMarked: false) }
            return
        }
        add(root, name: nil, at: "", depth: 0, end: "")
        // A place that is missing is marked where it would be: at the object around it.
        if !pointer.isEmpty, !lines.contains(where: \.isMarked), let slash = pointer.lastIndex(of: "/") {
            let around = MarkedJSON(json, pointer: String(pointer[..<slash]))
            (lines, self.pointer) = (around.lines, around.pointer)
        }
    }

    private mutating func add(_ value: JSONValue, name: String?, at place: String, depth: Int, end: String) {
        let margin = String(repeating: " ", count: min(depth, 40) * 2)
        let label = name.map { FieldJSON.quoted($0) + ": " } ?? ""
        let isMarked = !pointer.isEmpty && (place == pointer || place.hasPrefix(pointer + "/"))
        func line(_ text: String) { lines.append(Line(text: margin + text, isMarked: isMarked)) }
        switch value.kind {
        case .object where !value.members.isEmpty:
            line(label + "{")
            let members = value.members
            for (index, member) in members.enumerated() {
                add(
                    member.value, name: member.name, at: "\(place)/\(Self.escaped(member.name))", depth: depth + 1,
                    end: index + 1 < members.count ? "," : "")
            }
            line("}" + end)
        case .array where value.count > 0:
            line(label + "[")
            let elements = value.elements
            for (index, element) in elements.enumerated() {
                add(
                    element, name: nil, at: "\(place)/\(index)", depth: depth + 1,
                    end: index + 1 < elements.count ? "," : "")
            }
            line("]" + end)
        default: line(label + String(decoding: value.json, as: UTF8.self) + end)
        }
    }

    private static func escaped(_ name: String) -> String {
        name.replacing("~", with: "~0").replacing("/", with: "~1")
    }
}
