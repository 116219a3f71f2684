import Foundation
import Testing

/// The page of capabilities names tests and programs that are there.
struct CapabilityTests {
    private let root = #filePath.components(separatedBy: "/Tests/")[0]

    /// The rows of the page's tables: what is there, what is here, how they compare, what shows it.
    private func rows() throws -> [[String]] {
        let page = try String(contentsOfFile: root + "/docs/library-capabilities.md", encoding: .utf8)
        return page.split(separator: "\n").filter { $0.hasPrefix("| ") && !$0.hasPrefix("| there |") }.map { line in
            line.split(separator: "|", omittingEmptySubsequences: false).dropFirst().dropLast().map {
                $0.trimmingCharacters(in: .whitespaces)
            }
        }
    }

    /// The tests of each suite, by its name.
    private func tests() throws -> [String: Set<Substring>] {
        var found: [String: Set<Substring>] = [:]
        for file in try FileManager.default.subpathsOfDirectory(atPath: root + "/Tests") where file.hasSuffix(".swift")
        {
            let text = try String(contentsOfFile: root + "/Tests/" + file, encoding: .utf8)
            found.merge(Self.tests(of: text)) { $0.union($1) }
        }
        return found
    }

    /// The tests of the suites of a file: functions with `@Test` between a suite's own braces.
    private static func tests(of text: String) -> [String: Set<Substring>] {
        var found: [String: Set<Substring>] = [:]
        var suite: String?
        var isTest = false
        for line in text.split(separator: "\n") {
            if line == "}" { suite = nil }
            if line.first?.isWhitespace == false, let match = line.firstMatch(of: /(?:struct|extension) (\w+Tests)\b/) {
                suite = String(match.1)
            }
            if line.contains("@Test") { isTest = true }
            guard let name = line.firstMatch(of: /\bfunc (\w+)/)?.1 else { continue }
            if isTest, let suite { found[suite, default: []].insert(name) }
            isTest = false
        }
        return found
    }

    @Test func findsTestsBetweenTheBracesOfTheirSuite() {
        let text = """
            @Suite struct OneTests {
                private func help() {}
                @Test func first() {}
                @Test(arguments: [
                    1,
                ])
                func second(_ number: Int) {}
            }

            struct TwoTests {
                @Test func third() {}
            }

            private func fourth() {}
            """
        #expect(Self.tests(of: text) == ["OneTests": ["first", "second"], "TwoTests": ["third"]])
    }

    @Test func namesTestsThatAreThere() throws {
        let tests = try tests()
        let rows = try rows()
        #expect(rows.count > 90)
        for row in rows {
            try #require(row.count == 4, "\(row)")
            #expect(["=", "+", "≠", "–"].contains(row[2]), "\(row)")
            let names = row[3].matches(of: /`([^`]+)`/).map(\.1)
            #expect(!names.isEmpty || row[1] == "–" || row[1].contains("performance.md"), "\(row)")
            for name in names {
                let parts = name.split(separator: ".")
                if parts.count == 2, name.contains("Tests.") {
                    #expect(tests[String(parts[0])]?.contains(parts[1]) == true, "there is no test \(name)")
                } else {
                    #expect(FileManager.default.fileExists(atPath: "\(root)/\(name)"), "there is no \(name)")
                }
            }
        }
    }
}
