import Foundation
import TestSupport
import Testing

/// Columns and tables that one field or entity leaves and another one takes in the same file: nobody can tell whose the values are.
@Suite struct TakenNameTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let before: String
        let after: String
        /// What the refusal names.
        let words: [String]
        /// The entities of the runs that it takes instead, one after the other.
        var steps: [String] = []
        /// What the tables hold after these.
        var rows: [String] = []
    }

    /// A pipeline over files of its folder.
    ///
    /// - Parameters:
    ///   - name: What it is called.
    ///   - entities: Its entities, each on a line.
    ///   - streams: Its streams.
    ///   - merge: What it says of merging.
    /// - Returns: Its text.
    private static func pipeline(
        named name: String = "p", _ entities: String, streams: [String] = ["name: a, entity: T, path: a.json"],
        merge: String = "on_conflict: manual"
    ) -> String {
        """
        version: 1
        name: \(name)
        store: sqlite:shop.db
        source: {base_url: "file:."}
        merge: {\(merge)}
        entities:
          \(entities.replacing("\n", with: "\n  "))
        streams: [\(streams.map { "{\($0)}" }.joined(separator: ", "))]
        """
    }

    private static func fields(_ fields: String) -> String {
        "T: {table: t, primary_key: [id], fields: {id: int, \(fields)}}"
    }

    /// The same beside an entity that has an identifier alone.
    private static func referring(_ fields: String) -> String {
        "G: {table: g, primary_key: [id], fields: {id: int}}\n\(Self.fields(fields))"
    }

    private static func tables(_ a: String, _ b: String) -> String {
        "T: {table: \(a), primary_key: [id], fields: {id: int, n: string}}\nU: {table: \(b), primary_key: [id], fields: {id: int, m: string}}"
    }

    static let cases = [
        Case(
            testDescription: "two fields swap their columns", before: fields("n: string, m: string"),
            after: fields("n: {type: string, column: m}, m: {type: string, column: n}"),
            words: ["`n` of `T`", "that of `m`", "one after the other"],
            steps: [
                fields("n: {type: string, column: o}, m: string"),
                fields("n: {type: string, column: o}, m: {type: string, column: n}"),
                fields("n: {type: string, column: m}, m: {type: string, column: n}"),
            ], rows: ["1|mine|m1", "2|n2|m2"]),
        Case(
            testDescription: "three fields in a ring", before: fields("n: string, m: string, q: string"),
            after: fields(
                "n: {type: string, column: m}, m: {type: string, column: q}, q: {type: string, column: n}"),
            words: ["`n` of `T`", "`m` of `T`", "`q` of `T`"]),
        Case(
            testDescription: "a new field takes the column of one that moves", before: fields("n: string"),
            after: fields("n: {type: string, column: o}, z: {type: string, from: m, column: n}"),
            words: ["`n` of `T`", "that of `z`"],
            steps: [
                fields("n: {type: string, column: o}"),
                fields("n: {type: string, column: o}, z: {type: string, from: m, column: n}"),
            ], rows: ["1|mine|m1", "2|n2|m2"]),
        Case(
            testDescription: "a field takes the column of one that goes", before: fields("n: string, m: string"),
            after: fields("m: {type: string, column: n}"), words: ["`n` of `T` is gone", "that of `m`"]),
        Case(
            testDescription: "a new field takes the column of one that gets a name", before: fields("n: string"),
            after: fields("y: {type: string, from: n, renamed_from: n}, z: {type: string, from: m, column: n}"),
            words: ["`n` of `T`", "that of `z`"]),
        Case(
            testDescription: "the same the other way round", before: fields("n: string"),
            after: fields("z: {type: string, from: m, column: n}, y: {type: string, from: n, renamed_from: n}"),
            words: ["`n` of `T`", "that of `z`"]),
        Case(
            testDescription: "two entities swap their tables", before: tables("ta", "tb"), after: tables("tb", "ta"),
            words: ["`T` has another table now", "that of `U`", "one after the other"]),
        Case(
            testDescription: "an entity takes the table that another one leaves", before: tables("ta", "tb"),
            after: tables("tc", "ta"), words: ["`T` has another table now", "that of `U`"]),
    ]

    /// It is refused, whether people changed something or not, and goes in several runs.
    @Test(arguments: cases, [false, true]) func isRefused(_ row: Case, _ isEdited: Bool) throws {
        let scene = try Scene()
        func write(_ entities: String) throws {
            let streams = (entities.contains("U:") ? ["T", "U"] : ["T"]).map {
                "name: \($0.lowercased()), entity: \($0), path: a.json"
            }
            try scene.write("p.yaml", Self.pipeline(entities, streams: streams))
        }
        try scene.write("a.json", #"[{"id":1,"n":"n1","m":"m1","q":"q1"},{"id":2,"n":"n2","m":"m2","q":"q2"}]"#)
        try write(row.before)
        #expect(try Program.run("run", "p.yaml", in: scene.path).code == 0)
        let isOfTables = row.before.contains("U:")
        if isEdited { try scene.execute("UPDATE \(isOfTables ? "ta" : "t") SET n = 'mine' WHERE id = 1") }
        try write(row.after)
        for (arguments, code) in [
            (["validate", "p.yaml", "--store", "sqlite:shop.db"], Int32(78)), (["plan", "p.yaml"], 4),
            (["run", "p.yaml"], 4),
        ] {
            let result = try Program.start(arguments, in: scene.path).wait()
            let text = result.output + result.errors
            #expect(result.code == code, "\(arguments): \(text)")
            for word in row.words { #expect(text.contains(word), "\(arguments): \(text)") }
        }
        if row.steps.isEmpty || !isEdited { return }
        for step in row.steps {
            try write(step)
            let run = try Program.run("run", "p.yaml", in: scene.path)
            #expect(run.code == 0, "\(step): \(run.output)\(run.errors)")
        }
        let (one, other) = row.after.contains("z:") ? ("o", "n") : ("m", "n")
        #expect(try scene.query("SELECT id, \(one), \(other) FROM t ORDER BY id") == row.rows)
    }

    // MARK: Tables of links

    private static func field(_ name: String, _ from: String, _ table: String) -> String {
        "\(name): {refs: G, from: \"\(from)[*]\", via: \(table)}"
    }

    static let linkCases: [(name: String, fields: [String], words: [String], tables: [String: [String]])] = [
        (
            "two fields swap their names", [field("g2", "g1", "va"), field("g1", "g2", "vb")],
            ["`g1` of `T`", "that of `g2`", "one after the other"], [:]
        ),
        (
            "two fields swap their tables", [field("g1", "g1", "vb"), field("g2", "g2", "va")],
            ["`g1` of `T`", "that of `g2`", "one after the other"], [:]
        ),
        (
            "a field takes the table of one that goes", [field("g1", "g1", "vb")],
            ["has the table of links `vb` now, which is there already"], [:]
        ),
        (
            "each takes the table that the next one leaves", [field("g1", "g1", "vb"), field("g2", "g2", "vc")],
            ["`g2` of `T`", "that of `g1`", "one after the other"], [:]
        ),
        (
            "each gets a new table", [field("g1", "g1", "vc"), field("g2", "g2", "vd")], [],
            ["vc": ["1|1", "1|3"], "vd": ["1|3"]]
        ),
    ]

    /// Links that people changed stay with their field, or the run is refused.
    @Test(arguments: linkCases.indices) func linksStayWithTheirField(_ index: Int) throws {
        let row = Self.linkCases[index]
        let scene = try Scene()
        try scene.write("a.json", #"[{"id":1,"g1":[{"id":1},{"id":2}],"g2":[{"id":3}]}]"#)
        let before = [Self.field("g1", "g1", "va"), Self.field("g2", "g2", "vb")]
        try scene.write("p.yaml", Self.pipeline(Self.referring(before.joined(separator: ", "))))
        #expect(try Program.run("run", "p.yaml", in: scene.path).code == 0)
        try scene.execute("INSERT INTO va VALUES (1, 3); DELETE FROM va WHERE g_id = 2")
        try scene.write("p.yaml", Self.pipeline(Self.referring(row.fields.joined(separator: ", "))))
        for (arguments, code) in [
            (["validate", "p.yaml", "--store", "sqlite:shop.db"], Int32(78)), (["plan", "p.yaml"], 4),
            (["run", "p.yaml"], 4),
        ] {
            let result = try Program.start(arguments, in: scene.path).wait()
            let text = result.output + result.errors
            #expect(result.code == (row.words.isEmpty ? 0 : code), "\(row.name), \(arguments): \(text)")
            for word in row.words { #expect(text.contains(word), "\(row.name), \(arguments): \(text)") }
        }
        for (table, rows) in row.tables {
            #expect(try scene.query("SELECT * FROM \(table) ORDER BY 1, 2") == rows, "\(row.name)")
        }
        if row.tables.isEmpty { return }
        let edits = try Program.run("edits", "p.yaml", in: scene.path)
        #expect(edits.output.contains("base [1,2]") && edits.output.contains("local [1,3]"), "\(edits.output)")
    }

    // MARK: Names that are used again

    static let usedAgain: [(name: String, fields: [String], edit: String, rows: [String])] = [
        (
            "a field that keeps its column gets the name of one that was given up",
            [
                "n: string, m: string", "n: string", "m: {type: string, from: n, column: n, renamed_from: n}",
            ], "SELECT id, n FROM t ORDER BY id", ["1|mine", "2|n2"]
        ),
        (
            "the same without saying so",
            ["n: string, m: string", "n: string", "m: {type: string, from: n, column: n}"],
            "SELECT id, n FROM t ORDER BY id", ["1|mine", "2|n2"]
        ),
        (
            "a field gets the name of links that were given up",
            [
                "n: string, g: {refs: G, from: \"g[*]\"}", "n: string", "g: {type: string, from: n, renamed_from: n}",
            ], "SELECT id, g FROM t ORDER BY id", ["1|mine", "2|n2"]
        ),
        (
            "a field gets the name of a reference that was given up",
            ["n: string, m: {ref: G, from: r}", "n: string", "m: {type: string, from: n, renamed_from: n}"],
            "SELECT id, m FROM t ORDER BY id", ["1|mine", "2|n2"]
        ),
        (
            "a field that was given up comes back", ["n: string, m: string", "n: string", "n: string, m: string"],
            "SELECT id, n, m FROM t ORDER BY id", ["1|mine|m1", "2|n2|m2"]
        ),
    ]

    /// A field goes on with what the file says it was, whatever had its name before that.
    @Test(arguments: usedAgain.indices) func goesOnWithItsOwn(_ index: Int) throws {
        let row = Self.usedAgain[index]
        let scene = try Scene()
        try scene.write(
            "a.json",
            #"[{"id":1,"n":"n1","m":"m1","r":{"id":7},"g":[{"id":1}]},{"id":2,"n":"n2","m":"m2","r":{"id":7},"g":[]}]"#)
        for (step, fields) in row.fields.enumerated() {
            let entities = Self.referring("other: {ref: G, from: r}, \(fields)")
            try scene.write("p.yaml", Self.pipeline(entities, merge: "on_conflict: remote_wins"))
            let run = try Program.run("run", "p.yaml", in: scene.path)
            #expect(run.code == 0, "\(row.name), \(step): \(run.output)\(run.errors)")
            if step == 0 { try scene.execute("UPDATE t SET n = 'mine' WHERE id = 1") }
        }
        #expect(try scene.query(row.edit) == row.rows, "\(row.name)")
        let edits = try Program.run("edits", "p.yaml", in: scene.path)
        #expect(edits.output.contains("1 value edited in 1 row"), "\(row.name): \(edits.output)")
        let again = try Program.run("run", "p.yaml", in: scene.path)
        #expect(again.code == 0 && !again.output.contains("updated"), "\(row.name): \(again.output)\(again.errors)")
    }

    // MARK: Two pipelines

    /// A pipeline that missed the first of two names of a column goes on with what it was called before it gets the second one.
    @Test func aNameBetweenIsFollowed() throws {
        let scene = try Scene()
        func write(_ name: String, _ field: String) throws {
            try scene.write(
                "\(name).yaml",
                Self.pipeline(
                    named: name, Self.fields(field), streams: ["name: \(name), entity: T, path: \(name).json"],
                    merge: "precedence: [p/p, q/q]"))
        }
        try scene.write("p.json", #"[{"id":1,"n":"x"},{"id":2,"n":"y"}]"#)
        try scene.write("q.json", #"[{"id":1,"n":"x"}]"#)
        for name in ["p", "q"] {
            try write(name, "n: string")
            #expect(try Program.run("run", "\(name).yaml", in: scene.path).code == 0)
        }
        try scene.execute("UPDATE t SET n = 'mine' WHERE id = 1")
        try write("p", "n1: {type: string, from: n, renamed_from: n}")
        #expect(try Program.run("run", "p.yaml", in: scene.path).code == 0)
        for name in ["q", "p"] {
            try write(name, "n2: {type: string, from: n, renamed_from: n1}")
            let run = try Program.run("run", "\(name).yaml", in: scene.path)
            #expect(run.code == 0 && run.output.contains("unchanged"), "\(run.output)\(run.errors)")
        }
        #expect(try scene.query("SELECT id, n2 FROM t ORDER BY id") == ["1|mine", "2|y"])
        let edits = try Program.run("edits", "--store", "sqlite:shop.db", in: scene.path)
        #expect(edits.output.contains("1 value edited in 1 row"), "\(edits.output)")
    }

    /// The same of a reference, whose column is called after what it leads to as well.
    @Test func aNameBetweenOfAReferenceIsFollowed() throws {
        let scene = try Scene()
        func write(_ name: String, _ field: String) throws {
            try scene.write("\(name).yaml", Self.pair(name, field))
        }
        try scene.write("g.json", #"[{"id":1},{"id":2},{"id":3}]"#)
        try scene.write("p.json", #"[{"id":1,"k":1},{"id":2,"k":2}]"#)
        try scene.write("q.json", #"[{"id":1,"k":1}]"#)
        for name in ["p", "q"] {
            try write(name, "o: {ref: G, from: k}")
            #expect(try Program.run("run", "\(name).yaml", in: scene.path).code == 0)
        }
        try scene.execute("UPDATE t SET o_id = 3 WHERE id = 1")
        try write("p", "o1: {ref: G, from: k, renamed_from: o}")
        #expect(try Program.run("run", "p.yaml", in: scene.path).code == 0)
        for name in ["q", "p"] {
            try write(name, "o2: {ref: G, from: k, renamed_from: o1}")
            let run = try Program.run("run", "\(name).yaml", in: scene.path)
            #expect(run.code == 0, "\(run.output)\(run.errors)")
        }
        #expect(try scene.query("SELECT id, o2_id FROM t ORDER BY id") == ["1|3", "2|2"])
    }

    /// A table of links that one pipeline had renamed is not renamed back by another one: its file has to say so too.
    @Test func linksAreNotRenamedThereAndBack() throws {
        let scene = try Scene()
        try scene.write("g.json", #"[{"id":1},{"id":2}]"#)
        try scene.write("p.json", #"[{"id":1,"k":[1]},{"id":2,"k":[2]}]"#)
        try scene.write("q.json", #"[{"id":1,"k":[1]}]"#)
        for name in ["p", "q"] {
            try scene.write("\(name).yaml", Self.pair(name, #"k: {refs: G, from: "k[*]"}"#))
            #expect(try Program.run("run", "\(name).yaml", in: scene.path).code == 0)
        }
        try scene.write("p.yaml", Self.pair("p", #"k: {refs: G, from: "k[*]", via: tt}"#))
        for _ in 0..<2 {
            #expect(try Program.run("run", "p.yaml", in: scene.path).code == 0)
            let other = try Program.start(["run", "q.yaml"], in: scene.path).wait()
            #expect(other.code == 4 && (other.output + other.errors).contains("via: tt"), "\(other.output)")
        }
        #expect(try scene.query("SELECT * FROM tt ORDER BY 1") == ["1|1", "2|2"])
    }

    private static func pair(_ name: String, _ field: String) -> String {
        pipeline(
            named: name, referring(field),
            streams: ["name: g, entity: G, path: g.json", "name: \(name), entity: T, path: \(name).json"],
            merge: "precedence: [p/p, q/q]")
    }

    // MARK: A name that links had

    /// A field that gets the name of links which go in the same file goes on with its own column, and links that people changed are
    /// not left behind unseen.
    @Test(arguments: [false, true], ["", ", column: b"]) func linksThatGoAreTold(_ areEdited: Bool, _ column: String)
        throws
    {
        let scene = try Scene()
        func write(_ fields: String) throws {
            try scene.write(
                "p.yaml",
                Self.pipeline(
                    Self.referring(fields),
                    streams: ["name: a, entity: T, path: a.json", "name: g, entity: G, path: g.json"],
                    merge: "on_conflict: remote_wins"))
        }
        try scene.write("g.json", #"[{"id":1},{"id":2},{"id":3}]"#)
        try scene.write("a.json", #"[{"id":1,"b":"b1","g":[1,2]},{"id":2,"b":"b2","g":[1]}]"#)
        try write(#"b: string, g: {refs: G, from: "g[*]"}"#)
        #expect(try Program.run("run", "p.yaml", in: scene.path).code == 0)
        try scene.execute("UPDATE t SET b = 'mine' WHERE id = 1")
        if areEdited { try scene.execute("INSERT INTO t_g VALUES (2, 3)") }
        try write("g: {type: string, from: b, renamed_from: b\(column)}")
        let run = try Program.start(["run", "p.yaml"], in: scene.path).wait()
        let text = run.output + run.errors
        if areEdited {
            #expect(run.code == 4 && text.contains("People changed links in the table `t_g`"), "\(text)")
            return
        }
        #expect(run.code == 0, "\(text)")
        let name = column.isEmpty ? "g" : "b"
        #expect(try scene.query("SELECT id, \(name) FROM t ORDER BY id") == ["1|mine", "2|b2"])
        let edits = try Program.run("edits", "p.yaml", in: scene.path)
        #expect(edits.output.contains("1 value edited in 1 row"), "\(edits.output)")
    }
}
