internal import SluiceModel

/// Small pieces of JSON.
enum JSONText {
    static func quoted(_ text: String) -> String { FieldJSON.quoted(text) }

    static func array(_ elements: [String]) -> String { "[" + elements.joined(separator: ",") + "]" }

    /// A number of seconds with at most three digits behind the point.
    static func seconds(_ seconds: Double) -> String {
        let thousandths = Int64(clamping: Int((min(max(seconds, 0), 1e9) * 1000).rounded()))
        let rest = String(thousandths % 1000 + 1000).dropFirst()
        return "\(thousandths / 1000).\(rest)"
    }
}
