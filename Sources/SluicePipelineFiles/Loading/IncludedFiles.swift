internal import SluiceDiagnostics
internal import SluicePipeline
internal import SluiceYAML

/// Reads the files that a pipeline includes, and those that they include, for the entities in them.
struct IncludedFiles {
    private static let maximumDepth = 16

    private let reporter: Reporter
    private let specification: SpecificationCatalog
    private let texts: PipelineTexts
    /// Makes the expander of a file: it knows the variables of the pipeline, whichever file uses them.
    private let makeExpander: (SourceFile) -> Expander
    /// The files that are being read, each within the one before it.
    private var open: [String]
    /// The files that were read: one that two others include counts once.
    private var finished: Set<String> = []
    /// The entities, in the order of inclusion: those of an included file come before those of its includer.
    private(set) var entities: [ConfigMember] = []

    init(
        of file: SourceFile, reporter: Reporter, specification: SpecificationCatalog, texts: PipelineTexts,
        makeExpander: @escaping (SourceFile) -> Expander
    ) {
        self.reporter = reporter
        self.specification = specification
        self.texts = texts
        self.makeExpander = makeExpander
        open = [FilePath.canonical(file.name)]
    }

    /// Reads the files of a list.
    ///
    /// - Parameter list: The value of `include`; what is wrong with its shape is said elsewhere.
    mutating func read(_ list: ConfigNode?) {
        for element in list?.elements ?? [] {
            guard let scalar = element.scalar, scalar.value == .string, !scalar.text.isSecret else { continue }
            if scalar.text.revealed.isEmpty || scalar.isPlaceholder { continue }
            read(scalar.text.revealed, at: element.start)
        }
    }

    /// Adds the entities of a file to those that it includes.
    ///
    /// - Parameter node: The value of `entities`.
    mutating func add(entities node: ConfigNode?) {
        for member in node?.members ?? [] {
            guard let other = entities.first(where: { $0.name == member.name }) else {
                entities.append(member)
                continue
            }
            reporter.report(
                .duplicateName, "Another file already has an entity `\(member.name)`.", at: member.mark,
                help: "Give one of them another name, or leave one of them out.",
                notes: [Diagnostic.Note(text: "the other one is at", location: other.mark.location)])
        }
    }

    private mutating func read(_ name: String, at place: SourcePlace) {
        let path = FilePath.join(place.file.folder, name)
        let identity = FilePath.canonical(path)
        if let start = open.firstIndex(of: identity) {
            let circle = (open[start...] + [identity]).compactMap { $0.split(separator: "/").last }
            return reporter.report(
                .includeCycle, "The file includes itself: \(circle.joined(separator: " → ")).", at: place,
                help: "Move what both need into a third file.")
        }
        guard finished.insert(identity).inserted else { return }
        if open.count > Self.maximumDepth {
            let detail = "Files are included more than \(Self.maximumDepth) deep."
            return reporter.report(.includeDepth, detail, at: place, help: "Include the file further up.")
        }
        let bytes: [UInt8]
        do throws(FileReader.Failure) {
            bytes = try texts.read(path, maximumBytes: YAMLDocument.Limits().maximumBytes)
        } catch {
            return reporter.report(
                .unreadableFile, "The included file `\(name)` \(error.reason).", at: place,
                help: "The path is relative to the file that includes it. \(error.help)")
        }
        open.append(identity)
        read(bytes, of: path, at: place)
        open.removeLast()
    }

    private mutating func read(_ bytes: [UInt8], of path: String, at place: SourcePlace) {
        let document = YAMLDocument(reading: bytes)
        let file = SourceFile(name: path, bytes: bytes, root: document.root, includedAt: place)
        YAMLProblems(file: file, reporter: reporter).report(document.problems)
        guard let root = document.root, document.isUsable else {
            if document.problems.isEmpty {
                let place = SourcePlace(file: file, mark: .start)
                reporter.report(
                    .emptyFile, "The included file is empty.", at: place,
                    help: "An included file has `entities`, or an `include` of its own.")
            }
            return
        }
        let node = makeExpander(file).expand(root)
        let section = ValueSpec.section(specification.includedFile)
        SpecChecker(reporter: reporter, specification: specification)
            .check(node, against: section, at: SpecChecker.Place())
        read(node.member("include"))
        add(entities: node.member("entities"))
    }
}
