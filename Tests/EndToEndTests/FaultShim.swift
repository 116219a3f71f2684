import Foundation

/// The library that makes a program's writes go wrong, compiled for the tests that load it.
enum FaultShim {
    /// It could not be compiled.
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    private static let library = Result { try compile() }

    /// What the environment of a program needs to load it, beside what tells it what to do.
    static func environment(_ settings: [String: String]) throws -> [String: String] {
        settings.merging(["LD_PRELOAD": try library.get()]) { $1 }
    }

    /// Compiles it to a file beside the products, which test processes that run side by side may do at once.
    private static func compile() throws -> String {
        let source = Program.project.appending(path: "Tests/FaultShim/FaultShim.c").path
        let library = Program.products.appending(path: "libFaultShim.so").path
        let own = "\(library).\(ProcessInfo.processInfo.processIdentifier)"
        let result = try Running(
            executable: URL(filePath: "/usr/bin/env"),
            arguments: ["cc", "-O1", "-Wall", "-Werror", "-shared", "-fPIC", "-o", own, source, "-ldl"],
            folder: Program.project.path, environment: [:]
        ).wait()
        if result.code != 0 { throw Failure(description: "cc ended with \(result.code): \(result.errors)") }
        guard unsafe rename(own, library) == 0 else { throw Failure(description: "\(own) cannot become \(library)") }
        return library
    }
}
