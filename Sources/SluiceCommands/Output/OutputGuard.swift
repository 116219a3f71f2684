internal import Glibc
internal import SluiceSystem

/// Which files no result replaces: databases, and what the command itself reads.
enum OutputGuard {
    private static let databaseHeader = Array("SQLite format 3\0".utf8)

    /// Refuses to replace a database.
    ///
    /// - Parameter path: The file that the result would replace.
    /// - Throws: `Failure` where it is an SQLite database.
    static func checkContents(of path: String) throws {
        guard FileSystem.kind(of: path) == .file, let file = try? ByteFile(reading: path),
            (try? file.read(at: 0, upTo: databaseHeader.count)) == databaseHeader
        else { return }
        throw Failure(
            .usage, "The output `\(path)` is an SQLite database, which a result does not replace. Name another file.")
    }

    /// Refuses to replace a file that the command reads.
    ///
    /// - Parameters:
    ///   - path: The file that the result would replace.
    ///   - read: What the command reads: files, and folders of pipeline files.
    /// - Throws: `Failure` where it is one of them.
    static func check(_ path: String, against read: [String]) throws {
        guard FileSystem.kind(of: path) == .file else { return }
        let target = resolved(path)
        let files = read.flatMap { name in
            FileSystem.kind(of: name) == .folder
                ? FileSystem.names(in: name).filter(isPipelineFile).map { "\(name)/\($0)" } : [name]
        }
        guard files.contains(where: { FileSystem.kind(of: $0) == .file && resolved($0) == target }) else { return }
        throw Failure(
            .usage, "The output `\(path)` is a file that this command reads, so it is not replaced. Name another file.")
    }

    private static func isPipelineFile(_ name: String) -> Bool { name.hasSuffix(".yaml") || name.hasSuffix(".yml") }

    /// The file that a link leads to.
    static func resolved(_ path: String) -> String {
        guard let resolved = unsafe realpath(path, nil) else { return path }
        defer { unsafe free(resolved) }
        return unsafe String(cString: resolved)
    }
}
