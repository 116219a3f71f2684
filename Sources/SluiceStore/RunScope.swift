/// The part of its source that a run was asked for, in the words that the store keeps with the run.
package enum RunScope {
    private static let streams = "streams "
    private static let recording = "recording"
    private static let ofRecording = " of a recording"

    /// The words for a part.
    ///
    /// - Parameters:
    ///   - names: The only streams; empty for all.
    ///   - entity: The only entity whose streams were read; nil for all.
    ///   - isRecording: Whether a recording answered in the place of the source, which may say something else by now.
    /// - Returns: The words; nil for all of the source.
    package static func text(streams names: [String], entity: String?, isRecording: Bool) -> String? {
        let names = Set(names).sorted()
        let part =
            switch names.count {
            case 0: entity.map { "entity \($0)" }
            case 1: "stream \(names[0])"
            default: streams + names.joined(separator: ", ")
            }
        guard isRecording else { return part }
        return part.map { $0 + ofRecording } ?? recording
    }

    /// The parts of which each may have been asked for alone.
    ///
    /// - Parameter text: The words; nil for all of the source.
    /// - Returns: One for each stream, or the part itself.
    package static func parts(of text: String?) -> [String?] {
        guard let text, text.hasPrefix(streams) else { return [text] }
        let suffix = text.hasSuffix(ofRecording) ? ofRecording : ""
        return text.dropFirst(streams.count).dropLast(suffix.count).split(separator: ",").map { name in
            "stream \(name.drop { $0 == " " })\(suffix)"
        }
    }
}
