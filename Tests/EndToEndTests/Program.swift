import Foundation
import Testing

/// The built program, run as a user runs it.
struct Program {
    /// How a run of the program ended.
    struct Result {
        let code: Int32
        let output: String
        let errors: String
    }

    /// Where the products of the build are: beside the test bundle.
    static let products: URL = bundleFolder

    private static var bundleFolder: URL {
        // The runner may be a helper of the toolchain; the bundle that it loads is one of the arguments.
        for argument in CommandLine.arguments where argument.hasSuffix(".xctest") {
            return URL(filePath: argument).deletingLastPathComponent()
        }
        return URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
    }

    /// The project's folder.
    static let project = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    /// Starts the program.
    static func start(_ arguments: [String], in folder: String, environment: [String: String] = [:]) throws -> Running {
        try Running(
            executable: products.appending(path: "sluice"), arguments: arguments, folder: folder,
            environment: environment)
    }

    /// Runs the program to its end.
    static func run(_ arguments: String..., in folder: String, environment: [String: String] = [:]) throws -> Result {
        try start(arguments, in: folder, environment: environment).wait()
    }
}

/// A process under way.
final class Running {
    let process = Process()
    private let output: URL
    private let errors: URL

    init(
        executable: URL, arguments: [String], folder: String, environment: [String: String],
        input: FileHandle = .nullDevice
    ) throws {
        let name = UUID().uuidString
        output = FileManager.default.temporaryDirectory.appending(path: "sluice-\(name).out")
        errors = FileManager.default.temporaryDirectory.appending(path: "sluice-\(name).err")
        try Data().write(to: output)
        try Data().write(to: errors)
        process.executableURL = executable
        process.arguments = arguments
        process.currentDirectoryURL = URL(filePath: folder)
        var all = ProcessInfo.processInfo.environment
        all["SLUICE_STORE"] = nil
        process.environment = all.merging(environment) { $1 }
        process.standardOutput = try FileHandle(forWritingTo: output)
        process.standardError = try FileHandle(forWritingTo: errors)
        process.standardInput = input
        try process.run()
    }

    /// Waits for the end.
    func wait() throws -> Program.Result {
        process.waitUntilExit()
        defer {
            try? FileManager.default.removeItem(at: output)
            try? FileManager.default.removeItem(at: errors)
        }
        let killed: Int32 = process.terminationReason == .uncaughtSignal ? 128 : 0
        let text = String(decoding: try Data(contentsOf: output), as: UTF8.self)
        ReportCheck.check(text, process.arguments ?? [])
        return Program.Result(
            code: process.terminationStatus + killed, output: text,
            errors: String(decoding: try Data(contentsOf: errors), as: UTF8.self))
    }
}
