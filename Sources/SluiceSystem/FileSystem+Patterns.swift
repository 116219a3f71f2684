#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

extension FileSystem {
    /// Whether a path has characters that a pattern gives a meaning to.
    package static func isPattern(_ path: String) -> Bool { path.utf8.contains { "*?[".utf8.contains($0) } }

    /// A path as the pattern that matches nothing else.
    package static func escaped(_ path: String) -> String {
        String(
            decoding: path.utf8.flatMap { "*?[\\".utf8.contains($0) ? [UInt8(ascii: "\\"), $0] : [$0] }, as: UTF8.self)
    }

    /// The paths that a pattern matches, sorted by their bytes. See: `man 7 glob`
    ///
    /// Besides, `**` in the place of a name stands for any number of folders, also none. Like `*` it passes over names
    /// that begin with a dot, and it does not follow links, which may lead in a circle.
    package static func matches(of pattern: String) -> [String] {
        var found = expanded(pattern).sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
        // Where `**` stands twice, several ways may lead to a file.
        var previous: String?
        found.removeAll { path in
            defer { previous = path }
            return previous.map { $0.utf8.elementsEqual(path.utf8) } ?? false
        }
        return found
    }

    private static func expanded(_ pattern: String) -> [String] {
        let steps = pattern.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        guard let place = steps.firstIndex(where: { $0.elementsEqual("**".utf8) }) else {
            return paths(pattern, flags: 0)
        }
        func joined(_ steps: some Sequence<Substring.UTF8View>) -> String {
            steps.map { String(Substring($0)) }.joined(separator: "/")
        }
        let rest = joined(steps[(place + 1)...])
        let starts =
            place == 0 ? [""] : paths(joined(steps[..<place]) + "/", flags: 0).filter { kind(of: $0) == .folder }
        return starts.flatMap { [$0] + folders(below: $0) }.flatMap { folder in
            expanded(escaped(folder) + (rest.isEmpty ? "*" : rest))
        }
    }

    /// All folders below one, at any depth, each with a slash at its end like the one itself.
    private static func folders(below folder: String) -> [String] {
        paths(escaped(folder) + "*", flags: GLOB_ONLYDIR).filter { isFolderItself($0) }.flatMap { path in
            ["\(path)/"] + folders(below: "\(path)/")
        }
    }

    private static func isFolderItself(_ path: String) -> Bool {
        var status = stat()
        return unsafe lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }

    private static func paths(_ pattern: String, flags: Int32) -> [String] {
        var result = unsafe glob_t()
        defer { unsafe globfree(&result) }
        guard unsafe glob(pattern, flags, nil, &result) == 0, let paths = unsafe result.gl_pathv else {
            return []
        }
        return unsafe (0..<Int(result.gl_pathc)).compactMap { index in
            unsafe paths[index].map { unsafe String(cString: $0) }
        }
    }
}
