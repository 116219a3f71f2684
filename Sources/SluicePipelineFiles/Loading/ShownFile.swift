internal import SluiceDiagnostics
internal import SluiceYAML

/// The text of a pipeline file as it may be shown to others: with `***` for each secret that stands in it.
package struct ShownFile: Sendable {
    /// Its lines.
    package let lines: [String]

    /// Reads a file; nil where it cannot be read.
    package init?(path: String) {
        guard let bytes = try? FileReader.read(path, maximumBytes: YAMLDocument.Limits().maximumBytes) else {
            return nil
        }
        self.init(bytes: bytes, file: path)
    }

    /// Takes the text of a file.
    package init(bytes: [UInt8], file: String) {
        let document = YAMLDocument(reading: bytes)
        let source = SourceFile(name: file, bytes: bytes, root: document.root, purpose: .page)
        var lines: [String] = []
        while let snippet = source.snippet(at: Mark(line: lines.count + 1, column: 1)) { lines.append(snippet.line) }
        self.lines = lines
    }
}
