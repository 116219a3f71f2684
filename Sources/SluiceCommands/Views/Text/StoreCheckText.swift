internal import SluiceDiagnostics
internal import SluiceStore

/// What a check of a store found, for people.
struct StoreCheckText {
    let style: TextStyle

    func text(_ findings: [StoreFinding], store: String, kind: String) -> String {
        let width = StoreCheck.allCases.map { name($0).count }.max() ?? 0
        var text = style.paint(PrintableText.escape("store \(store)"), .strong) + " (\(kind))\n"
        for check in StoreCheck.allCases {
            let found = findings.filter { $0.check == check }
            if found.isEmpty { text += line("ok  ", .added, check, width, check.looksAt) }
            for finding in found {
                let isWrong = finding.verdict == .wrong
                text += line(
                    isWrong ? "bad " : "note", isWrong ? .removed : .changed, check, width, message(finding))
                if let remedy = finding.remedy {
                    text += String(repeating: " ", count: width + 10) + PrintableText.escape(remedy) + "\n"
                }
            }
        }
        return text + "\n" + conclusion(findings)
    }

    private func name(_ check: StoreCheck) -> String { check.rawValue.replacing("_", with: " ") }

    private func line(
        _ word: String, _ role: TextStyle.Role, _ check: StoreCheck, _ width: Int, _ message: String
    ) -> String {
        let name = name(check)
        let subject = name + String(repeating: " ", count: width - name.count)
        return "  \(style.paint(word, role))  \(subject)  \(PrintableText.escape(message))\n"
    }

    private func message(_ finding: StoreFinding) -> String {
        if finding.examples.isEmpty { return finding.message }
        let more = finding.count > finding.examples.count ? ", …" : ""
        return "\(finding.message) \(finding.examples.joined(separator: ", "))\(more)"
    }

    private func conclusion(_ findings: [StoreFinding]) -> String {
        let wrong = findings.count { $0.verdict == .wrong }
        return wrong == 0 ? "Nothing is wrong.\n" : "\(CountText.of(wrong, "thing")) to mend.\n"
    }
}
