internal import SluiceDiagnostics
internal import SluiceSwiftModels
internal import SluiceSystem

/// What becomes of the files of a folder with models: everything is known before the first one is written.
struct ModelFolderPlan {
    /// What becomes of files that are there.
    enum Overwrite: String, CaseIterable {
        /// They stay.
        case none
        /// Those that are to be different are written.
        case changed
        /// All are written.
        case all
    }

    /// What becomes of a file.
    enum Action: Equatable {
        case write, replace, keep, leave, remove
    }

    private let folder: String
    private let entries: [(name: String, action: Action, text: String)]

    /// Looks at a folder.
    ///
    /// - Parameters:
    ///   - files: The files as they are to be.
    ///   - folder: The folder, which need not be there.
    ///   - overwrite: What becomes of files that are there.
    ///   - removesStale: Whether files that the program wrote and that are no longer needed are removed.
    /// - Throws: ``Failure`` where a file of a person's is in the way.
    init(_ files: [ModelFile], in folder: String, overwrite: Overwrite, removesStale: Bool) throws {
        self.folder = folder
        var entries: [(name: String, action: Action, text: String)] = []
        var strangers: [String] = []
        for file in files {
            let path = FileSystem.resolve(file.name, in: folder)
            guard FileSystem.kind(of: path) != nil else {
                entries.append((file.name, .write, file.text))
                continue
            }
            let text = String(decoding: try FileSystem.contents(of: path), as: UTF8.self)
            if file.isStub {
                entries.append((file.name, .keep, ""))
            } else if !ModelFile.isManaged(text) {
                strangers.append(path)
            } else if text == file.text && overwrite != .all {
                entries.append((file.name, .keep, ""))
            } else {
                entries.append((file.name, overwrite == .none ? .leave : .replace, file.text))
            }
        }
        if let first = strangers.first {
            let others = strangers.count > 1 ? " and \(Plural.of(strangers.count - 1, "other"))" : ""
            throw Failure(
                .failed,
                "The file `\(first)`\(others) is in the way: it has no line `\(ModelFile.marker)`, so it is yours. Move it, or name another folder. Nothing was written."
            )
        }
        if removesStale {
            entries += try Self.stale(in: folder, besides: Set(files.map(\.name))).map { ($0, .remove, "") }
        }
        self.entries = entries.sorted { $0.name < $1.name }
    }

    /// The files in a folder that the program wrote and that are not among some names.
    static func stale(in folder: String, besides names: Set<String>) throws -> [String] {
        guard FileSystem.kind(of: folder) != nil else { return [] }
        return try FileSystem.names(in: folder).filter { name in
            guard name.hasSuffix(".swift"), !names.contains(name) else { return false }
            let path = FileSystem.resolve(name, in: folder)
            guard FileSystem.kind(of: path) == .file else { return false }
            return ModelFile.isManaged(String(decoding: try FileSystem.contents(of: path), as: UTF8.self))
        }
    }

    /// Writes and removes the files.
    ///
    /// - Throws: ``Failure`` or `SystemError`.
    func perform(_ context: CommandContext) throws {
        try FileSystem.makeFolders(folder, isPrivate: false)
        for entry in entries {
            let path = FileSystem.resolve(entry.name, in: folder)
            switch entry.action {
            case .keep, .leave: break
            case .remove: try FileSystem.delete(path)
            case .write, .replace:
                let output = try ResultOutput(path: path, context: context)
                try output.write(entry.text)
                try output.finish()
            }
        }
    }

    /// A line for each file.
    func text(isDone: Bool) -> String {
        entries.map { entry in
            let path = PrintableText.escape(FileSystem.resolve(entry.name, in: folder))
            let words =
                switch entry.action {
                case .write: isDone ? "written" : "to be written"
                case .replace: isDone ? "replaced" : "to be replaced"
                case .keep: "unchanged"
                case .leave: "left as it is, although it differs"
                case .remove: isDone ? "removed" : "to be removed"
                }
            return "\(path)  (\(words))\n"
        }.joined()
    }
}
