import Glibc
import SluiceDiagnostics
import SluiceJSON
import SluiceModel
import SluicePipeline
import SluicePipelineFiles
import Testing

@Suite struct IncludeTests {
    /// A pipeline that includes files and has an entity of its own.
    private func text(including files: String, entities: String = "{Own: {primary_key: id, fields: {id: int}}}")
        -> String
    {
        """
        version: 1
        name: books
        include: \(files)
        vars: {v: V}
        source: {base_url: "https://api.example.com"}
        entities: \(entities)
        streams: [{name: own, entity: Own}]
        """
    }

    private func load(_ path: String) -> (PipelineDefinition?, [Diagnostic]) {
        PipelineLoader.load(path: path, environment: ["E": "x"], mode: .run)
    }

    @Test func validIncludesGiveTheEntitiesInOrder() throws {
        let (definition, problems) = load("\(Fixtures.root)/fixtures/pipelines/valid/includes.yaml")
        #expect(Fixtures.render(problems) == "")
        let pipeline = try #require(definition)
        #expect(pipeline.entities.map(\.name) == ["Name", "Thing", "Person", "Unused", "Order", "Line"])
        #expect(pipeline.entity(named: "Person")?.fields.first { $0.name == "country" }?.defaultJSON == "\"things\"")
    }

    @Test func mergedKeysStandWhereTheyWereMergedAndOwnOnesWin() throws {
        let pipeline = try #require(load("\(Fixtures.root)/fixtures/pipelines/valid/includes.yaml").0)
        let order = try #require(pipeline.entity(named: "Order"))
        #expect(order.fields.map(\.name) == ["created_at", "updated_at", "id", "closed_at"])
        #expect(order.fields.map(\.type) == [.datetime, .datetime, .int, .datetime])
        #expect(order.fields[3].format == "%Y-%m-%d %H:%M")
        let line = try #require(pipeline.entity(named: "Line"))
        #expect(line.fields.map(\.name) == ["id", "created_at", "updated_at"])
        #expect(line.fields.map(\.type) == [.int, .date, .datetime])
        #expect(pipeline.source.retry.base == .seconds(2))
        #expect(pipeline.source.retry.maximumDelay == .seconds(2))
        #expect(pipeline.streams.map(\.name) == ["orders", "lines", "people", "things"])
        #expect(pipeline.streams.map { $0.path?.revealed } == ["/orders", "/lines", "/people", "/things"])
        #expect(pipeline.streams.map(\.paginator) == .init(repeating: .headerLink(relation: "next"), count: 4))
    }

    @Test func pathsAreRelativeToTheFileThatNamesThem() throws {
        let folder = TemporaryDirectory()
        unsafe mkdir("\(folder.path)/a", 0o700)
        unsafe mkdir("\(folder.path)/a/b", 0o700)
        defer {
            unsafe rmdir("\(folder.path)/a/b")
            unsafe rmdir("\(folder.path)/a")
        }
        folder.write("a/b/two.yaml", "entities: {Two: {primary_key: id, fields: {id: {from: \"${var:v}\"}}}}")
        folder.write("a/one.yaml", "include: [b/two.yaml, ../three.yaml]")
        folder.write("three.yaml", "entities: {Three: {primary_key: id, fields: {id: int}}}")
        defer { for name in ["a/b/two.yaml", "a/one.yaml"] { unsafe unlink("\(folder.path)/\(name)") } }
        let (definition, problems) = load(folder.write("main.yaml", text(including: "[./a/one.yaml]")))
        #expect(Fixtures.render(problems) == "")
        let pipeline = try #require(definition)
        #expect(pipeline.entities.map(\.name) == ["Two", "Three", "Own"])
        guard case .path(let path)? = pipeline.entities.first?.fields.first?.origin else {
            Issue.record("expected a path")
            return
        }
        #expect(path.text == "V")
    }

    @Test func fileThatTwoOthersIncludeCountsOnce() throws {
        let folder = TemporaryDirectory()
        folder.write("shared.yaml", "entities: {Shared: {primary_key: id, fields: {id: int}}}")
        folder.write("one.yaml", "include: [shared.yaml]")
        folder.write("two.yaml", "include: [./shared.yaml]")
        let (definition, problems) = load(
            folder.write("main.yaml", text(including: "[one.yaml, two.yaml, shared.yaml]")))
        #expect(Fixtures.render(problems) == "")
        #expect(definition?.entities.map(\.name) == ["Shared", "Own"])
    }

    @Test func entitiesMayAllBeIncluded() throws {
        let folder = TemporaryDirectory()
        folder.write("own.yaml", "entities: {Own: {primary_key: id, fields: {id: int}}}")
        let lines = text(including: "[own.yaml]").split(separator: "\n").filter { !$0.hasPrefix("entities") }
        let (definition, problems) = load(folder.write("main.yaml", lines.joined(separator: "\n")))
        #expect(Fixtures.render(problems) == "")
        #expect(definition?.entities.map(\.name) == ["Own"])
    }

    @Test func problemOfAnIncludedFileHasItsPlaceItsLineAndItsIncluder() throws {
        let folder = TemporaryDirectory()
        let file = folder.write("bad.yaml", "# é\nentities:\n  A: {primary_key: id, fields: {id: itn}}\n")
        let main = folder.write("main.yaml", text(including: "[bad.yaml]"))
        let problem = try #require(load(main).1.first)
        #expect(problem.location == SourceLocation(file: file, line: 3, column: 37))
        #expect(problem.snippet?.line == "  A: {primary_key: id, fields: {id: itn}}")
        #expect(problem.notes.map(\.location) == [SourceLocation(file: main, line: 3, column: 11)])
        #expect(problem.suggestion == "int")
    }

    @Test func mergedKeyOfAnIncludedFileStandsInThatFileWithBothPlaces() throws {
        let folder = TemporaryDirectory()
        let file = folder.write(
            "bad.yaml",
            """
            entities:
              A: {primary_key: id, fields: &shared {id: int, at: {typ: date}}}
              B: {primary_key: id, fields: {<<: *shared}}
            """)
        let main = folder.write("main.yaml", text(including: "[bad.yaml]"))
        let problems = load(main).1
        #expect(problems.map(\.code) == ["unknown_key", "unknown_key"])
        #expect(problems.allSatisfy { $0.location == SourceLocation(file: file, line: 2, column: 55) })
        #expect(
            problems.last?.notes.map(\.location) == [
                SourceLocation(file: file, line: 3, column: 37), SourceLocation(file: main, line: 3, column: 11),
            ])
    }

    @Test func anchorsEndWithTheirFile() throws {
        let folder = TemporaryDirectory()
        let file = folder.write("bad.yaml", "entities: {A: {primary_key: *key, fields: {id: int}}}\n")
        let main = folder.write(
            "main.yaml", text(including: "[bad.yaml]", entities: "{Own: {primary_key: &key id, fields: {id: int}}}"))
        let problem = try #require(load(main).1.first)
        #expect(problem.code == "invalid_yaml")
        #expect(problem.location == SourceLocation(file: file, line: 1, column: 29))
        #expect(problem.notes.map(\.location) == [SourceLocation(file: main, line: 3, column: 11)])
    }

    @Test func includedFileHoldsOneDocument() throws {
        let folder = TemporaryDirectory()
        let file = folder.write("two.yaml", "entities: {}\n---\nentities: {}\n")
        let problem = try #require(load(folder.write("main.yaml", text(including: "[two.yaml]"))).1.first)
        #expect(problem.code == "unsupported_yaml")
        #expect(problem.location == SourceLocation(file: file, line: 2, column: 1))
    }

    @Test func entityThatStandsTwiceNamesBothPlaces() throws {
        let folder = TemporaryDirectory()
        let file = folder.write("own.yaml", "entities:\n  Own: {primary_key: id, fields: {id: int}}\n")
        let main = folder.write("main.yaml", text(including: "[own.yaml]"))
        let problems = load(main).1
        #expect(problems.map(\.code) == ["duplicate_name"])
        #expect(problems.first?.location == SourceLocation(file: main, line: 6, column: 12))
        #expect(problems.first?.notes.first?.location == SourceLocation(file: file, line: 2, column: 3))
    }

    @Test func circleThroughALinkIsOne() throws {
        let folder = TemporaryDirectory()
        let main = folder.write("main.yaml", text(including: "[link.yaml]"))
        unsafe symlink("main.yaml", "\(folder.path)/link.yaml")
        defer { unsafe unlink("\(folder.path)/link.yaml") }
        #expect(load(main).1.map(\.code) == ["include_cycle"])
    }

    @Test func inclusionHasALimit() throws {
        let folder = TemporaryDirectory()
        for number in 0..<17 { folder.write("\(number).yaml", "include: [\(number + 1).yaml]") }
        folder.write("17.yaml", "entities: {A: {primary_key: id, fields: {id: int}}}")
        let main = folder.write("main.yaml", text(including: "[0.yaml]"))
        #expect(load(main).1.map(\.code) == ["include_depth"])
        let other = folder.write("other.yaml", text(including: "[2.yaml]"))
        #expect(load(other).1 == [])
    }

    @Test func onlyEntitiesMayBeIncluded() throws {
        let folder = TemporaryDirectory()
        for key in ["version: 1", "name: x", "vars: {}", "streams: []", "defaults: {}", "x-own: 1"] {
            folder.write("other.yaml", "\(key)\nentities: {A: {primary_key: id, fields: {id: int}}}\n")
            let problems = load(folder.write("main.yaml", text(including: "[other.yaml]"))).1
            #expect(problems.map(\.code) == ["unknown_key"], "\(key)")
            #expect(problems.first?.message.contains("which holds shared entities only") == true, "\(key)")
        }
    }

    @Test func unusedEntityOfAnIncludedFileIsNoWarning() throws {
        let folder = TemporaryDirectory()
        folder.write("more.yaml", "entities: {A: {primary_key: id, fields: {id: int}}}")
        #expect(load(folder.write("main.yaml", text(including: "[more.yaml]"))).1 == [])
    }

    @Test func unsetEnvironmentInAnIncludedFileIsAWarningOfThatFile() throws {
        let folder = TemporaryDirectory()
        let file = folder.write("more.yaml", "entities: {A: {primary_key: id, fields: {id: \"${env:NONE}\"}}}")
        let main = folder.write("main.yaml", text(including: "[more.yaml]"))
        let (definition, problems) = PipelineLoader.load(path: main, environment: [:], mode: .validate)
        #expect(definition != nil)
        #expect(problems.map(\.code) == ["unset_environment"])
        #expect(problems.first?.location?.file == file)
    }
}
