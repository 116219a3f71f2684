internal import SluiceDiagnostics

/// A file of models as it is to be.
package struct ModelFile: Sendable, Hashable {
    /// The name, without its folder.
    package let name: String
    /// What it holds.
    package let text: String
    /// Whether it is written once and then a person's.
    package let isStub: Bool

    /// What tells files that are written again from those of people: it stands behind leading comments.
    package static let marker = "// sluice:generated"

    /// Whether a file says of itself that it is written by the program.
    package static func isManaged(_ text: String) -> Bool { markerLine(of: text) != nil }

    /// The line with the marker; nil where none stands behind leading comments.
    package static func markerLine(of text: String) -> Substring? {
        for line in TextLines.of(text) {
            let line = line.drop { $0 == " " || $0 == "\t" }
            if line.hasPrefix(marker) { return line }
            if !line.isEmpty && !line.hasPrefix("//") { return nil }
        }
        return nil
    }

    /// Whether comments stand before the marker of a file.
    package static func hasHeader(_ text: String) -> Bool {
        guard let line = markerLine(of: text) else { return false }
        return !text[..<line.startIndex].allSatisfy(\.isWhitespace)
    }

    /// How a file was made, as its marker says; what is usual where it has none.
    package static func options(ofFile text: String) -> SwiftModelOptions {
        guard let markerLine = markerLine(of: text) else { return SwiftModelOptions() }
        let words = markerLine.split(separator: " ").map(String.init)
        let start = words.lastIndex(of: "with").map { $0 + 1 } ?? words.count
        return SwiftModelOptions(words: words[start...])
    }
}

/// The files that models are written to.
package struct ModelFiles {
    /// How models are put into files.
    package enum Layout: String, Sendable {
        /// All in one, `Models.swift`.
        case single
        /// Each in one of its own.
        case byEntity
    }

    private let models: [SwiftModel]
    private let writer: SwiftModelWriter
    private let options: SwiftModelOptions
    private let header: String?
    private let origin: String

    /// Makes them.
    ///
    /// - Parameters:
    ///   - models: The models.
    ///   - options: How they are made.
    ///   - header: The comment that each file begins with, with `{{ file }}` for its name and `{{ source }}` for what it is
    ///     made of; nil for none.
    ///   - origin: What they are made of where no pipeline file says it.
    package init(_ models: [SwiftModel], _ options: SwiftModelOptions, header: String? = nil, origin: String) {
        self.models = models
        self.options = options
        self.header = header
        self.origin = origin
        writer = SwiftModelWriter(models, options)
    }

    /// The name of the only file.
    package static let singleName = "Models.swift"

    /// The files.
    ///
    /// - Parameters:
    ///   - layout: How models are put into files.
    ///   - stubs: Whether there is a file for each model that people add to.
    /// - Returns: The files, sorted by their names.
    package func files(_ layout: Layout, stubs: Bool) -> [ModelFile] {
        var files: [ModelFile] = []
        switch layout {
        case .single: files = [ModelFile(name: Self.singleName, text: text(Self.singleName, models), isStub: false)]
        case .byEntity:
            files = models.map { model in
                let name = "\(model.type).swift"
                return ModelFile(name: name, text: text(name, [model]), isStub: false)
            }
        }
        if stubs {
            files += models.map {
                ModelFile(name: "\($0.type)+Extras.swift", text: writer.stub(of: $0), isStub: true)
            }
        }
        return files.sorted { $0.name < $1.name }
    }

    /// A file of some models.
    package func text(_ name: String, _ models: [SwiftModel]) -> String {
        var sources: [String] = []
        for source in models.flatMap(\.sources) where !sources.contains(source) { sources.append(source) }
        let source = sources.isEmpty ? origin : sources.joined(separator: ", ")
        var text = ""
        if let header {
            let filled = header.replacing("{{ file }}", with: name).replacing("{{ source }}", with: source)
            var lines = TextLines.of(filled)
            if lines.last?.isEmpty == true { lines.removeLast() }
            text += lines.map { $0 + "\n" }.joined()
        }
        let words = options.words.isEmpty ? "" : " with \(options.words.joined(separator: " "))"
        text += "\(ModelFile.marker) from \(source)\(words)\n\n\(writer.imports(of: models))"
        for model in models { text += "\n\(writer.text(of: model))" }
        return text
    }

    /// Why a text cannot be the header; nil where it can.
    package static func problem(withHeader text: String) -> String? {
        for (index, line) in TextLines.of(text).enumerated() {
            let line = line.drop { $0 == " " || $0 == "\t" }
            if line.isEmpty || line.hasPrefix("//") && !line.hasPrefix(ModelFile.marker) { continue }
            return "line \(index + 1) is no comment; each line begins with `//`"
        }
        return nil
    }
}
