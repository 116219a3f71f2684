import Foundation
import SluiceYAML
import TestSupport
import Testing

/// The data form of the YAML test suite, where it stands beside the project.
///
/// libyaml does not pass all of it. What it gets wrong is listed in ``LibyamlFaults``, so what is tested is our layer:
/// of each text that is read and not refused, the values are those of `in.json`.
@Suite struct YAMLSuiteTests {
    /// What became of a text.
    enum Outcome: Hashable {
        /// The values are those of the suite, or the suite gives none.
        case read
        case different
        /// It breaks the rules of YAML, says libyaml.
        case unread
        /// It is YAML, but not accepted in a pipeline file.
        case refused(YAMLError.Code)
    }

    struct Case {
        var name: String
        var mustFail: Bool
        var hasValues: Bool
        var outcome: Outcome
    }

    static let folder = Conformance.folder.map { $0 + "/yaml/data" }

    @Test(.enabled(if: folder != nil, "the YAML test suite is not beside the project"))
    func onlyWhatLibyamlGetsWrongIsWrong() throws {
        let cases = try Self.cases(in: URL(filePath: try #require(Self.folder)).standardizedFileURL)
        #expect(cases.count == 402)
        func names(where isIncluded: (Case) -> Bool) -> [String] { cases.filter(isIncluded).map(\.name).sorted() }
        let valid = cases.filter { !$0.mustFail }
        #expect(names { !$0.mustFail && $0.outcome == .different } == LibyamlFaults.different.values.joined().sorted())
        #expect(names { !$0.mustFail && $0.outcome == .unread } == LibyamlFaults.refusesValid.values.joined().sorted())
        #expect(names { $0.mustFail && $0.outcome == .read } == LibyamlFaults.acceptsInvalid.values.joined().sorted())
        let equal = valid.count { $0.outcome == .read && $0.hasValues }
        let refused = valid.count { $0.outcome == .refused(.unsupported) }
        let rejected = cases.count { $0.mustFail && $0.outcome != .read }
        print("YAML test suite: \(equal) with equal values, \(refused) refused, \(rejected) of 94 invalid rejected")
        #expect(equal == 204)
        // Second documents, complex keys and tags; nothing valid is refused for any other reason.
        #expect(refused == 41)
        #expect(rejected == 83)
    }

    private static func cases(in root: URL) throws -> [Case] {
        let files = try #require(FileManager.default.enumerator(at: root, includingPropertiesForKeys: nil))
        var cases: [Case] = []
        for case let file as URL in files where file.lastPathComponent == "in.yaml" {
            let folder = file.deletingLastPathComponent()
            let json = try? Data(contentsOf: folder.appending(path: "in.json"))
            let expected = json.flatMap { try? JSONSerialization.jsonObject(with: $0, options: .fragmentsAllowed) }
            cases.append(
                Case(
                    name: String(folder.path.dropFirst(root.path.count + 1)),
                    mustFail: FileManager.default.fileExists(atPath: folder.appending(path: "error").path),
                    hasValues: expected != nil,
                    outcome: outcome(of: YAMLDocument(reading: Array(try Data(contentsOf: file))), expected: expected)))
        }
        return cases
    }

    private static func outcome(of document: YAMLDocument, expected: Any?) -> Outcome {
        let codes = document.problems.map(\.code)
        if codes.contains(.syntax) || codes.contains(.encoding) { return .unread }
        if let code = codes.first { return .refused(code) }
        guard let expected else { return .read }
        return text(of: document.root) == text(ofJSON: expected) ? .read : .different
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
