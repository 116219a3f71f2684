internal import SluiceDiagnostics
internal import SluiceJSON
internal import SluicePipeline
internal import SluicePipelineFiles
internal import SluiceStores

extension OptionSpec {
    /// What is wrong with a value, as the end of a sentence and what follows it; nil where nothing is.
    func problem(with text: String) -> String? {
        switch value {
        case .text, .file: text.isEmpty ? "needs a \(valueName ?? "value")." : nil
        case .storeURL:
            StoreAddress(text) == nil ? StoreAddress.problem(with: text) : nil
        case .assignment:
            Self.assignment(text) == nil ? "needs NAME=VALUE, and got `\(text)`." : nil
        case .header:
            Self.header(text) == nil ? "needs NAME: VALUE, as in 'Accept: application/json'." : nil
        case .recordsPath: Self.recordsProblem(text)
        case .number(let range):
            Self.number(text, in: range) == nil ? "needs \(Self.words(for: range)), and got `\(text)`." : nil
        case .numberOrAll(let range):
            text != "all" && Self.number(text, in: range) == nil
                ? "needs \(Self.words(for: range)), or `all`, and got `\(text)`." : nil
        case .duration:
            Self.seconds(text) == nil ? "needs a time such as 30s, 10m or 2h, and got `\(text)`." : nil
        case .choice(let choices):
            choices.contains(text)
                ? nil
                : "knows \(choices.map { "`\($0)`" }.joined(separator: ", ")), and got `\(text)`."
                    + (Suggestion.nearest(to: text, among: choices).map { " Did you mean `\($0)`?" } ?? "")
        }
    }

    /// A whole number from 0.
    static func count(_ text: String) -> Int? {
        guard !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return Int(text)
    }

    private static func number(_ text: String, in range: ClosedRange<Int>) -> Int? {
        count(text).flatMap { range.contains($0) ? $0 : nil }
    }

    private static func words(for range: ClosedRange<Int>) -> String {
        let end = range.upperBound == Int.max ? "or more" : "to \(range.upperBound)"
        return "a whole number, \(range.lowerBound) \(end)"
    }

    /// The seconds of a time such as `10m`.
    static func seconds(_ text: String) -> Double? {
        let digits = text.prefix { $0.isASCII && $0.isNumber }
        guard let count = count(String(digits)) else { return nil }
        switch text.dropFirst(digits.count) {
        case "ms": return Double(count) / 1000
        case "s": return Double(count)
        case "m": return Double(count) * 60
        case "h": return Double(count) * 3600
        case "d": return Double(count) * 86_400
        default: return nil
        }
    }

    /// The two sides of `Name: value`; what is not valid is not repeated, since it may be secret.
    static func header(_ text: String) -> (name: String, value: String)? {
        guard let colon = text.firstIndex(of: ":") else { return nil }
        let name = String(text[..<colon])
        let value = text[text.index(after: colon)...].drop { $0 == " " || $0 == "\t" }
        guard TextPattern.token.matches(name), !value.utf8.contains(where: { $0 < 0x20 && $0 != 0x09 || $0 == 0x7F })
        else { return nil }
        return (name, String(value))
    }

    private static func recordsProblem(_ text: String) -> String? {
        do throws(JSONPathError) {
            return try JSONPath(parsing: text).isStreamable ? nil : "needs a path that counts from the beginning."
        } catch {
            return "needs a path such as `data.items`; `\(text)` is not a path: \(error.message)"
        }
    }

    /// The two sides of `name=value`.
    static func assignment(_ text: String) -> (name: String, value: String)? {
        guard let equals = text.firstIndex(of: "="), equals != text.startIndex else { return nil }
        return (String(text[..<equals]), String(text[text.index(after: equals)...]))
    }

    /// The sides of each `name=value`.
    static func assignments(_ texts: [String]) -> [(name: String, value: String)] { texts.compactMap(assignment) }
}
