package import SluiceDiagnostics
internal import SluicePipeline
internal import SluiceSystem

/// Finds the pipeline files that arguments name.
package enum PipelineLocator {
    /// The files of paths, each of which is a file or a folder of `*.yaml` and `*.yml` files.
    ///
    /// - Parameter paths: Files and folders; what a folder holds is sorted by name.
    /// - Returns: The files in order, each once, and a problem for each path that gives none.
    package static func locate(_ paths: [String]) -> ([String], [Diagnostic]) {
        var files: [String] = []
        var problems: [Diagnostic] = []
        for path in paths {
            do throws(Failure) {
                for file in try locate(path) where !files.contains(file) { files.append(file) }
            } catch {
                problems.append(
                    Diagnostic(
                        code: error.kind.code, summary: error.kind.summary, detail: error.detail,
                        location: SourceLocation(file: MisplacedURL(path)?.shown ?? path), help: error.help))
            }
        }
        return (files, problems)
    }

    private struct Failure: Error {
        var kind: ProblemKind
        var detail: String
        var help: String
    }

    private static func locate(_ path: String) throws(Failure) -> [String] {
        let kind: FileSystem.Kind
        do {
            kind = try FileSystem.existingKind(of: path)
        } catch {
            if MisplacedURL(path) != nil {
                throw Failure(
                    kind: .unreadableFile, detail: "It is a URL, and no path.",
                    help: "Name a store with `--store URL`, and a source with `sluice init URL`.")
            }
            let failure = FileReader.Failure(error)
            let help =
                "Name a pipeline file or a folder of them; without a path it is the folder `pipelines`. `sluice init URL` makes a first one."
            throw Failure(
                kind: .unreadableFile, detail: "The path \(failure.reason).",
                help: error.isMissing ? help : failure.help)
        }
        guard kind == .folder else { return [path] }
        let names = try names(in: path).filter { $0.hasSuffix(".yaml") || $0.hasSuffix(".yml") }
        let files = names.filter { !$0.hasPrefix(".") }.sorted().map { FilePath.join(path, $0) }
        if files.isEmpty {
            throw Failure(
                kind: .noPipelines, detail: "The folder holds no `*.yaml` or `*.yml` file.",
                help: "Put a pipeline file into it, or name the file itself.")
        }
        return files
    }

    /// A URL that stands where a path belongs: whatever follows its scheme may hold a password.
    private struct MisplacedURL {
        private static let schemes = ["postgres", "postgresql", "sqlite"]
        let shown: String

        init?(_ path: String) {
            guard let colon = path.firstIndex(of: ":") else { return nil }
            let scheme = path[..<colon]
            let isURL = path[colon...].hasPrefix("://") || Self.schemes.contains(String(scheme))
            guard isURL, !scheme.isEmpty, scheme.allSatisfy({ $0.isASCII && $0.isLetter }) else { return nil }
            shown = "\(scheme):…"
        }
    }

    private static func names(in folder: String) throws(Failure) -> [String] {
        do {
            return try FileSystem.readableNames(in: folder)
        } catch {
            throw Failure(
                kind: .unreadableFile, detail: "The folder \(FileReader.Failure(error).reason).",
                help: "Check who may read it with `ls -ld`.")
        }
    }
}
