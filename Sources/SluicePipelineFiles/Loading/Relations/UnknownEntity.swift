internal import SluiceDiagnostics
internal import SluicePipeline
internal import SluiceYAML

extension Reporter {
    /// Reports an entity that the pipeline does not have. Names hold within a pipeline: where a file beside it has one of
    /// that name, the message says which file and what to do.
    ///
    /// - Parameters:
    ///   - name: What was written.
    ///   - place: Where.
    ///   - names: The entities that there are.
    func reportUnknownEntity(_ name: String, at place: SourcePlace, among names: [String]) {
        let known = names.isEmpty ? nil : "The entities are \(names.quotedList)."
        let other = elsewhere(name).map {
            "`\($0)` has one, and a pipeline knows the entities of its own file and of those that it includes: move that entity and its streams here."
        }
        report(
            .unknownEntity, "There is no entity `\(name)` in this pipeline.", at: place,
            suggestion: other == nil ? Suggestion.nearest(to: name, among: names) : nil, help: other ?? known)
    }
}

/// The pipeline files in the folder of another one.
struct NeighbouringFiles {
    let path: String
    /// Of a folder with more files the others are not looked at.
    private static let most = 100

    /// The first of these files that has an entity.
    ///
    /// - Parameter name: The entity.
    /// - Returns: The file; nil where none has it.
    func file(with name: String) -> String? {
        let own = path.split(separator: "/").last
        return PipelineLocator.locate([FilePath.folder(of: path)]).0.prefix(Self.most).first { file in
            guard file.split(separator: "/").last != own,
                let bytes = try? FileReader.read(file, maximumBytes: YAMLDocument.Limits().maximumBytes)
            else { return false }
            let entities = YAMLDocument(reading: bytes).root?.mapping?.first { $0.name == "entities" }?.value
            return entities?.mapping?.contains { $0.name == name } == true
        }
    }
}
