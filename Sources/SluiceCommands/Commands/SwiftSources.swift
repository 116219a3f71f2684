internal import SluiceSwiftModels
internal import SluiceSystem

/// The Swift files that a command line or a configuration names.
enum SwiftSources {
    /// A file as it was read.
    struct File {
        let path: String
        let text: [UInt8]
    }

    /// Reads files.
    ///
    /// - Parameters:
    ///   - invocation: The command, whose `--swift` goes first.
    ///   - setup: The configuration, whose `sources` are meant where `--swift` names no path.
    /// - Returns: The files, each once.
    /// - Throws: ``Failure`` where there is none, and `SystemError`.
    static func read(_ invocation: Invocation, _ setup: ModelSetup) throws -> [File] {
        let paths = invocation.arguments.texts(.swift)
        if paths.isEmpty { return try read(setup.swiftFiles(), in: setup.configuration?.sources ?? "") }
        var files: [File] = []
        for path in paths {
            let found = try read(swiftFiles(path), in: path)
            files += found.filter { file in !files.contains { $0.path == file.path } }
        }
        return files
    }

    private static func read(_ paths: [String], in place: String) throws -> [File] {
        if paths.isEmpty { throw Failure(.failed, "There is no Swift file in `\(place)`.") }
        return try paths.map { File(path: $0, text: try FileSystem.contents(of: $0)) }
    }

    /// The Swift files of a path, sorted; hidden files and folders are passed over.
    private static func swiftFiles(_ path: String) throws -> [String] {
        switch FileSystem.kind(of: path) {
        case nil: throw Failure(.failed, "There is no `\(path)`: `--swift` names a Swift file, or a folder of them.")
        case .folder:
            return try FileSystem.names(in: path).filter { !$0.hasPrefix(".") }.sorted().flatMap { name in
                let inner = FileSystem.resolve(name, in: path)
                guard FileSystem.kind(of: inner) == .folder || name.hasSuffix(".swift") else { return [String]() }
                return try swiftFiles(inner)
            }
        default: return [path]
        }
    }
}
