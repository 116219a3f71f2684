internal import SluiceDiagnostics
internal import SluiceFetch
internal import SluiceReport
internal import SluiceSync

/// What a recording kept, for people.
struct RecordText {
    let style: TextStyle

    func text(_ result: RecordingReport) -> String {
        let name = style.paint(ShortText.of(result.report.pipeline), .strong)
        guard let folder = result.folder else {
            let isNone = result.report.status == .succeeded
            return "\(name): " + (isNone ? "reads files, nothing to record\n" : "nothing was recorded\n")
        }
        let count = CountText.of(result.kept.count, "exchange")
        let bytes = CountText.bytes(result.kept.reduce(0) { $0 + $1.bytes })
        let place = PrintableText.escape(folder)
        var text = "\(name): \(count), \(bytes), in \(place)\n"
        let width = result.kept.map { TextWidth.of(PrintableText.escape($0.file)) }.max() ?? 0
        for exchange in result.kept {
            let isGood = 200...399 ~= exchange.status
            let status = style.paint(String(exchange.status), isGood ? .added : .removed)
            let file = ShortText.padded(PrintableText.escape(exchange.file), to: width)
            let url = ShortText.of("\(exchange.method) \(exchange.url)", width: max(30, style.width - width - 9))
            text += "  \(file)  \(status)  \(url)\n"
        }
        switch result.report.status {
        case .succeeded: break
        case .interrupted: text += "The recording is incomplete: it was stopped.\n"
        default: text += "The recording is incomplete: it ends with a failure.\n"
        }
        return text
    }
}
