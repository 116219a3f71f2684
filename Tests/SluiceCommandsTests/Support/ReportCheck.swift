import SluiceCommands
import TestSupport
import Testing

/// Checks every report that a test has a command write by the schema that is shipped.
enum ReportCheck {
    /// The schema of reports.
    static let schema: JSONSchemaCheck = {
        do { return try JSONSchemaCheck(ReportSchema.jsonSchema()) } catch { fatalError("\(error)") }
    }()

    /// Checks what a command wrote, where that is a whole report for programs.
    static func check(_ output: String, _ arguments: [String]) {
        guard output.hasPrefix("{\"format\":\"sluice.report/1\""), output.hasSuffix("]}\n") else { return }
        let problems = schema.problems(of: output)
        #expect(problems == [], "\(arguments.joined(separator: " "))")
    }
}
