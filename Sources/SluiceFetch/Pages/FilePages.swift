internal import SluiceDecode
package import SluicePages
package import SluicePipeline
internal import SluiceReport
internal import SluiceSystem

/// The pages of a `file:` source: each file that the path or pattern leads to is a page.
package enum FilePages {
    /// Finds the files of a stream, sorted by name.
    ///
    /// - Throws: ``SyncError`` where there is none.
    package static func find(base: String, stream: StreamDefinition) throws -> FetchedPages {
        let name = stream.path.map { trimmed($0.revealed) }
        let path = name.map { FileSystem.resolve($0, in: base) } ?? base
        var files: [String]
        if FileSystem.isPattern(path) && FileSystem.kind(of: path) == nil {
            // A folder may have such characters in its name.
            let folder = FileSystem.kind(of: base) == nil ? base : FileSystem.escaped(base)
            let pattern = name.map { FileSystem.resolve($0, in: folder) } ?? folder
            files = FileSystem.matches(of: pattern).filter { FileSystem.kind(of: $0) != .folder }
            if files.isEmpty {
                throw SyncError(
                    .fetchFailed,
                    "No file matches `\(path)` for the stream `\(stream.name)`. Check `base_url` and `path`; relative folders start at the pipeline's file."
                )
            }
        } else if FileSystem.kind(of: path) == .folder {
            let names = stream.format.hasRows ? [stream.format.rawValue] : ["json", "jsonl", "ndjson"]
            let endings = names.flatMap { [$0, "\($0).gz"] }
            files = endings.flatMap { FileSystem.matches(of: FileSystem.escaped(path) + "/*.\($0)") }.sorted()
            if files.isEmpty {
                let kinds = stream.format.hasRows ? ".\(stream.format.rawValue)" : ".json, .jsonl or .ndjson"
                throw SyncError(
                    .fetchFailed,
                    "The folder `\(path)` of the stream `\(stream.name)` has no \(kinds) file. Name the files with `path`."
                )
            }
        } else {
            files = [path]
        }
        for file in files where FileSystem.kind(of: file) == nil {
            throw SyncError(
                .fetchFailed,
                "The file `\(file)` of the stream `\(stream.name)` does not exist. Check `base_url` and `path`; relative folders start at the pipeline's file."
            )
        }
        var fetched = FetchedPages()
        fetched.pages = files.map { Page(content: .file(path: $0), name: $0, fileStem: stem(of: $0)) }
        fetched.coverage = .whole
        return fetched
    }

    /// The files that a pipeline over files reads, as far as they are there.
    package static func files(of pipeline: PipelineDefinition) -> [String] {
        guard case .file(let base) = pipeline.source.base else { return [] }
        return pipeline.streams.flatMap { stream in
            ((try? find(base: base, stream: stream))?.pages ?? []).map(\.name)
        }
    }

    /// The name of a page's file, which is the same whether or not it is packed.
    private static func stem(of path: String) -> String {
        FileSystem.stem(of: path.hasSuffix(".gz") ? String(path.dropLast(3)) : path)
    }

    /// A path below the folder, whether or not it begins with a slash, as URLs do it.
    private static func trimmed(_ path: String) -> String { String(path.drop { $0 == "/" }) }
}
