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
}
