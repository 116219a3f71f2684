import Glibc
import SluiceDiagnostics
import SluicePipeline
import SluicePipelineFiles
import Testing

@Suite struct PipelineLocatorTests {
    @Test func folderGivesItsFilesByName() {
        let folder = TemporaryDirectory()
        for name in ["b.yaml", "a.yml", ".hidden.yaml", "notes.txt", "c.yaml.bak"] { folder.write(name, "") }
        let (files, problems) = PipelineLocator.locate([folder.path + "/"])
        #expect(files == ["\(folder.path)/a.yml", "\(folder.path)/b.yaml"])
        #expect(problems.isEmpty)
    }

    @Test func fileIsTakenAsItIsAndOnce() {
        let folder = TemporaryDirectory()
        let file = folder.write("notes.txt", "")
        #expect(PipelineLocator.locate([file, file]).0 == [file])
    }

    @Test func missingPathAndEmptyFolderSayWhatToDo() {
        let folder = TemporaryDirectory()
        let (files, problems) = PipelineLocator.locate(["\(folder.path)/none.yaml", folder.path])
        #expect(files.isEmpty)
        #expect(problems.map(\.code) == ["unreadable_file", "no_pipelines"])
        #expect(problems.allSatisfy { $0.help != nil && $0.location != nil })
    }

    /// A store that stands where a path belongs may name a password.
    @Test(arguments: ["postgres://u:hunter2@h/db", "postgres:hunter2", "https://u:hunter2@h/"])
    func urlInPlaceOfAPathIsNotRepeated(path: String) {
        let (files, problems) = PipelineLocator.locate([path])
        let text = TextDiagnosticRenderer().render(problems)
        #expect(files.isEmpty)
        #expect(text.contains("It is a URL, and no path."))
        #expect(text.contains("`--store URL`"))
        #expect(!text.contains("hunter2"), "\(text)")
    }

    @Test func missingFileIsOneProblem() {
        let (definition, problems) = PipelineLoader.load(path: "/nowhere/x.yaml", environment: [:], mode: .run)
        #expect(definition == nil)
        let text = TextDiagnosticRenderer().render(problems)
        #expect(
            text == """
                /nowhere/x.yaml: error: Cannot read the file: The file does not exist.
                    help: Check how the path is written.

                """)
    }

    /// Nobody writes to it, so whoever waits for it waits for ever.
    @Test func aNamedPipeIsRefusedAtOnce() throws {
        let folder = TemporaryDirectory()
        let pipe = folder.write("pipe.yaml", "")
        try #require(unsafe unlink(pipe) == 0 && mkfifo(pipe, 0o600) == 0)
        let direct = PipelineLoader.load(path: pipe, environment: [:], mode: .run).1
        #expect(
            TextDiagnosticRenderer().render(direct) == """
                \(pipe): error: Cannot read the file: The file is a named pipe.
                    help: Name a regular file; what a program writes can be kept in one first.

                """)
        #expect(PipelineLocator.locate([folder.path]).0 == [pipe])
        for text in [
            PipelineText.make(top: "include: [pipe.yaml]"),
            PipelineText.make(stream: "headers: {X-Token: '${file:./pipe.yaml}'}"),
        ] {
            let file = folder.write("p.yaml", text)
            let (definition, problems) = PipelineLoader.load(path: file, environment: [:], mode: .run)
            #expect(definition == nil)
            #expect(Fixtures.render(problems).contains("is a named pipe"), "\(Fixtures.render(problems))")
        }
    }

    @Test func aDeviceIsNoPipeline() {
        let problems = PipelineLoader.load(path: "/dev/null", environment: [:], mode: .run).1
        #expect(TextDiagnosticRenderer().render(problems).contains("The file is a device."))
    }

    /// As in `sluice validate <(make-pipeline)`.
    @Test func whatAShellHandsOverIsReadToItsEnd() throws {
        var ends: [Int32] = [0, 0]
        try #require(unsafe pipe(&ends) == 0)
        defer { close(ends[0]) }
        let text = PipelineText.make()
        #expect(unsafe write(ends[1], text, text.utf8.count) == text.utf8.count)
        close(ends[1])
        let (definition, problems) = PipelineLoader.load(path: "/dev/fd/\(ends[0])", environment: [:], mode: .run)
        #expect(Fixtures.render(problems) == "")
        #expect(definition?.name == "books")
    }

    @Test func relativeFilesAreFoundBesideThePipeline() {
        let folder = TemporaryDirectory()
        folder.write("token", "from a file\r\n")
        let text = PipelineText.make(stream: "headers: {X-Token: '${file:./token}'}", top: "store: sqlite:x.db")
        let file = folder.write("p.yaml", text)
        let (definition, problems) = PipelineLoader.load(path: file, environment: [:], mode: .run)
        #expect(Fixtures.render(problems) == "")
        #expect(definition?.streams.first?.headers.first?.value.revealed == "from a file")
        #expect(definition?.store == "sqlite:\(folder.path)/x.db")
        #expect(definition?.file == file)
    }
}
