internal import SluiceDiagnostics
internal import SluiceModel
internal import SluiceReview
internal import SluiceStore

/// What became of decisions about conflicts.
struct ResolutionReport {
    /// What a command must say to use the same store, with a blank before it.
    let storeOption: String
    /// Whether only some conflicts were asked for, by what they are about.
    var isSelection = false

    // MARK: For people

    /// The result for people.
    func text(_ batch: ResolutionBatch, style: TextStyle) -> String {
        let undecided = batch.undecided.map { CountText.of($0, "row decides", "rows decide") + " nothing.\n" }
        if batch.items.isEmpty { return undecided ?? "No \(isSelection ? "such " : "")conflict is open.\n" }
        var text = ""
        for item in batch.items {
            var name = [item.place, item.id == 0 ? nil : String(item.id)].compactMap { $0 }.joined(separator: ": ")
            if let entry = item.decision?.conflict {
                name += "  " + RecordLabel.of(entry)
                name += entry.field.map { ", " + ShortText.of($0) } ?? ""
            }
            text += "\(style.paint(name, .strong))  \(told(item, style))\n"
        }
        if !batch.problems.isEmpty { text += "\n" + ProblemsText(style: style).text(batch.problems) }
        let counts = [
            (batch.resolved, "resolved"), (batch.standing, "already decided so"),
            (batch.answered, "decided with \(CountText.word(batch.answered, "it", "them"))"),
            (batch.reopened, "reopened"),
            (batch.refused, "refused"),
        ]
        let words = counts.filter { $0.0 > 0 }.map { "\(CountText.grouped($0.0)) \($0.1)" }
        text += "\n" + style.paint(words.joined(separator: ", "), .strong) + ".\n"
        if batch.undecided ?? 0 > 0 { text += undecided ?? "" }
        if let item = batch.items.first(where: { $0.outcome == .reopened }) {
            text += "To see a reopened conflict as it is now: "
            text += PrintableText.escape("`sluice conflicts show \(item.id)\(storeOption)`.") + "\n"
        }
        return text
    }

    private func told(_ item: ResolutionBatch.Item, _ style: TextStyle) -> String {
        switch item.outcome {
        case .resolved:
            return style.paint("resolved", .added) + ": " + result(item)
                + (item.decision.map { Self.waiting($0) + Self.answers($0) } ?? "")
        case .reopened:
            return style.paint("reopened", .conflict)
                + ": the store holds something else by now than the conflict showed; it shows that now."
        case .standing:
            let run = item.decision?.conflict.lastRun.map { " in run \($0)" } ?? ""
            return style.paint("already decided so", .faint) + "\(run): nothing was done."
        case .answered(let other):
            let next = item.decision?.conflict.field == nil ? "record: the next run closes it." : "field."
            return style.paint("decided", .added) + " with conflict \(other) over the same \(next)"
        case .refused(let reason): return style.paint("refused", .removed) + ": " + PrintableText.escape(reason)
        }
    }

    /// What is null since its record is not there.
    static func waiting(_ decision: ConflictDecision) -> String {
        decision.waiting.map { reference in
            let columns = reference.columns.map { "`\(ShortText.of($0))`" }.joined(separator: ", ")
            let verb = CountText.word(reference.columns.count, "is", "are")
            let what = columns.isEmpty ? "no link leads there" : "\(columns) \(verb) null"
            let (table, keys) = (ShortText.of(reference.target), RecordLifeText.keys(reference.keys))
            let them = CountText.word(reference.keys.count, "it comes", "they come")
            let end = reference.isForGood ? " for good (`on_dangling: set_null`)" : " until \(them)"
            return "; `\(table)` has no \(keys), so \(what)\(end)"
        }.joined()
    }

    /// Which conflicts of other streams are decided with it.
    static func answers(_ decision: ConflictDecision) -> String {
        if decision.answers.isEmpty { return "" }
        let numbers = decision.answers.map { String($0) }.joined(separator: ", ")
        let noun = CountText.word(decision.answers.count, "conflict", "conflicts")
        return
            "; \(noun) \(numbers) of other streams over this field \(CountText.word(decision.answers.count, "is", "are")) decided with it"
    }

    private func result(_ item: ResolutionBatch.Item) -> String {
        guard let decision = item.decision else { return "" }
        let entry = decision.conflict
        switch (entry.kind, decision.resolution) {
        case ("edit_delete", .local): return "the row stays"
        case ("edit_delete", _): return decision.marksRow ? "the row is marked as deleted" : "the row is deleted"
        case ("delete_edit", .local): return "it stays deleted"
        case ("delete_edit", _): return "the row is back"
        case (_, .local) where entry.isOfList: return "the list stays"
        case (_, .remote) where entry.isOfList: return "the source's list is taken"
        case (_, .base) where entry.isOfList: return "the list that the source gave before is back"
        case (_, .local):
            let place = decision.waitsIn.map { " in quarantine \($0), and its column null" } ?? ""
            return "\(ShortText.of(entry.local ?? "null")) stays\(place)"
        case (_, .remote): return "\(ShortText.of(entry.remote ?? "null")) is taken"
        case (_, .base): return "\(ShortText.of(entry.base ?? "null")) is back"
        case (_, .value(let text, _)): return "\(ShortText.of(text)) is set"
        }
    }

    // MARK: For programs

    /// The result for programs.
    func json(_ batch: ResolutionBatch) -> String {
        var object = JSONObject()
        object.add("format", "sluice.resolution/1")
        object.add("resolved", batch.resolved)
        object.add("reopened", batch.reopened)
        object.add("refused", batch.refused)
        if batch.standing > 0 { object.add("standing", batch.standing) }
        if batch.answered > 0 { object.add("answered", batch.answered) }
        if let undecided = batch.undecided { object.add("undecided", undecided) }
        let results = batch.items.map { item in
            var result = JSONObject()
            result.add("id", item.id == 0 ? nil : item.id)
            if let place = item.place { result.add("place", place) }
            switch item.outcome {
            case .resolved: result.add("outcome", "resolved")
            case .reopened: result.add("outcome", "reopened")
            case .standing: result.add("outcome", "standing")
            case .answered(let other):
                result.add("outcome", "answered")
                result.add("decided_with", other)
            case .refused(let reason):
                result.add("outcome", "refused")
                result.add("reason", reason)
            }
            let waiting = (item.decision?.waiting ?? []).map { reference in
                var object = JSONObject()
                object.add("table", reference.target)
                object.add("keys", json: "[" + reference.keys.joined(separator: ",") + "]")
                let columns = reference.columns.map { FieldJSON.quoted($0) }.joined(separator: ",")
                object.add("columns", json: "[\(columns)]")
                if reference.isForGood { object.add("for_good", true) }
                return object.text
            }
            if !waiting.isEmpty { result.add("waits_for", json: JSONObject.array(waiting)) }
            if let entry = item.decision?.waitsIn { result.add("waits_in_quarantine", entry) }
            let answers = (item.decision?.answers ?? []).map { String($0) }
            if !answers.isEmpty { result.add("decides", json: JSONObject.array(answers)) }
            result.add("conflict", json: item.decision.map { ConflictJSON.listed($0.conflict) } ?? "null")
            return result.text
        }
        object.add("results", json: JSONObject.array(results))
        if !batch.problems.isEmpty { object.add("problems", json: ReportJSON.problems(batch.problems)) }
        object.add("runs", json: "[" + batch.runs.map { String($0) }.joined(separator: ",") + "]")
        return object.text + "\n"
    }
}
