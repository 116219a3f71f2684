internal import SluiceDiagnostics
internal import SluiceHTTP
internal import SluicePipeline
internal import SluiceSystem

/// A program that is told how a run ended.
struct Hook {
    /// The program and its arguments.
    let words: [ConfigurationText]
    let environment: [String: String]
    let limit: Duration

    /// How much of a program's output a message repeats.
    private static let shownCharacters = 300

    /// Runs the program with a text on its standard input.
    ///
    /// - Returns: What went wrong, in sentences; nil where nothing did.
    func run(_ body: String, _ cancellation: Cancellation, redactor: Redactor) -> String? {
        let program = ChildProcess(words.map(\.revealed), environment: environment, limit: limit)
        let name = "`\(PrintableText.escape(words.first?.description ?? ""))`"
        let result: ChildProcess.Result
        do throws(SystemError) {
            result = try program.run(input: Array(body.utf8), cancellation: cancellation)
        } catch {
            return "The program \(name) cannot be started: \(error.reason)."
        }
        let said = words(of: result, redactor).map { " It wrote: \"\($0)\"." } ?? ""
        switch result.ending {
        case .exited(0): return nil
        case .exited(let code): return "The program \(name) ended with the exit code \(code).\(said)"
        case .signalled(let number): return "The program \(name) was ended by the signal \(number).\(said)"
        case .timedOut:
            return "The program \(name) was ended, since it took longer than \(limit.inUnits), its `timeout`.\(said)"
        case .cancelled: return "The program \(name) was ended, since this one was asked to stop."
        }
    }

    /// The end of what a program wrote, on one line and without secrets; nil where it wrote nothing.
    private func words(of result: ChildProcess.Result, _ redactor: Redactor) -> String? {
        var text = redactor.scrub(String(decoding: result.output, as: UTF8.self))
        // The beginning may be the end of a secret.
        if result.isCut { text = String(text.drop { !$0.isNewline }) }
        let line = text.split(whereSeparator: \.isNewline).joined(separator: " ")
        if line.isEmpty { return nil }
        let end = line.count > Self.shownCharacters ? "…" + line.suffix(Self.shownCharacters) : line
        return PrintableText.escape(end)
    }
}
