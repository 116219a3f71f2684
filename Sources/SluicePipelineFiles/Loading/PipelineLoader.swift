package import SluiceDiagnostics
package import SluicePipeline
internal import SluiceYAML

/// Reads and checks pipeline files.
package enum PipelineLoader {
    /// What a file is read for.
    package typealias Mode = ReadingMode

    /// Reads a file.
    ///
    /// - Parameters:
    ///   - path: The file; what it names is relative to its folder.
    ///   - variables: Values that win over those under `vars`.
    ///   - environment: What `${env:}` may name.
    ///   - mode: What the file is read for.
    ///   - texts: Where its text is, and those of the files that it includes.
    /// - Returns: The definition, or nil where there are errors, and all problems by position.
    package static func load(
        path: String, variables: [String: String] = [:], environment: [String: String], mode: Mode,
        texts: PipelineTexts = PipelineTexts()
    ) -> (PipelineDefinition?, [Diagnostic]) {
        let bytes: [UInt8]
        do throws(FileReader.Failure) {
            bytes = try texts.read(path, maximumBytes: YAMLDocument.Limits().maximumBytes)
        } catch {
            let kind = ProblemKind.unreadableFile
            let detail = "The file \(error.reason)."
            return (
                nil,
                [
                    Diagnostic(
                        code: kind.code, summary: kind.summary, detail: detail, location: SourceLocation(file: path),
                        help: error.help)
                ]
            )
        }
        return load(
            bytes: bytes, file: path, variables: variables, environment: environment, mode: mode,
            specification: .current, texts: texts, elsewhere: NeighbouringFiles(path: path).file(with:))
    }

    /// Reads the text of a file; no bytes make it trap.
    ///
    /// - Parameters:
    ///   - bytes: The text.
    ///   - file: The file that it is, or would be, the content of.
    ///   - variables: Values that win over those under `vars`.
    ///   - environment: What `${env:}` may name.
    ///   - mode: What the text is read for.
    /// - Returns: The definition, or nil where there are errors, and all problems by position.
    package static func load(
        bytes: [UInt8], file: String, variables: [String: String] = [:], environment: [String: String], mode: Mode
    ) -> (PipelineDefinition?, [Diagnostic]) {
        load(
            bytes: bytes, file: file, variables: variables, environment: environment, mode: mode,
            specification: .current)
    }

    /// Reads the text of a file by another specification than the current one.
    package static func load(
        bytes: [UInt8], file: String, variables: [String: String] = [:], environment: [String: String], mode: Mode,
        specification: SpecificationCatalog, texts: PipelineTexts = PipelineTexts(),
        elsewhere: @escaping (String) -> String? = { _ in nil }
    ) -> (PipelineDefinition?, [Diagnostic]) {
        let document = YAMLDocument(reading: bytes)
        let source = SourceFile(name: file, bytes: bytes, root: document.root)
        let reporter = Reporter(elsewhere: elsewhere)
        YAMLProblems(file: source, reporter: reporter).report(document.problems)
        guard let root = document.root, document.isUsable else {
            if document.problems.isEmpty {
                let help = "A pipeline file begins with `version: 1`."
                let place = SourcePlace(file: source, mark: .start)
                reporter.report(.emptyFile, "The file holds no pipeline.", at: place, help: help)
            }
            return (nil, reporter.list.sorted)
        }
        let context = Expander.Context(environment: environment, mode: mode, file: source, texts: texts)
        let table = VariableTable(root: root, overrides: variables, context: context, reporter: reporter)
        func makeExpander(of file: SourceFile) -> Expander {
            let context = Expander.Context(environment: environment, mode: mode, file: file, texts: texts)
            return Expander(context: context, reporter: reporter, variables: table.variables)
        }
        var config = makeExpander(of: source).expand(root: root, variables: table.node)
        // Nobody is told of a run on a recording, which needs no secrets either.
        if mode == .replay { config = config.without("notify") }
        if let list = config.member("include") {
            var files = IncludedFiles(
                of: source, reporter: reporter, specification: specification, texts: texts,
                makeExpander: makeExpander)
            files.read(list)
            config = config.including(files)
        }
        SpecChecker(reporter: reporter, specification: specification)
            .check(config, against: .section(specification.topLevel), at: SpecChecker.Place())
        for named in NamedFile.all(in: config) { texts.record(named) }
        let builder = PipelineBuilder(
            root: config.pruned(to: .section(specification.topLevel)), written: config, file: file, reporter: reporter,
            keys: specification.keys)
        let definition = builder.build()
        return (reporter.list.hasErrors ? nil : definition, reporter.list.sorted)
    }
}

extension ConfigNode {
    /// The pipeline file with the entities of other files before its own.
    fileprivate func including(_ files: IncludedFiles) -> ConfigNode {
        guard var members else { return self }
        let index = members.firstIndex { $0.name == "entities" }
        // What is no mapping is said to be none by the checker.
        if let index, members[index].value.members == nil { return self }
        var files = files
        files.add(entities: index.map { members[$0].value })
        if files.entities.isEmpty { return self }
        let content = Content.mapping(files.entities)
        if let index {
            members[index].value.content = content
        } else {
            let node = ConfigNode(content: content, start: start, end: start)
            members.append(ConfigMember(name: "entities", mark: start, value: node))
        }
        return ConfigNode(content: .mapping(members), start: start, end: end)
    }
}
