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
            let functions = text.matches(of: /func ([A-Za-z]+)\(/).map(\.1)
            for suite in text.matches(of: /(?:struct|extension) ([A-Za-z]+Tests)\b/).map(\.1) {
                found[String(suite), default: []].formUnion(functions)
            }
        }
        return found
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
