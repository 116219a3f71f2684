internal import SluicePipeline

extension NamedFile {
    /// The files that keys of a pipeline file name, in the order of its keys; none whose names come from elsewhere.
    static func all(in root: ConfigNode) -> [NamedFile] {
        let source = root.member("source")
        var files: [NamedFile?] = [
            source?.member("base_url").flatMap { node in
                guard let text = node.writtenText, let url = try? BaseURLText(text), case .file(let path) = url
                else { return nil }
                return NamedFile(use: .records, path: path, location: node.start.location)
            }
        ]
        files += ["ca_file", "client_cert", "client_key"].map { key in
            source?.member("tls")?.member(key).flatMap { NamedFile(.certificate, $0) }
        }
        files += (root.member("notify")?.elements ?? []).map { entry in
            // One without a slash is looked for where the system has its programs.
            entry.member("command")?.elements?.first.flatMap { NamedFile(.program, $0) }
                .flatMap { $0.path.contains("/") ? $0 : nil }
        }
        return files.compactMap(\.self)
    }

    private init?(_ use: Use, _ node: ConfigNode) {
        guard let path = node.writtenText else { return nil }
        self.init(use: use, path: path, location: node.start.location)
    }
}

extension ConfigNode {
    /// The text of a value that the file itself says; nil for others, and for what nobody may be told.
    fileprivate var writtenText: String? {
        guard let scalar, !scalar.isPlaceholder, !scalar.text.isSecret else { return nil }
        return scalar.text.revealed
    }
}
