internal import SluiceDiagnostics
internal import SluiceDiscovery

/// What a checkup found, for people.
struct CheckupText {
    let style: TextStyle

    func text(_ sections: [CheckupSection]) -> String {
        let findings = sections.flatMap(\.findings)
        let width = findings.map(\.subject.count).max() ?? 0
        let parts = sections.map { section in
            style.paint(PrintableText.escape(section.title), .strong) + "\n"
                + section.findings.map { line($0, width) }.joined()
        }
        return parts.joined(separator: "\n") + "\n" + conclusion(findings)
    }

    private func line(_ finding: CheckupFinding, _ width: Int) -> String {
        let (word, role): (String, TextStyle.Role) =
            switch finding.verdict {
            case .good: ("ok  ", .added)
            case .doubtful: ("look", .changed)
            case .bad: ("bad ", .removed)
            }
        let subject = finding.subject + String(repeating: " ", count: width - finding.subject.count)
        return "  \(style.paint(word, role))  \(subject)  \(PrintableText.escape(finding.message))\n"
    }

    private func conclusion(_ findings: [CheckupFinding]) -> String {
        func count(_ verdict: CheckupFinding.Verdict) -> Int { findings.count { $0.verdict == verdict } }
        switch (count(.bad), count(.doubtful)) {
        case (0, 0): return "All is in order.\n"
        case (0, let doubtful): return "Runs work; \(CountText.of(doubtful, "thing")) to look at.\n"
        case (let bad, _): return "\(CountText.of(bad, "problem")) to fix before runs can work.\n"
        }
    }
}
