import SluiceDiagnostics
import Testing

@Suite struct DiagnosticListTests {
    private func diagnostic(_ code: DiagnosticCode, _ location: SluiceDiagnostics.SourceLocation?) -> Diagnostic {
        Diagnostic(code: code, severity: .warning, summary: "s", detail: "d", location: location)
    }

    @Test func sortsByPlaceAndKeepsTheOrderOfEquals() {
        var list = DiagnosticList()
        list.append(diagnostic("e", SluiceDiagnostics.SourceLocation(file: "b", line: 1, column: 1)))
        list.append(diagnostic("d", SluiceDiagnostics.SourceLocation(file: "a", line: 10, column: 1)))
        list.append(diagnostic("c2", SluiceDiagnostics.SourceLocation(file: "a", line: 2, column: 3)))
        list.append(diagnostic("c1", SluiceDiagnostics.SourceLocation(file: "a", line: 2, column: 3)))
        list.append(diagnostic("b", SluiceDiagnostics.SourceLocation(file: "a")))
        list.append(diagnostic("a", nil))
        #expect(list.sorted.map(\.code) == ["a", "b", "c2", "c1", "d", "e"])
    }

    @Test func theSameProblemIsKeptOnce() {
        var list = DiagnosticList()
        let problem = diagnostic("a", SluiceDiagnostics.SourceLocation(file: "a", line: 1, column: 1))
        list.append(contentsOf: [problem, problem])
        #expect(list.diagnostics.count == 1)
        #expect(!list.hasErrors)
        list.append(Diagnostic(code: "x", summary: "s", detail: "d"))
        #expect(list.hasErrors)
    }

    @Test func fieldsOfTheJSONForm() {
        let diagnostic = Diagnostic(
            code: "unknown_key", summary: "Unknown key", detail: "It is.",
            location: SluiceDiagnostics.SourceLocation(file: "a", line: 2, column: 3), suggestion: "path", help: "Look."
        )
        #expect(
            diagnostic.fields.map(\.name) == [
                "code", "severity", "message", "summary", "detail", "file", "line", "column", "suggestion", "help",
            ])
        #expect(diagnostic.fields.first { $0.name == "line" }?.value == .number(2))
        #expect(
            diagnostic.fields.first { $0.name == "message" }?.value
                == .text("Unknown key: It is. Did you mean `path`?"))
        let bare = Diagnostic(code: "x", summary: "s", detail: "d")
        #expect(bare.fields.map(\.name) == ["code", "severity", "message", "summary", "detail"])
    }

    @Test func severitiesAreOrdered() {
        #expect(Severity.allCases.sorted() == [.note, .warning, .error])
    }
}
