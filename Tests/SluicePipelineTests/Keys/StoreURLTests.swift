import SluiceDiagnostics
import SluicePipeline
import SluicePipelineFiles
import Testing

/// What `store` takes for the URL of a database, and where one that libpq could not read is wrong.
@Suite struct StoreURLTests {
    @Test(arguments: [
        "postgres:///shop", "postgresql://db", "postgres://",
        "postgres://bob@db:5432/shop?schema=sales&sslmode=require",
        "postgres://bob:p%40ss@db/shop", "postgres://a:5432,b:5433/shop", "postgres://[::1]:5432/shop",
        "postgres:///shop?host=/var/run/postgresql", "postgres://bob@/shop?schema=%C3%A9",
    ])
    func aURLIsTaken(_ url: String) {
        #expect(PipelineText.load(PipelineText.make(top: "store: '\(url)'")).1.filter { $0.severity == .error } == [])
    }

    @Test(arguments: [
        ("postgres://db/my shop", 16, "has no blanks"), ("postgres://db/shop%2", 18, "two hexadecimal digits"),
        ("postgres://bob:p%ss@db/shop", 16, "two hexadecimal digits"),
        ("postgres://bob:a@b@db/shop", 18, "`@` where none"), ("postgres://bob:a/b@db/shop", 18, "`@` where none"),
        ("postgres://db:54x2/shop", 16, "port is not a number"), ("postgres://bob:pa/shop", 15, "port is not a number"),
        ("postgres://a:1,b:x/shop", 17, "port is not a number"),
        ("postgres://[::1]:x/shop", 17, "port is not a number"),
        ("postgres://db/shop?schema", 19, "has no value"), ("postgres://db/shop?schema=a&b", 28, "has no value"),
        ("postgres://db/shop?schema=", 26, "no name of a schema"), ("postgres://db/shop?schema=%00", 26, "no name"),
        ("postgres://db/shop?schema=%ff", 26, "no name of a schema"),
        ("postgres://db/shop?schema=" + String(repeating: "x", count: 64), 26, "no name of a schema"),
    ])
    func anotherIsToldWithItsPlace(_ url: String, _ offset: Int, _ words: String) throws {
        let problems = PipelineText.load(PipelineText.make(top: "store: '\(url)'")).1
        let problem = try #require(problems.first { $0.severity == .error })
        #expect(problem.detail.contains("`store` is not valid.") && problem.detail.contains(words), "\(problem)")
        // Behind `store: '`, counted from 1.
        #expect(problem.location?.position == SourceLocation.Position(line: 3, column: offset + 9), "\(problem)")
    }
}
