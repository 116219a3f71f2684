internal import SluiceSystem

/// Paths as text; nothing is looked up but the working directory.
package enum FilePath {
    /// The folder of a file, `.` where the path names none.
    package static func folder(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    /// A path that is relative to a folder; `..` is kept, since the folder may be a link.
    package static func join(_ folder: String, _ path: String) -> String {
        if path.hasPrefix("/") { return tidy(path) }
        return tidy(folder + "/" + path)
    }

    /// A path as seen from a folder, with `..` where it is not within it. Links are not followed.
    package static func relative(_ path: String, to folder: String) -> String {
        let target = absolute(path).split(separator: "/")
        let base = absolute(folder).split(separator: "/")
        let shared = zip(target, base).prefix { $0 == $1 }.count
        let parts = Array(repeating: "..", count: base.count - shared) + target.dropFirst(shared).map(String.init)
        return parts.isEmpty ? "." : parts.joined(separator: "/")
    }

    /// The path from the root.
    package static func absolute(_ path: String) -> String { FileSystem.absolute(path) }

    /// The path from the root without links, by which a file is told from others; of a file that does not exist, the
    /// absolute path.
    package static func canonical(_ path: String) -> String { FileSystem.resolved(path) ?? absolute(path) }

    /// The path without `.` and doubled slashes.
    private static func tidy(_ path: String) -> String {
        let parts = path.split(separator: "/").filter { $0 != "." }
        if path.hasPrefix("/") { return "/" + parts.joined(separator: "/") }
        return parts.isEmpty ? "." : parts.joined(separator: "/")
    }
}
