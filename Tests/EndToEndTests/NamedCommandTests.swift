import Foundation
import SluiceCommands
import Testing

/// Command lines that the documents name without running them are ones that the program takes.
@Suite struct NamedCommandTests {
    @Test func everyCommandLineIsTaken() throws {
        var count = 0
        for page in try ["README.md"] + ReadmeTests.pages {
            let text = try String(contentsOf: Program.project.appending(path: page), encoding: .utf8)
            for line in Self.lines(of: text) {
                guard let words = Self.words(of: line) else { continue }
                count += 1
                do throws(ArgumentParser.Problem) {
                    _ = try ArgumentParser.parse(Array(words.dropFirst()))
                } catch {
                    // Prose names commands and options without what they need.
                    if !error.message.contains(" needs ") { Issue.record("\(page): \(line): \(error.text)") }
                }
            }
        }
        #expect(count > 150)
    }

    /// What stands in backquotes, in blocks, or on a line that is indented.
    private static func lines(of text: String) -> [String] {
        let prose = text.split(separator: "\n").filter { !$0.hasPrefix("```") }.joined(separator: "\n")
        let quoted = prose.matches(of: #/`(sluice [^`\n]*)`/#).map { String($0.1) }
        let own = prose.split(separator: "\n").map { $0.drop { $0 == " " } }.filter { $0.hasPrefix("sluice ") }
        return quoted + own.map(String.init)
    }

    /// The words of a line as a shell reads them, up to where another command begins; nil of a pattern, which stands for
    /// many lines.
    private static func words(of line: String) -> [String]? {
        if line.contains("…") || line.contains("[") || line.contains("COMMAND") || line.contains("─►")
            || line.contains("$(") || line.contains("<(")
        {
            return nil
        }
        var words: [String] = []
        var word = ""
        var quote: Character?
        for character in line {
            if let open = quote {
                if character == open { quote = nil } else { word.append(character) }
            } else if character == "'" || character == "\"" {
                quote = character
            } else if character == " " {
                if !word.isEmpty { words.append(word) }
                word = ""
            } else {
                word.append(character)
            }
        }
        if !word.isEmpty { words.append(word) }
        let end = words.firstIndex { ["|", "||", "&&", ">", "2>", "#", ">>"].contains($0) } ?? words.count
        return words[..<end].map { $0.hasSuffix(";") ? String($0.dropLast()) : $0 }
    }
}
