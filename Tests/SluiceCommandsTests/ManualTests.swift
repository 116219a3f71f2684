import Foundation
import SluiceCommands
import SluiceSystem
import TestSupport
import Testing

/// The reference of the commands and the manual page, which are made from the specifications.
@Suite struct ManualTests {
    @Test func referenceIsCurrent() {
        let root = #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(3).joined(separator: "/")
        let complaint = ExpectedFile("\(root)/docs/commands.md").complaint(about: CommandReference.markdown())
        #expect(complaint == nil)
    }

    @Test(arguments: CommandSpec.all.map(\.name))
    func everyCommandIsThere(_ name: String) throws {
        let command = try #require(CommandSpec.all.first { $0.name == name })
        let (reference, page) = (CommandReference.markdown(), ManualPage.text(version: Sluice.version))
        let heading = ".SS sluice \(name.replacing("-", with: "\\-"))"
        #expect(reference.contains("\n## sluice \(name)\n") && page.contains("\n\(heading)\n"))
        for option in command.optionSpecs where option.name != "--help" {
            #expect(reference.contains("`\(option.name)") || reference.contains(", \(option.name)"))
            #expect(page.contains(option.name.replacing("-", with: "\\-")))
        }
        for example in command.examples { #expect(reference.contains("\n    \(example)\n")) }
    }

    @Test func everyLinkOfTheReferenceLeadsToAHeading() {
        let reference = CommandReference.markdown()
        for command in CommandSpec.all {
            let anchor = "sluice-" + command.path.joined(separator: "-")
            #expect(reference.contains("(#\(anchor))"))
        }
    }

    @Test(
        "groff takes the page as it is",
        .enabled("groff is not installed") { FileSystem.kind(of: "/usr/bin/groff") == .file })
    func groffTakesThePage() throws {
        let shop = try Workshop()
        try shop.write(ManualPage.text(version: Sluice.version), to: "sluice.1")
        let process = Process()
        let (output, errors) = (Pipe(), Pipe())
        process.executableURL = URL(filePath: "/usr/bin/groff")
        process.arguments = ["-man", "-Tutf8", "-ww", "-P-cbou", "\(shop.folder)/sluice.1"]
        (process.standardOutput, process.standardError) = (output, errors)
        try process.run()
        let page = String(decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        let warnings = String(decoding: try errors.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        process.waitUntilExit()
        #expect(process.terminationStatus == 0 && warnings == "")
        for line in ["EXIT STATUS", "--detailed-exitcode", "sluice schedule next @daily --timezone Europe/Berlin"] {
            #expect(page.contains(line), "\(line)")
        }
    }

    @Test func thePageIsWrittenToAFile() throws {
        let shop = try Workshop()
        let printed = shop.run(["generate", "man"])
        #expect(printed.code == 0 && printed.output == ManualPage.text(version: Sluice.version))
        #expect(shop.run(["generate", "man", "--output", "\(shop.folder)/sluice.1"]).code == 0)
        #expect(try shop.read("sluice.1") == printed.output)
    }
}
