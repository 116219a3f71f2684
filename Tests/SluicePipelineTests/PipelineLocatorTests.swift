import SluiceDiagnostics
import SluicePipeline
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
