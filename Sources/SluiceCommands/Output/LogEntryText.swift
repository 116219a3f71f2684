internal import SluiceDiagnostics
internal import SluiceModel

extension Log.Entry {
    /// A line for people.
    func text(withTime: Bool) -> String {
        let subject = pipeline.map { $0 + (stream.map { "/" + $0 } ?? "") + ": " } ?? ""
        return (withTime ? time + " " : "") + "\(level): \(PrintableText.escape(subject + message))\n"
    }

    /// A line for programs: one object, in which nothing acts on a terminal.
    var json: String {
        var members: [(String, String)] = [
            ("time", FieldJSON.quoted(time)), ("level", FieldJSON.quoted("\(level)")),
            ("event", FieldJSON.quoted(event.rawValue)),
        ]
        if let pipeline { members.append(("pipeline", FieldJSON.quoted(pipeline))) }
        if let stream { members.append(("stream", FieldJSON.quoted(stream))) }
        members.append(("message", FieldJSON.quoted(message)))
        members += details.map { ($0.rawValue, $1.json) }
        let text = members.map { FieldJSON.quoted($0) + ":" + $1 }.joined(separator: ",")
        return "{\(PrintableText.escapeJSON(text))}\n"
    }
}

extension LogValue {
    fileprivate var json: String {
        switch self {
        case .text(let text): return FieldJSON.quoted(text)
        case .object(let json): return json
        case .number(let number): return String(number)
        case .decimal(let number):
            // What has no end is no number of JSON.
            guard number.isFinite else { return "null" }
            let thousandths = (min(max(number, -1e12), 1e12) * 1000).rounded() / 1000
            return thousandths == thousandths.rounded() ? String(Int(thousandths)) : "\(thousandths)"
        }
    }
}
