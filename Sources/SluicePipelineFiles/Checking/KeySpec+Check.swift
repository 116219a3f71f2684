internal import SluiceDiagnostics
internal import SluiceYAML

extension KeySpec {
    /// The messages about a value of this key, as text; none where it passes.
    ///
    /// - Parameter text: The value as YAML text, in which `${…}` stands for anything.
    /// - Returns: Errors only, by position; warnings are left out.
    package func problems(inValue text: String) -> [String] {
        let bytes = Array("\(name): \(text)\n".utf8)
        let document = YAMLDocument(reading: bytes)
        let reporter = Reporter()
        guard let root = document.root, document.problems.isEmpty else { return document.problems.map(\.message) }
        let file = SourceFile(name: name, bytes: bytes, root: root)
        let context = Expander.Context(environment: [:], mode: .validate, file: file)
        let node = Expander(context: context, reporter: reporter).expand(root)
        let section = SectionSpec(title: "a key", keys: [self])
        SpecChecker(reporter: reporter).check(node, against: .section(section), at: SpecChecker.Place())
        return reporter.list.sorted.filter { $0.severity == .error }.map(\.message)
    }
}
