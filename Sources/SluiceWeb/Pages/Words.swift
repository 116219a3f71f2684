internal import SluiceCommands
internal import SluiceServeModel

/// Small pieces that several pages have.
enum Words {
    /// A state in a frame.
    static func badge(_ state: String) -> HTML { "<span class=\"badge \(value: state)\">\(state)</span>" }

    /// A moment, with how long ago it was.
    static func moment(_ moment: Int64?, now: Int64) -> HTML {
        guard let moment else { return "<span class=\"faint\">–</span>" }
        let text = MomentText.utc(moment)
        let distance = Int(clamping: now - moment)
        let words = distance >= 0 ? "\(CountText.age(distance)) ago" : "in \(CountText.age(-distance))"
        return "<time datetime=\"\(value: text)\" title=\"\(value: text)\">\(words)</time>"
    }

    /// A JSON value in the form that people read.
    static func value(_ json: String?) -> HTML {
        guard let json else { return "<span class=\"faint\">–</span>" }
        return "<bdi class=\"value\">\(lines(ValueText.plain(json)))</bdi>"
    }

    /// The beginning of a reason, for lists: the whole of it stands on the page of its run.
    static func shortened(_ reason: String) -> String { ShortText.of(reason, width: 180) }

    /// Text with its line breaks.
    static func lines(_ text: String) -> HTML {
        text.split(separator: "\n", omittingEmptySubsequences: false).map { line -> HTML in "\(String(line))" }
            .joined("\n")
    }

    /// Two values, with what differs marked in each.
    static func pair(_ old: String?, _ new: String?) -> (old: HTML, new: HTML) {
        guard let old, let new, old != new else { return (value(old), value(new)) }
        let diff = WordDiff(from: ValueText.plain(old), to: ValueText.plain(new))
        func side(_ side: WordDiff.Side, _ open: HTML, _ close: HTML) -> HTML {
            let pieces = diff.pieces.filter { $0.side == .both || $0.side == side }.map { piece -> HTML in
                piece.side == .both ? lines(piece.text) : open + lines(piece.text) + close
            }
            return "<bdi class=\"value\">\(pieces)</bdi>"
        }
        return (side(.old, "<del>", "</del>"), side(.new, "<ins>", "</ins>"))
    }

    /// A value with what the base does not have marked.
    static func marked(_ json: String?, against base: String?) -> HTML {
        guard let json, let base, json != base else { return value(json) }
        let diff = WordDiff(from: ValueText.plain(base), to: ValueText.plain(json))
        let pieces = diff.pieces.filter { $0.side != .old }.map { piece -> HTML in
            piece.side == .new ? "<mark>\(lines(piece.text))</mark>" : lines(piece.text)
        }
        return "<bdi class=\"value\">\(pieces)</bdi>"
    }
}
