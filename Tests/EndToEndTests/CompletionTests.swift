import Foundation
import TestSupport
import Testing

/// The shells themselves load the completions and say what they would offer.
@Suite struct CompletionTests {
    /// What is typed so far, its last word being completed, and what is offered.
    static let lines: [(typed: String, offers: Set<String>)] = [
        ("sluice con", ["conflicts"]), ("sluice conflicts ", ["list", "show", "resolve", "export", "import"]),
        ("sluice quarantine s", ["show"]), ("sluice conflicts resolve --ta", ["--take"]),
        ("sluice conflicts resolve 3 --take ", ["local", "remote", "base"]),
        ("sluice conflicts resolve --note run --take l", ["local"]), ("sluice --format json quar", ["quarantine"]),
        ("sluice run --log-level w", ["warning"]), ("sluice completions ", ["bash", "zsh", "fish"]),
        ("sluice help exp", ["export"]), ("sluice conflicts import da", ["data.csv"]),
        ("sluice run -o my", ["my file.txt"]), ("sluice run my", ["my file.txt"]), ("sluice status zz", []),
        ("sluice edits --format c", ["csv"]), ("sluice status --format c", []),
        ("sluice schedule ne", ["next"]), ("sluice schedule my", ["my file.txt"]),
        ("sluice schedule next --ti", ["--timezone"]), ("sluice schedule --ne", ["--next"]),
        ("sluice history 3 my", ["my file.txt"]),
        ("sluice conflicts list sh", ["shop.db"]),
    ]

    private static let bashOnly: [(typed: String, offers: Set<String>)] = [
        ("sluice status --format = ", ["text", "json"]), ("sluice status --format = j", ["json"]),
        ("sluice run --store ", ["sqlite:", "postgres://"]), ("sluice run --store sqlite : sh", ["shop.db"]),
        ("sluice run --store = sqlite : ", ["shop.db", "data.csv", "my file.txt", "sluice.bash", "try.bash"]),
        ("sluice status --format=j", ["--format=json"]), ("sluice run --store=sqlite:sh", ["--store=sqlite:shop.db"]),
        ("sluice -", ["--help", "--version"]),
    ]

    private static func isInstalled(_ shell: String) -> Bool {
        (ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin").split(separator: ":")
            .contains { FileManager.default.isExecutableFile(atPath: "\($0)/\(shell)") }
    }

    /// A folder with files to offer and the script for a shell.
    private func makeFolder(_ shell: String) throws -> TemporaryDirectory {
        let folder = try TemporaryDirectory()
        for name in ["data.csv", "my file.txt", "shop.db"] { try Data().write(to: URL(filePath: folder.file(name))) }
        let result = try Program.run("completions", shell, "--output", "sluice.\(shell)", in: folder.path)
        #expect(result.code == 0, "\(result.errors)")
        return folder
    }

    private func run(_ shell: String, _ arguments: [String], in folder: TemporaryDirectory) throws -> String {
        let result = try Running(
            executable: URL(filePath: "/usr/bin/env"), arguments: [shell] + arguments, folder: folder.path,
            environment: [:]
        ).wait()
        #expect(result.code == 0 && result.errors.isEmpty, "\(result.output)\(result.errors)")
        return result.output
    }

    @Test func bashOffersWhatMayFollow() throws {
        let folder = try makeFolder("bash")
        let all = Self.lines + Self.bashOnly
        // Readline hands over the words, split at = and : as well; compopt is of use within readline alone.
        let script = """
            source ./sluice.bash
            complete -p sluice
            compopt() { :; }
            try() {
                COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)) COMPREPLY=()
                _sluice
                printf '%s\\n' "${COMPREPLY[@]}" --
            }

            """
        let calls = all.map { line in
            "try "
                + line.typed.split(separator: " ", omittingEmptySubsequences: false).map { "'\($0)'" }
                .joined(separator: " ")
        }
        try (script + calls.joined(separator: "\n")).write(
            toFile: folder.file("try.bash"), atomically: true, encoding: .utf8)
        let output = try run("bash", ["--norc", "try.bash"], in: folder)
        #expect(output.hasPrefix("complete -F _sluice sluice\n"))
        let offers = output.split(separator: "\n").dropFirst().split(separator: "--", omittingEmptySubsequences: false)
        #expect(offers.count == all.count + 1)
        for (line, found) in zip(all, offers) { #expect(Set(found.map(String.init)) == line.offers, "\(line.typed)") }
    }

    @Test(.enabled(if: isInstalled("fish"), "fish is not installed")) func fishOffersWhatMayFollow() throws {
        let folder = try makeFolder("fish")
        for line in Self.lines {
            let output = try run(
                "fish", ["--no-config", "-c", "source sluice.fish; complete -C '\(line.typed)'"], in: folder)
            let found = output.split(separator: "\n").map { String($0.split(separator: "\t")[0]) }
            #expect(Set(found) == line.offers, "\(line.typed)")
        }
    }

    @Test(.enabled(if: isInstalled("zsh"), "zsh is not installed")) func zshLoadsIt() throws {
        let folder = try makeFolder("zsh")
        let script = """
            autoload -Uz compinit && compinit -u -D && source ./sluice.zsh
            print $_comps[sluice] $+functions[_sluice] $+functions[_sluice_conflicts] $+functions[_sluice_quarantine]
            print $+functions[_sluice_schedule] $+functions[_sluice_schedule_words]
            """
        #expect(try run("zsh", ["-f", "-c", script], in: folder) == "_sluice 1 1 1\n1 1\n")
    }
}
