internal import SluiceStores

/// A command line that is right as far as the arguments alone can tell.
package struct ParsedArguments: Sendable {
    package let command: CommandSpec
    package let operands: [String]
    /// The pipeline files that name the store of a command that has none of its own.
    package let storePaths: [String]
    private let values: [OptionSpec.ID: [String]]

    init(
        command: CommandSpec, operands: [String], storePaths: [String] = [], values: [OptionSpec.ID: [String]]
    ) {
        self.command = command
        self.operands = operands
        self.storePaths = storePaths
        self.values = values
    }

    /// Whether a flag was given.
    package func has(_ id: OptionSpec.ID) -> Bool { values[id] != nil }

    /// The value that was given last.
    package func text(_ id: OptionSpec.ID) -> String? { values[id]?.last }

    /// All values that were given.
    package func texts(_ id: OptionSpec.ID) -> [String] { values[id] ?? [] }

    package var paths: [String] { operands.isEmpty ? [Self.standardFolder] : operands }
    /// The folder of pipeline files that counts where none is named.
    static let standardFolder = "pipelines"
    /// The name of the form that is asked for.
    private var format: String? {
        [.format, .listFormat, .reportFormat, .schemaFormat, .problemFormat].lazy.compactMap(text).first
    }
    /// The form of a list of problems.
    var problemFormat: String { text(.problemFormat) ?? "text" }
    package var isJSON: Bool { format == "json" }
    /// Whether the result is text for people.
    package var isText: Bool { format ?? "text" == "text" }
    /// The form of a report.
    package var reportFormat: ReportFormat { format.flatMap(ReportFormat.init) ?? .text }
    package var isQuiet: Bool { has(.quiet) }
    var store: StoreAddress? { text(.store).flatMap { StoreAddress($0) } }
    package var allowedDeletes: Int? { text(.allowDeletes).flatMap { OptionSpec.count($0) } }
    package var waitSeconds: Double { text(.wait).flatMap { OptionSpec.seconds($0) } ?? 0 }
    /// How long to wait for another program's lock: a little, unless a time is given.
    package var busyMilliseconds: Int {
        text(.wait).flatMap { OptionSpec.seconds($0) }.map { Int(min($0, 1e6) * 1000) } ?? 5_000
    }
    var logLevel: Log.Level { text(.logLevel).flatMap { Log.Level(name: $0) } ?? .warning }
    var logFormat: Log.Format { text(.logFormat).flatMap { Log.Format(rawValue: $0) } ?? .text }

    package var variables: [String: String] {
        texts(.variable).compactMap { OptionSpec.assignment($0) }.reduce(into: [:]) { $0[$1.name] = $1.value }
    }

    /// The most changes to list, nil for all.
    package var changeLimit: Int? {
        switch text(.changes) {
        case nil: reportFormat.changeLimit
        case "all": nil
        case let text?: OptionSpec.count(text)
        }
    }
}
