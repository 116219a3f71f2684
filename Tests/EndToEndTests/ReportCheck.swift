import SluiceCommands
import TestSupport
import Testing

/// Checks every report and history that a test has a command write by the schemas that are shipped.
enum ReportCheck {
    /// The schema of reports.
    static let schema = check(ReportSchema.jsonSchema())
    /// The schema of the history.
    static let history = check(HistorySchema.jsonSchema())

    private static func check(_ schema: String) -> JSONSchemaCheck {
        do { return try JSONSchemaCheck(schema) } catch { fatalError("\(error)") }
    }

    /// Checks what a command wrote, where that is a whole report or history for programs.
    static func check(_ output: String, _ arguments: [String]) {
        let isReport = output.hasPrefix("{\"format\":\"sluice.report/1\"") && output.hasSuffix("]}\n")
        let isHistory = output.hasPrefix("{\"format\":\"sluice.history/1\"") && output.hasSuffix("}\n")
        guard isReport || isHistory else { return }
        let problems = (isReport ? schema : history).problems(of: output)
        #expect(problems == [], "\(arguments.joined(separator: " "))")
    }
}
