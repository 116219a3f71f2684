internal import SluiceModel
internal import SluiceSchedule
internal import SluiceServeModel

/// Moments in words.
enum MomentText {
    /// RFC 3339 in UTC.
    static func of(_ moment: Int64) -> String {
        var bytes: [UInt8] = []
        Timestamp(seconds: moment)?.appendRFC3339(to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }
}

extension ScheduledPipeline {
    /// When it is due, and after which pipelines.
    var words: String {
        schedule.words + (after.isEmpty ? "" : ", after " + after.joined(separator: " and "))
    }
}

extension Schedule {
    /// When it is due, in the words of a pipeline file.
    fileprivate var words: String {
        switch trigger {
        case .cron(let expression): "\(expression) \(zone.name)"
        case .every(let seconds): "every \(Self.duration(seconds))"
        }
    }

    private static func duration(_ seconds: Int64) -> String {
        let units: [(Int64, String)] = [(3600, "h"), (60, "m")]
        let unit = units.first { seconds > 0 && seconds % $0.0 == 0 }
        return unit.map { "\(seconds / $0.0)\($0.1)" } ?? "\(seconds)s"
    }
}

extension ServedRun {
    /// What became of it so far, as a sentence for the log. The service counts its starts; the number of a run is that which
    /// the store gave it, by which all commands know it.
    var words: String {
        let reason = due.map { "due at \(MomentText.of($0))" + (attempt > 1 ? ", attempt \(attempt)" : "") }
        let cause = reason ?? "asked for by \(who ?? "somebody")"
        guard let outcome else { return "Start \(id) of a \(kind == .plan ? "plan" : "run"), \(cause)." }
        let stored = storeRun.map { ", run \($0) of the store" } ?? ""
        let took = "after \(Int(seconds.rounded())) s"
        return "Start \(id) ended \(took): \(outcome.rawValue)\(stored)." + (error.map { " " + $0 } ?? "")
    }
}

extension RunVerdict {
    /// Why a run without a word of its own ended as it did.
    func reason(_ ending: RunEnding) -> String? {
        guard isUntold, outcome != .succeeded else { return nil }
        switch ending.exitCode {
        case nil: return "The program could not be started."
        case let code? where code < 0: return "The program was ended by the signal \(-code). Its log may say more."
        case let code?:
            return "The program ended with the exit code \(code) and without a report. Its log may say more."
        }
    }
}
