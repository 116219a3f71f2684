/// Compares files that the program wrote with what it would write now.
package struct ManagedFiles {
    /// A file of a folder.
    package struct File: Sendable {
        /// The path, as it was found.
        package let path: String
        /// The name, without its folder.
        package let name: String
        /// What it holds.
        package let text: String

        /// Makes a file.
        package init(path: String, name: String, text: String) {
            (self.path, self.name, self.text) = (path, name, text)
        }
    }

    /// What differs, in the order of the files.
    package private(set) var findings: [ModelFinding] = []

    /// Compares the files of one folder. How its files are made is what a configuration says, else the first of them.
    ///
    /// - Parameters:
    ///   - files: The Swift files of the folder, sorted by their names.
    ///   - folder: The folder.
    ///   - models: The models of the pipelines.
    ///   - configuration: How they are to be made; nil where the files say it.
    ///   - command: What writes models, for remedies.
    package init(
        _ files: [File], in folder: String, _ models: [SwiftModel], _ configuration: SwiftConfiguration?,
        _ command: ModelCommandLine
    ) {
        let managed = files.filter { ModelFile.isManaged($0.text) }
        guard let first = managed.first else { return }
        let options = configuration?.options ?? ModelFile.options(ofFile: first.text)
        let isSingle = configuration?.isSingleFile ?? managed.contains { $0.name == ModelFiles.singleName }
        let layout = isSingle ? ModelFiles.Layout.single : .byEntity
        let expected = ModelFiles(models, options, origin: "").files(layout, stubs: false)
        let command = command.writing(
            to: folder, layout, options, hasHeader: managed.contains { ModelFile.hasHeader($0.text) })
        for file in expected {
            guard let found = files.first(where: { $0.name == file.name }) else {
                add(
                    .managedMissing, folder, nil, "The file `\(file.name)` is missing in `\(folder)`.",
                    help: "`\(command.text)` writes it.")
                continue
            }
            if !managed.contains(where: { $0.name == file.name }) {
                add(
                    .managedUnmanaged, found.path, 0,
                    "The file has no line `\(ModelFile.marker)`, and a generated one has its name.",
                    help: "Move it, or generate the models into another folder.")
            } else if let offset = Self.firstDifference(found.text, file.text) {
                add(
                    .managedDrift, found.path, offset, "The file is not what the program would write now.",
                    help:
                        "`\(command.text)` writes it again; what you add belongs into another file."
                )
            }
        }
        for file in managed where !expected.contains(where: { $0.name == file.name }) {
            add(
                .managedStale, file.path, 0, "No entity needs the file any more.",
                help: "`\(command.adding("--clean-stale").text)` removes it.")
        }
    }

    private mutating func add(
        _ code: ModelFinding.Code, _ file: String, _ offset: Int?, _ detail: String, help: String
    ) {
        findings.append(
            ModelFinding(
                code: code, severity: .error, file: file, offset: offset, detail: detail, help: help, edits: [],
                sources: []))
    }

    /// Where two files differ behind their markers, by the offset in the first one; nil where they do not.
    private static func firstDifference(_ found: String, _ expected: String) -> Int? {
        let (own, wanted) = (behindMarker(found), behindMarker(expected))
        let same = zip(own, wanted).prefix { $0 == $1 }.count
        if same == own.count, same == wanted.count { return nil }
        return found.utf8.count - own.count + same
    }

    private static func behindMarker(_ text: String) -> ArraySlice<UInt8> {
        let bytes = Array(text.utf8)
        guard let line = ModelFile.markerLine(of: text) else { return bytes[...] }
        let start = text.utf8.distance(from: text.startIndex, to: line.endIndex)
        return bytes[start...]
    }
}
