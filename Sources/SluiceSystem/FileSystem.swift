#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

/// Questions about paths.
package enum FileSystem {
    /// What a path leads to.
    package enum Kind: Sendable {
        case file, folder, other
    }

    /// What a path leads to, or nil where there is nothing.
    package static func kind(of path: String) -> Kind? { try? existingKind(of: path) }

    /// What a path leads to.
    ///
    /// - Throws: ``SystemError`` where there is nothing, or where it cannot be looked at.
    package static func existingKind(of path: String) throws(SystemError) -> Kind {
        var status = stat()
        guard unsafe stat(path, &status) == 0 else { throw SystemError("look at", path) }
        switch status.st_mode & S_IFMT {
        case S_IFREG: return .file
        case S_IFDIR: return .folder
        default: return .other
        }
    }

    /// The size of a file in bytes, or nil where there is nothing.
    package static func size(of path: String) -> Int? {
        var status = stat()
        return unsafe stat(path, &status) == 0 ? Int(status.st_size) : nil
    }

    /// Who may read, write and run a file, as `chmod` takes it; nil where there is nothing.
    package static func permissions(of path: String) -> UInt32? {
        var status = stat()
        return unsafe stat(path, &status) == 0 ? status.st_mode & 0o777 : nil
    }

    /// Makes a folder for temporary files, of which the owner alone knows what it holds.
    ///
    /// - Returns: Its path, in `$TMPDIR` or `/tmp`.
    /// - Throws: ``SystemError``.
    package static func makeTemporaryFolder() throws(SystemError) -> String {
        let place = Environment.variable("TMPDIR") ?? "/tmp"
        var template = Array("\(place)/sluice-XXXXXX".utf8CString)
        guard let made = unsafe mkdtemp(&template) else {
            throw SystemError("create a temporary folder in", place)
        }
        return unsafe String(cString: made)
    }

    /// The folder for what this user's programs can make again: `$XDG_CACHE_HOME` or `~/.cache`, nil where there is none.
    package static var cacheFolder: String? {
        if let folder = Environment.variable("XDG_CACHE_HOME"), folder.hasPrefix("/") { return folder }
        return Environment.variable("HOME").flatMap { $0.hasPrefix("/") ? "\($0)/.cache" : nil }
    }

    /// A path made absolute by a folder.
    package static func resolve(_ path: String, in folder: String) -> String {
        // By bytes: a slash that a combining mark follows is another Character, and still a slash for the system.
        let slash = UInt8(ascii: "/")
        if path.utf8.first == slash || folder.isEmpty { return path }
        return folder.utf8.last == slash ? folder + path : folder + "/" + path
    }

    /// A path from the root, without `.` and doubled slashes; `..` is kept, since a folder may be a link.
    package static func absolute(_ path: String) -> String {
        var whole = path
        if !path.hasPrefix("/"), let folder = unsafe getcwd(nil, 0) {
            defer { unsafe free(folder) }
            whole = unsafe String(cString: folder) + "/" + path
        }
        return "/" + whole.split(separator: "/").filter { $0 != "." }.joined(separator: "/")
    }

    /// The path from the root to what a path leads to, without links; nil where there is nothing.
    package static func resolved(_ path: String) -> String? {
        guard let resolved = unsafe realpath(path, nil) else { return nil }
        defer { unsafe free(resolved) }
        return unsafe String(cString: resolved)
    }

    /// A path from the root without `..`: each leads to the folder above the one that the path before it really is.
    package static func normalized(_ path: String) -> String {
        let path = absolute(path)
        var parts: [Substring] = []
        for part in path.split(separator: "/") {
            guard part == ".." else {
                parts.append(part)
                continue
            }
            let before = "/" + parts.joined(separator: "/")
            if let real = unsafe realpath(before, nil) {
                defer { unsafe free(real) }
                parts = unsafe String(cString: real).split(separator: "/")
            }
            _ = parts.popLast()
        }
        return "/" + parts.joined(separator: "/")
    }

    /// The name of a file without folder and last extension.
    package static func stem(of path: String) -> String {
        let name = path.utf8.split(separator: UInt8(ascii: "/")).last ?? path.utf8[...]
        guard let dot = name.lastIndex(of: UInt8(ascii: ".")), dot != name.startIndex else {
            return String(name) ?? path
        }
        return String(name[..<dot]) ?? path
    }

    /// How many bytes may still be written to the disk of a folder; nil where that is not known.
    package static func room(in folder: String) -> Int? {
        var status = statvfs()
        guard unsafe statvfs(folder, &status) == 0 else { return nil }
        return Int(clamping: UInt64(status.f_bavail) * UInt64(status.f_frsize))
    }

    /// Whether this process may write to a file or folder.
    package static func isWritable(_ path: String) -> Bool { unsafe access(path, W_OK) == 0 }

    /// Whether this process may read a file or folder.
    package static func isReadable(_ path: String) -> Bool { unsafe access(path, R_OK) == 0 }

    /// Whether this process may start a file as a program.
    package static func isExecutable(_ path: String) -> Bool {
        unsafe access(path, X_OK) == 0 && kind(of: path) == .file
    }

    /// What changes whenever a file is written or replaced, or nil where there is nothing.
    package static func version(of path: String) -> [Int]? {
        var status = stat()
        guard unsafe stat(path, &status) == 0 else { return nil }
        let time = systemWriteTime(status)
        return [Int(status.st_ino), Int(status.st_size), time.tv_sec, time.tv_nsec]
    }

    /// What tells the file or folder that a path leads to from others that are there at the same time, by whatever path; nil where there is
    /// nothing.
    package static func identity(of path: String) -> [UInt64]? {
        var status = stat()
        guard unsafe stat(path, &status) == 0 else { return nil }
        return [UInt64(truncatingIfNeeded: status.st_dev), UInt64(truncatingIfNeeded: status.st_ino)]
    }

    /// The last part of a path.
    package static func name(of path: String) -> String {
        path.utf8.split(separator: UInt8(ascii: "/")).last.flatMap { String($0) } ?? path
    }

    /// The folder that holds a path.
    package static func folder(of path: String) -> String {
        let bytes = Array(path.utf8)
        guard let slash = bytes.lastIndex(of: UInt8(ascii: "/")) else { return "." }
        return slash == 0 ? "/" : String(decoding: bytes[..<slash], as: UTF8.self)
    }

    /// Deletes a file that nobody misses: nothing happens where there is none, or where it cannot be deleted.
    package static func remove(_ path: String) { _ = unsafe unlink(path) }

    /// Deletes a file; nothing happens where there is none.
    ///
    /// - Throws: ``SystemError`` where it is still there.
    package static func delete(_ path: String) throws(SystemError) {
        if unsafe unlink(path) != 0, errno != ENOENT { throw SystemError("delete", path) }
    }

    /// Gives a file another name, at once and for all readers. See: `man 2 rename`
    ///
    /// - Throws: ``SystemError``.
    package static func rename(_ path: String, to other: String) throws(SystemError) {
        if systemRename(path, other) != 0 { throw SystemError("rename", path) }
    }
}
