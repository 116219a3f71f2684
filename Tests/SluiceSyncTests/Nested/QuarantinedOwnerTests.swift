import SluiceReport
import Testing

/// A record that its source no longer has, and that another one lists without being able to give it.
@Suite("What belongs to a record that is in quarantine elsewhere")
struct QuarantinedOwnerTests {
    @Test("It stays with its record", arguments: [["a", "b"], ["b", "a"]], [["a", "b"], ["b", "a"]])
    func stays(_ streams: [String], _ precedence: [String]) throws {
        let scripts = try Scripts(streams, precedence: precedence)
        try scripts.put(Scripts.play(["x", "y"], tags: ["1p", "2q"]), as: "a")
        try scripts.put("[]", as: "b")
        try scripts.run()
        try scripts.put("[]", as: "a")
        try scripts.put(#"[{"id":1,"lines":["x"],"tags":[{"note":"none"}]}]"#, as: "b")
        let report = try scripts.run()
        #expect(report.summary.quarantined == 1 && report.total.delete == 0)
        #expect(try scripts.shop.rows("SELECT id FROM play") == ["1"])
        #expect(try scripts.lines == "0x 1y" && scripts.tags == "1p 2q")
        #expect(try scripts.shop.quietRun().written == [])
        #expect(try scripts.lines == "0x 1y" && scripts.tags == "1p 2q")
        // Once it can be taken, what it says counts.
        try scripts.put(Scripts.play(["x"], tags: ["1r"]), as: "b")
        try scripts.run()
        #expect(try scripts.lines == "0x" && scripts.tags == "1r")
        #expect(try scripts.shop.quietRun().written == [])
    }

    @Test("It goes with its record once that is listed nowhere")
    func goes() throws {
        let scripts = try Scripts(["a", "b"], precedence: ["a", "b"])
        try scripts.put(Scripts.play(["x", "y"], tags: ["1p"]), as: "a")
        try scripts.put("[]", as: "b")
        try scripts.run()
        try scripts.put("[]", as: "a")
        try scripts.put(#"[{"id":1,"lines":["x"],"tags":[{"note":"none"}]}]"#, as: "b")
        try scripts.run()
        try scripts.put("[]", as: "b")
        try scripts.run()
        #expect(try scripts.shop.rows("SELECT count(*) FROM play") == ["0"])
        #expect(try scripts.lines == "" && scripts.tags == "")
        #expect(try scripts.shop.quietRun().written == [])
    }

    @Test("Streams that run one at a time see what the other has in quarantine")
    func oneAtATime() throws {
        let scripts = try Scripts(["a", "b"], precedence: ["a", "b"])
        func run(_ stream: String) throws -> RunReport {
            scripts.shop.stream = stream
            let (report, _) = try scripts.shop.syncPlanned()
            #expect(report.status == .succeeded, "\(report.problems)")
            return report
        }
        func state() throws -> [String] {
            try scripts.shop.rows("SELECT id FROM play") + [scripts.lines, scripts.tags]
        }
        try scripts.put(Scripts.play(["x", "y"], tags: ["1p", "2q"]), as: "a")
        try scripts.put("[]", as: "b")
        for stream in ["a", "b"] { _ = try run(stream) }
        let before = try state()
        // It moves to the other stream, which cannot give it.
        try scripts.put(#"[{"id":1,"lines":["x"],"tags":[{"note":"none"}]}]"#, as: "b")
        #expect(try run("b").summary.quarantined == 1)
        try scripts.put("[]", as: "a")
        for stream in ["a", "b", "a"] {
            #expect(try run(stream).total.delete == 0)
            #expect(try state() == before)
        }
        // Once it can be taken, what it says counts, and the stream that lacks it asks nothing more.
        try scripts.put(Scripts.play(["x"], tags: ["1r"]), as: "b")
        for stream in ["b", "a", "b", "a"] { _ = try run(stream) }
        #expect(try state() == ["1", "0x", "1r"])
        // Listed nowhere it goes, whichever stream is read first.
        try scripts.put(#"[{"id":1,"lines":["x"],"tags":[{"note":"none"}]}]"#, as: "b")
        _ = try run("b")
        _ = try run("a")
        #expect(try scripts.shop.rows("SELECT id FROM play") == ["1"])
        try scripts.put("[]", as: "b")
        for stream in ["b", "a"] { _ = try run(stream) }
        #expect(try state() == ["", ""])
        scripts.shop.stream = nil
        #expect(try scripts.shop.quietRun(renewing: true).written == [])
    }

    @Test("What somebody gave up in quarantine keeps nothing")
    func dropped() throws {
        let scripts = try Scripts(["a", "b"], precedence: ["a", "b"])
        try scripts.put(Scripts.play(["x"]), as: "a")
        try scripts.put(#"[{"id":1,"lines":["x"],"tags":[{"note":"none"}]}]"#, as: "b")
        try scripts.run()
        try scripts.shop.sql("UPDATE _sluice_quarantine SET status = 'dropped'")
        try scripts.put("[]", as: "a")
        scripts.shop.stream = "a"
        #expect(scripts.shop.sync().report.status == .succeeded)
        #expect(try scripts.shop.rows("SELECT id FROM play") == [])
    }
}
