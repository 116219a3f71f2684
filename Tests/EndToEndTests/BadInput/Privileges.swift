import Foundation

/// Runs the program as a user whom permissions bind, which root is not.
enum Privileges {
    private static let restrictions = [
        "--bounding-set", "-dac_override,-dac_read_search", "--inh-caps", "-dac_override,-dac_read_search",
    ]

    /// Whether permissions bind, or can be made to.
    static let canBeDropped = geteuid() != 0 || isDone("/usr/bin/setpriv", restrictions + ["true"])

    /// Runs the program to its end.
    static func run(_ arguments: [String], in folder: String) throws -> Program.Result {
        if geteuid() != 0 { return try Program.start(arguments, in: folder).wait() }
        let program = Program.products.appending(path: "sluice").path
        return try Running(
            executable: URL(filePath: "/usr/bin/setpriv"), arguments: restrictions + [program] + arguments,
            folder: folder, environment: [:]
        ).wait()
    }

    /// Whether a command can be run and says that it succeeded.
    static func isDone(_ executable: String, _ arguments: [String]) -> Bool {
        let running = try? Running(
            executable: URL(filePath: executable), arguments: arguments, folder: "/", environment: [:])
        return (try? running?.wait().code) == 0
    }
}
