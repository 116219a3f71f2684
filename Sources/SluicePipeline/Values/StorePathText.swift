/// What follows `sqlite:` in the name of a store: the path of a file, never one of SQLite's own names.
package enum StorePathText {
    /// Why a text names no file, as sentences with what to do; nil where it does.
    package static func reason(against path: some StringProtocol) -> String? {
        problem(with: path).map { problem in [problem.message, problem.help ?? ""].joined(separator: " ") }
    }

    /// The URL of a path.
    package static func url(of path: String) -> String { "sqlite:" + (problem(with: path) == nil ? "" : "./") + path }

    /// The URL of a store with the path of its file from a folder on; another URL as it is.
    package static func resolve(_ url: String, in folder: String) -> String {
        let scheme = "sqlite:"
        guard url.hasPrefix(scheme) else { return url }
        return self.url(of: FilePath.join(folder, String(url.dropFirst(scheme.count))))
    }

    package static func problem(with path: some StringProtocol) -> TextProblem? {
        if path.isEmpty {
            return TextProblem(
                "A file must follow `sqlite:`.", help: "Write `sqlite:` and a file, such as `sqlite:shop.db`.")
        }
        if path.hasPrefix(":") {
            return TextProblem(
                "A store must be a file: `:memory:` would be lost at the end of the run.",
                help:
                    "Name a file, such as `sqlite:shop.db`; to see what a run would do, `sluice plan` writes nothing.")
        }
        if path.lowercased().hasPrefix("file:") {
            return TextProblem(
                "A store is named by its path, not by an SQLite URI.",
                help: "Write the path, as in `sqlite:shop.db`; a file whose name begins with `file:` is `./file:…`.")
        }
        return nil
    }
}
