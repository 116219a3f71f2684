import SluiceJSON
import Testing

/// The public suite of RFC 9535.
@Suite("JSONPath suite", .enabled(if: Conformance.has("jsonpath"), "\(Conformance.absence)"))
struct JSONPathConformanceTests {
    /// Calls a closure with each case: its title, its selector and all of it.
    private func forEachCase(_ body: (_ title: String, _ selector: String, _ all: JSONElement) throws -> Void) throws {
        let parser = JSONParser()
        let suite = try unsafe parser.parse(try Conformance.bytes(of: "jsonpath/cts.json"))
        var tests = try #require(suite.member(named: "tests")).elements()
        while tests.next() {
            let selector = try #require(tests.value.member(named: "selector")?.string)
            let name = tests.value.member(named: "name")?.string ?? ""
            try body("\(name): \(selector)", selector, tests.value)
        }
    }

    @Test func pathsSelectWhatTheSuiteSays() throws {
        var evaluated = 0
        try forEachCase { title, selector, test in
            guard let document = test.member(named: "document") else { return }
            evaluated += 1
            let path = try JSONPath(parsing: selector)
            let found = try path.matches(in: document)
            var locator = JSONLocator(root: document)
            let places = found.map { ReferenceValue.string(Array((locator.normalizedPath(to: $0) ?? "?").utf8)) }
            let outcome = [ReferenceValue.array(found.map(ReferenceValue.init)), .array(places)]
            var allowed: [[ReferenceValue]] = []
            if let result = test.member(named: "result"), let paths = test.member(named: "result_paths") {
                allowed.append([ReferenceValue(result), ReferenceValue(paths)])
            }
            if var results = test.member(named: "results")?.elements(),
                var paths = test.member(named: "results_paths")?.elements()
            {
                while results.next(), paths.next() {
                    allowed.append([ReferenceValue(results.value), ReferenceValue(paths.value)])
                }
            }
            try #require(!allowed.isEmpty, "\(title)")
            #expect(allowed.contains(outcome), "\(title)")

            // The other ways to the same values.
            var visited: [ReferenceValue] = []
            var pointers: [String] = []
            path.forEach(in: document) { visited.append(ReferenceValue($0)) }
            path.forEachMatch(in: document) { pointers.append($1) }
            #expect(ReferenceValue.array(visited) == outcome[0], "\(title)")
            #expect(pointers == found.map { locator.pointer(to: $0) }, "\(title)")
            #expect(path.first(in: document).map(ReferenceValue.init) == visited.first, "\(title)")
            #expect(!path.isSingular || found.count <= 1)
        }
        #expect(evaluated == 456)
    }

    @Test func whatIsNoPathIsRefused() throws {
        var refused = 0
        try forEachCase { title, selector, test in
            guard test.member(named: "invalid_selector")?.boolean == true else { return }
            refused += 1
            let error = #expect(throws: JSONPathError.self, "\(title)") { try JSONPath(parsing: selector) }
            #expect((0...selector.utf8.count).contains(error?.offset ?? -1), "\(title)")
            #expect(error?.message.isEmpty == false, "\(title)")
        }
        #expect(refused == 247)
    }
}
