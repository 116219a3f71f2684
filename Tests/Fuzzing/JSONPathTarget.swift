@testable import SluiceJSON

/// A path, a line break, and a JSON text that it is evaluated on; without a line break a document of our own.
enum JSONPathTarget {
    private static let document = Array(
        #"[{"a":"x","b":[1,2.5,{"a":"B","p":"(a|b)*"}],"c":null},[[],{}],"abc",-1e9,{"a":{"a":{"a":[3]}}}]"#.utf8)
    private static let steps = 20_000

    static func run(_ bytes: [UInt8]) {
        let parts = bytes.split(separator: UInt8(ascii: "\n"), maxSplits: 1, omittingEmptySubsequences: false)
        let text = String(decoding: parts[0], as: UTF8.self)
        match(text)
        let json = parts.count > 1 ? Array(parts[1]) : document
        let path: JSONPath
        do throws(JSONPathError) {
            path = try JSONPath(parsing: text)
        } catch {
            require((0...text.utf8.count).contains(error.offset), "\(error)")
            return
        }
        let parser = JSONParser()
        guard let root = try? unsafe parser.parse(json) else { return }
        var locator = JSONLocator(root: root)
        do throws(JSONError) {
            let found = try path.matches(in: root, maximumSteps: steps)
            require(!path.isSingular || found.count <= 1, "a path to one value finds \(found.count)")
            for match in found {
                guard let pointer = locator.pointer(to: match) else { fatalError("a match stands nowhere") }
                require(root.value(at: pointer)?.kind == match.kind, "\(pointer) leads elsewhere")
            }
            if path.isPlain {
                require(path.first(in: root)?.identity == found.first?.identity, "the first one differs")
            }
        } catch {
            require(error.code == .pathTooCostly, "\(error)")
        }
        read(json, path)
    }

    /// Records at the path: an error is as good as a record.
    private static func read(_ json: [UInt8], _ path: JSONPath) {
        guard
            let reader = try? unsafe JSONRecordReader(
                records: path, bufferSize: 64, source: JSONTarget.source(json, pieces: 7))
        else { return }
        while let record = try? reader.next() { _ = unsafe record.bytes.count }
    }

    /// The text as a regular expression, on texts that it may be about.
    private static func match(_ text: String) {
        guard let expression = try? IRegexp(parsing: text) else { return }
        for subject in ["", "a", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaab", text, "é\u{301}日本🚀\n"] {
            var steps = 0
            let isWhole = expression.matches(subject, isWhole: true, steps: &steps)
            let isPart = expression.matches(subject, isWhole: false, steps: &steps)
            require(!isWhole || isPart, "the whole text matches, but no part of it")
        }
    }
}
