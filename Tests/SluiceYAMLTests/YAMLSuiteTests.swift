import Foundation
import SluiceYAML
import TestSupport
import Testing

/// The data form of the YAML test suite, where it stands beside the project.
///
/// libyaml does not pass all of it, so what is tested is our layer: of each text that is read and not refused, the
/// values are those of `in.json`.
@Suite struct YAMLSuiteTests {
    /// Texts whose events libyaml 0.2.5 itself gets wrong.
    static let differentInLibyaml = ["652Z", "DK95/01", "HM87/01", "JEF9/02", "L24T/01"]
    static let folder = Conformance.folder.map { $0 + "/yaml/data" }

    @Test(.enabled(if: folder != nil, "the YAML test suite is not beside the project"))
    func valuesAreThoseOfTheSuite() throws {
        let root = URL(filePath: try #require(Self.folder)).standardizedFileURL
        let files = try #require(FileManager.default.enumerator(at: root, includingPropertiesForKeys: nil))
        var counts = (equal: 0, refused: 0, unread: 0)
        var different: [String] = []
        for case let file as URL in files where file.lastPathComponent == "in.yaml" {
            let folder = file.deletingLastPathComponent()
            guard let json = try? Data(contentsOf: folder.appending(path: "in.json")),
                let expected = try? JSONSerialization.jsonObject(with: json, options: .fragmentsAllowed)
            else { continue }
            let document = YAMLDocument(reading: Array(try Data(contentsOf: file)))
            if document.problems.contains(where: { $0.code == .syntax || $0.code == .encoding }) {
                counts.unread += 1
            } else if !document.problems.isEmpty {
                counts.refused += 1
            } else if Self.text(of: document.root) == Self.text(ofJSON: expected) {
                counts.equal += 1
            } else {
                different.append(String(folder.path.dropFirst(root.path.count + 1)))
            }
        }
        print("YAML test suite: \(counts.equal) equal, \(counts.refused) refused, \(counts.unread) not read by libyaml")
        #expect(different.sorted() == Self.differentInLibyaml)
        #expect(counts.equal > 150)
    }

    private static func text(of node: YAMLNode?) -> String {
        switch node?.content {
        case nil: return "null"
        case .sequence(let elements): return "[" + elements.map { text(of: $0) }.joined(separator: ",") + "]"
        case .mapping(let members):
            return "{"
                + members.map { "\($0.name.debugDescription):\(text(of: $0.value))" }.sorted().joined(separator: ",")
                + "}"
        case .scalar(let scalar):
            switch scalar.value {
            case .null: return "null"
            case .bool(let value): return "\(value)"
            case .int(let value): return "\(Double(value))"
            case .double(let value): return "\(value)"
            case .string: return scalar.text.debugDescription
            }
        }
    }

    private static func text(ofJSON value: Any) -> String {
        switch value {
        case let elements as [Any]: return "[" + elements.map { text(ofJSON: $0) }.joined(separator: ",") + "]"
        case let members as [String: Any]:
            return "{"
                + members.map { "\($0.key.debugDescription):\(text(ofJSON: $0.value))" }.sorted().joined(separator: ",")
                + "}"
        case let text as String: return text.debugDescription
        case is NSNull: return "null"
        case let number as NSNumber:
            return isTruthValue(number) ? "\(number.boolValue)" : "\(number.doubleValue)"
        default: return "?"
        }
    }

    private static func isTruthValue(_ number: NSNumber) -> Bool {
        unsafe String(cString: number.objCType) == "c"
    }
}
