internal import SluiceDiagnostics
internal import SluiceHTTPServer
internal import SluiceServeModel

/// Names an entry of a pipeline's store, such as a run or a conflict: `PIPELINE:NUMBER`.
struct EntryReference: Sendable, Hashable {
    let pipeline: String
    let number: Int64
    /// What a reference looks like, as a regular expression.
    static let pattern = "^([a-z0-9][a-z0-9-]*:)?[0-9]{1,18}$"

    init(_ pipeline: String, _ number: Int64) { (self.pipeline, self.number) = (pipeline, number) }

    /// Reads a reference; a number alone will do where there is one pipeline.
    ///
    /// - Throws: ``Refusal``.
    init(_ text: String, _ status: ServeStatus, noun: String) throws(Refusal) {
        if let colon = text.lastIndex(of: ":"), let number = Int64(text[text.index(after: colon)...]) {
            self.init(String(text[..<colon]), number)
        } else if let number = Int64(text), status.pipelines.count == 1, let only = status.pipelines.first {
            self.init(only.name, number)
        } else {
            throw .badRequest("`\(text)` names no \(noun): write `PIPELINE:NUMBER`.")
        }
    }

    var text: String { "\(pipeline):\(number)" }
    /// As a segment of a path.
    var segment: String { PercentText.encoded(text) }
}
