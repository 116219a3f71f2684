import Foundation
import TestSupport
import Testing

/// Random pages that break off at random places, against a twin that is never disturbed.
@Suite struct RandomPagesTests {
    @Test(arguments: 1...6)
    func whateverBreaksOffComesToTheSame(round: Int) throws {
        let seed = ProcessInfo.processInfo.environment["SLUICE_SEED"].flatMap { UInt64($0) } ?? UInt64(round) * 7919
        let place: Comment = "SLUICE_SEED=\(seed)"
        var random = SeededGenerator(seed: seed)
        let kinds = PagedSource.Kind.allCases.filter(\.isComplete)
        let source = PagedSource(kinds[round % kinds.count], pages: [])
        let server = try LoopbackServer { source.answer($0) }
        defer { server.stop() }
        let (scene, calm) = (try Scene(source, url: server.url), try Scene(source, url: server.url))
        for edition in 1...3 {
            let numbers = (1...Int.random(in: 20...60, using: &random)).filter { _ in
                Int.random(in: 0..<5, using: &random) > 0
            }.shuffled(using: &random)
            let pages = PagedSource.pages(numbers, size: Int.random(in: 2...7, using: &random), edition: edition)
            source.pages = pages
            source.faults = [:]
            #expect(try Program.run("run", "books.yaml", "--quiet", in: calm.path).code == 0, place)
            var breaks = 0
            while breaks < 4, !pages.isEmpty {
                let page = Int.random(in: 1...pages.count, using: &random)
                let part = Double.random(in: 0...1, using: &random)
                source.faults = [page: Bool.random(using: &random) ? .cut(at: part) : .kill(at: part, SIGKILL)]
                let running = try Program.start(["run", "books.yaml", "--quiet"], in: scene.path)
                source.aim(at: running.process.processIdentifier)
                breaks += 1
                // The page lies behind where the scan goes on.
                if try running.wait().code == 0 { break }
            }
            source.faults = [:]
            #expect(try Program.run("run", "books.yaml", "--quiet", in: scene.path).code == 0, place)
            let (rows, twins) = (try scene.contents(), try calm.contents())
            for table in twins.keys where table != "_sluice_changes" {
                #expect(rows[table] == twins[table], "\(place) \(table) in edition \(edition)")
            }
        }
    }
}
