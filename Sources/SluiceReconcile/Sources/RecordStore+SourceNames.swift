internal import SluiceModel
package import SluiceStore

extension RecordStore {
    /// Sources as they are called now, where a file names them as they were called before.
    ///
    /// - Parameters:
    ///   - paths: Their names as ``RecordMapping/path``.
    ///   - pipeline: The pipeline of the file, whose own sources are called as it says; nil where there is no file.
    /// - Returns: The same in the same order; what the store does not know stays as it is.
    /// - Throws: `StoreError`.
    package func namesOfNow(_ paths: [String], in pipeline: String?) throws -> [String] {
        if paths.isEmpty { return [] }
        let sources = try mappings(pipeline: nil, entity: nil).sorted { $0.path < $1.path }
        let known = Set(sources.map(\.path))
        return try paths.map { path in
            let parts = path.split(separator: "/", maxSplits: 1).map(String.init)
            if parts.count != 2 || parts[0] == pipeline || known.contains(path) { return path }
            let renamed = try sources.first { source in
                try !paths.contains(source.path) && wasCalled(source, pipeline: parts[0], stream: parts[1])
            }
            return renamed?.path ?? path
        }
    }

    private func wasCalled(_ source: RecordMapping, pipeline: String, stream: String) throws -> Bool {
        let isPipeline =
            try source.pipeline == pipeline
            || state.value(.formerName(pipeline), pipeline: source.pipeline, stream: "") != nil
        let isStream =
            try source.stream == stream
            || state.value(.formerName(stream), pipeline: source.pipeline, stream: source.stream) != nil
        return isPipeline && isStream
    }
}
