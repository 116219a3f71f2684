/// How commands and options are written, for every form of the manual.
extension CommandSpec {
    /// The command with its operands: `sluice run [PATH…] [options]`.
    var usage: String {
        let words = allOperands.map { $0.range.lowerBound == 0 ? " [\($0.name)]" : " \($0.name)" }.joined()
        return "sluice \(name)\(words) [options]"
    }

    /// What an exit code says of this command.
    func meaning(of code: ExitCode) -> String {
        if let own = exitHelp[code] { return own }
        if exitCodes == Self.looking || !writesStore, let stopped = Self.stoppedReading[code] { return stopped }
        return switch code {
        case .failed where !asksSources: "failed; the message says why"
        case .invalidPipeline where !asksSources: "a pipeline file has errors; nothing was done"
        default: code.meaning
        }
    }

    /// Whether it may change a store.
    private var writesStore: Bool { ![.record, .probe, .initialize, .doctor, .inspectDrift].contains(id) }

    /// Whether it makes requests, so that a source may be out of reach.
    private var asksSources: Bool {
        [.plan, .run, .record, .importing, .probe, .initialize, .inspectDrift].contains(id)
    }
}

extension OptionSpec {
    /// The option with its letter and its value: `-o, --output FILE`.
    var usage: String { (letter.map { "-\($0), " } ?? "") + name + (valueWords.map { " " + $0 } ?? "") }

    /// The value, in brackets where it may be left out; nil for an option that takes none.
    var valueWords: String? { isValueOptional ? valueName.map { "[\($0)]" } : valueName }
}

extension String {
    /// A clause as a sentence.
    var asSentence: String { prefix(1).uppercased() + dropFirst() + (hasSuffix(".") ? "" : ".") }
}
