internal import SluiceSystem

#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

/// Which files no result replaces: databases, and what the command itself reads.
enum OutputGuard {
    private static let databaseHeader = Array("SQLite format 3\0".utf8)

    /// Refuses to replace a database.
    ///
    /// - Parameter path: The file that the result would replace.
    /// - Throws: `Failure` where it is an SQLite database.
    static func checkContents(of path: String) throws {
        let companions = ["-wal", "-shm", "-journal"].filter(path.hasSuffix).map { String(path.dropLast($0.count)) }
        guard isDatabase(path) || companions.contains(where: isDatabase) else { return }
        throw Failure(
            .usage,
            "The output `\(path)` is an SQLite database, or belongs to one, which a result does not replace. Name another file."
        )
    }

    /// Whether a file is an SQLite database.
    static func isDatabase(_ path: String) -> Bool {
        guard FileSystem.kind(of: path) == .file, let file = try? ByteFile(reading: path) else { return false }
        return (try? file.read(at: 0, upTo: databaseHeader.count)) == databaseHeader
    }

    /// Refuses to replace a file that the command reads.
    ///
    /// - Parameters:
    ///   - path: The file that the result would replace.
    ///   - read: What the command reads: files, and folders of pipeline files.
    ///   - folders: Folders all of whose files it reads.
    /// - Throws: `Failure` where it is one of them.
    static func check(_ path: String, against read: [String], within folders: [String] = []) throws {
        guard FileSystem.kind(of: path) == .file else { return }
        let target = resolved(path)
        let files = read.flatMap { name in
            FileSystem.kind(of: name) == .folder
                ? FileSystem.names(in: name).filter(isPipelineFile).map { "\(name)/\($0)" } : [name]
        }
        let version = FileSystem.version(of: path)
        let isRead = files.contains { file in
            FileSystem.kind(of: file) == .file && (resolved(file) == target || FileSystem.version(of: file) == version)
        }
        guard isRead || folders.contains(where: { !$0.isEmpty && target.hasPrefix(resolved($0) + "/") }) else { return }
        throw Failure(
            .usage, "The output `\(path)` is a file that this command reads, so it is not replaced. Name another file.")
    }

    /// Refuses two results in one file: the second would replace the first.
    ///
    /// - Parameter paths: The files that results would replace. A device or a pipe takes any number.
    /// - Throws: `Failure` where two are the same file.
    static func checkDistinct(_ paths: [String]) throws {
        var places: Set<String> = []
        for path in paths where [nil, .file].contains(FileSystem.kind(of: path)) {
            guard places.insert(place(path)).inserted else {
                throw Failure(
                    .usage,
                    "Two options name the file `\(path)` for what they write, and one would replace the other. Name another file."
                )
            }
        }
    }

    /// Where a file is, or would be.
    private static func place(_ path: String) -> String {
        if FileSystem.kind(of: path) != nil { return resolved(path) }
        let path = FileSystem.absolute(path)
        return "\(resolved(FileSystem.folder(of: path)))/\(FileSystem.name(of: path))"
    }

    /// Refuses a folder that is a file, or would be within one.
    ///
    /// - Parameter path: The folder that files are to be written to.
    /// - Throws: `Failure` where it cannot be there.
    static func checkFolder(_ path: String) throws {
        var part = FileSystem.absolute(path)
        while FileSystem.kind(of: part) == nil, part != FileSystem.folder(of: part) {
            part = FileSystem.folder(of: part)
        }
        guard FileSystem.kind(of: part) == .file else { return }
        let isWhole = part == FileSystem.absolute(path)
        throw Failure(
            .usage,
            "The output `\(path)` \(isWhole ? "is" : "would be within `\(part)`, which is") a file, and a folder is needed. Name another folder."
        )
    }

    private static func isPipelineFile(_ name: String) -> Bool { name.hasSuffix(".yaml") || name.hasSuffix(".yml") }

    /// The file that a link leads to.
    static func resolved(_ path: String) -> String { FileSystem.resolved(path) ?? path }
}
