import Foundation
import TestSupport
import Testing

/// `sluice probe` on sources of every shape: what it finds, and that its pipeline is accepted and reads all pages.
@Suite struct ProbeTests {
    /// What `sluice.probe/1` says.
    struct Report: Decodable {
        struct Finding: Decodable {
            let value: String
            let type: String?
            let certainty: String
            let evidence: [String]
        }
        struct Column: Decodable {
            let field: String
            let type: String
        }
        let format: String
        let url: String
        let pages: Int
        let requests: Int
        let records: Finding
        let key: Finding
        let paginator: Finding
        let incremental: Finding
        let columns: [Column]
        let variables: [String]
        let pipeline: String
    }

    static func report(_ result: Program.Result) throws -> Report {
        try JSONDecoder().decode(Report.self, from: Data(result.output.utf8))
    }

    @Test(arguments: ProbedSource.naming + ProbedSource.counting)
    func theShapeIsFoundAndItsPipelineReadsAllPages(source: ProbedSource) throws {
        let server = try LoopbackServer { source.respond(SourceQuestion($0)) }
        defer { server.stop() }
        let scene = try Scene(records: 1)
        let result = try Program.run(
            "probe", server.url + source.target, "--write-pipeline", "things.yaml", "--format", "json", in: scene.path)
        #expect(result.code == 0, "\(result.errors)")
        let report = try Self.report(result)
        #expect(report.format == "sluice.probe/1")
        #expect(report.records.value == source.place)
        #expect(report.paginator.type == source.paginator, "\(report.paginator)")
        #expect(report.paginator.certainty == source.certainty, "\(report.paginator)")
        #expect(
            source.reason.isEmpty || report.paginator.evidence.contains { $0.contains(source.reason) },
            "\(report.paginator)")
        #expect(report.key.value == "id", "\(report.key)")
        #expect(report.requests == server.requests.count)
        #expect(report.requests <= source.requests, "\(server.requests.map(\.target))")
        let text = try String(contentsOfFile: scene.folder.file("things.yaml"), encoding: .utf8)
        #expect(text == report.pipeline)
        #expect(text.contains("    paginator: ") == (source.yaml != nil), "\(text)")
        if let yaml = source.yaml { #expect(text.contains("    paginator: \(yaml)\n"), "\(text)") }

        let valid = try Program.run("validate", "things.yaml", "--strict", in: scene.path)
        #expect(valid.code == 0, "\(valid.output)\(valid.errors)\(text)")
        let plan = try Program.run("plan", "things.yaml", "--changes", "0", in: scene.path)
        #expect(plan.code == 0, "\(plan.errors)")
        #expect(plan.output.contains("\(source.records) to insert"), "\(plan.output)")
    }

    @Test func peopleAreToldWhatAndWhy() throws {
        let server = try LoopbackServer { request in
            let page = SourceQuestion(request).number("page") ?? 1
            return .text(#"{"page":\#(page),"pages":4,"list":\#(Things.page(page, of: 40))}"#)
        }
        defer { server.stop() }
        let scene = try Scene(records: 1)
        let result = try Program.run("probe", server.url + "/things", in: scene.path)
        #expect(result.code == 0, "\(result.errors)")
        for line in [
            "\(server.url)/things  3 pages read, 3 requests", "  records      certain  $.list[*]",
            "  key          certain  id", "unique in 30 records of 3 pages", "  paginator    certain  page_number",
            "followed over 3 pages, each with other records", "  incremental  likely   updated_at",
            "its name says when a record was changed", "  fields       certain  5 fields",
            "  price       $.price       decimal ", "  updated_at  $.updated_at  datetime",
            "The last page was not read. It may hold a link or token for changes; `--pages N` reads further.\n",
            "the same command with --write-pipeline things.yaml",
        ] { #expect(result.output.contains(line), "\(line)\n\(result.output)") }
        #expect(!FileManager.default.fileExists(atPath: scene.folder.file("things.yaml")))
        #expect(server.requests.count == 3)
        let one = try Program.run("probe", server.url + "/things", "--pages", "1", in: scene.path)
        #expect(one.output.contains("not tried, since only one page was to be read"), "\(one.output)")
        #expect(server.requests.count == 4)
    }

    @Test(arguments: ["things.json", "ftp://127.0.0.1/things", "-"])
    func onlyAURLIsLookedAt(_ operand: String) throws {
        let scene = try Scene(records: 1)
        let result = try Program.run("probe", operand, in: scene.path)
        #expect(result.code == 64)
        #expect(result.errors.contains("begins with http:// or https://"))
    }

    @Test func thePipelineMayGoToStandardOutput() throws {
        let server = try LoopbackServer { _ in .text(Things.list(1..<8, of: 7)) }
        defer { server.stop() }
        let scene = try Scene(records: 1)
        let result = try Program.run("probe", server.url + "/things", "--write-pipeline", "-", in: scene.path)
        #expect(result.code == 0)
        #expect(result.output.hasPrefix("# Written by Sluice from ") && result.output.hasSuffix("\n"))
        #expect(
            result.output.contains("# incremental: {cursor_field: updated_at, initial_value: 2020-01-01T00:00:00Z}"))
        #expect(result.errors.contains("7 records do not fill a page"))
        let quiet = try Program.run(
            "probe", server.url + "/things", "--write-pipeline", "-", "-o", "found.txt", in: scene.path)
        #expect(quiet.output == result.output && quiet.errors.isEmpty)
        try scene.write("mine.yaml", "# mine\n")
        let refused = try Program.run("probe", server.url + "/things", "--write-pipeline", "mine.yaml", in: scene.path)
        #expect(refused.code == 1 && refused.errors.contains("The file `mine.yaml` exists."))
    }

    @Test func whatBelongsToOneRecordLeadsToThatOfEach() throws {
        let server = try LoopbackServer { _ in .text(Things.list(1..<3, of: 2)) }
        defer { server.stop() }
        let scene = try Scene(records: 1)
        let result = try Program.run(
            "probe", server.url + "/tickets/101/things", "--write-pipeline", "-", in: scene.path)
        for line in [
            "# parent: {stream: tickets, key: id}\n", #"# path: "/tickets/{{ parent.id }}/things""# + "\n",
            #"    path: "/tickets/101/things""#,
        ] { #expect(result.output.contains(line), "\(result.output)\(result.errors)") }
    }

    @Test func credentialsAreVariablesAndNeverShown() throws {
        let server = try LoopbackServer { request in
            guard request.header("Authorization") == "Bearer s3cr3t", request.header("X-Tenant") == "t3nant",
                request.query?.contains("api_key=k3y%2Fx") == true
            else { return .text(#"{"error":"no"}"#, status: 401) }
            let page = SourceQuestion(request).number("page") ?? 1
            let items = Things.page(page, of: 25).replacing("Thing 1\"", with: "s3cr3t\"")
            return .text(#"{"page":\#(page),"total_pages":3,"data":\#(items)}"#)
        }
        defer { server.stop() }
        let scene = try Scene(records: 1)
        let url = server.url + "/things?api_key=k3y%2Fx&state=all"
        let headers = ["--header", "Authorization: Bearer s3cr3t", "--header", "X-Tenant: t3nant"]
        let open = ["--header", "Accept: application/json", "--write-pipeline", "things.yaml"]
        for format in ["text", "json"] {
            try? FileManager.default.removeItem(atPath: scene.folder.file("things.yaml"))
            let result = try Program.start(
                ["probe", url, "--format", format] + headers + open, in: scene.path
            ).wait()
            #expect(result.code == 0, "\(result.errors)")
            for secret in ["s3cr3t", "t3nant", "k3y"] {
                #expect(!(result.output + result.errors).contains(secret), "\(result.output)\(result.errors)")
            }
            #expect(result.output.contains("api_key=***") || result.output.contains("state=all"))
        }
        let text = try String(contentsOfFile: scene.folder.file("things.yaml"), encoding: .utf8)
        for piece in [
            "  auth: {type: bearer, token: \"${env:AUTHORIZATION}\"}\n", "X-Tenant: \"${env:X_TENANT}\"",
            "api_key: \"${env:API_KEY}\"", "Accept: application/json", "path: \"/things\"\n", "      state: all\n",
        ] { #expect(text.contains(piece), "\(text)") }
        let environment = ["AUTHORIZATION": "s3cr3t", "X_TENANT": "t3nant", "API_KEY": "k3y/x"]
        let plan = try Program.run("plan", "things.yaml", "--changes", "0", in: scene.path, environment: environment)
        #expect(plan.output.contains("25 to insert"), "\(plan.output)\(plan.errors)")
    }

    struct Refusal: Sendable, CustomTestStringConvertible {
        let name: String
        var arguments: [String] = []
        var code: Int32 = 1
        let words: [String]
        let response: ServerResponse
        /// How many requests are made.
        var requests = 1
        var testDescription: String { name }
    }

    @Test(arguments: [
        Refusal(
            name: "401 without credentials", words: ["401", "--header 'Authorization: Bearer ${env:TOKEN}'"],
            response: .text(#"{"message":"Requires authentication"}"#, status: 401)),
        Refusal(
            name: "401 with credentials", arguments: ["--header", "Authorization: Bearer s3cr3t"],
            words: ["401", "wrong, expired"], response: .text(#"{"message":"bad s3cr3t"}"#, status: 401)),
        Refusal(
            name: "401 with a secret that is a word of the message",
            arguments: ["--header", "Authorization: Bearer wrong"],
            words: ["that were given are wrong, expired", "bad ***"],
            response: .text(#"{"message":"bad wrong"}"#, status: 401)),
        Refusal(name: "404", words: ["404", "Check the URL."], response: .text("no", status: 404)),
        Refusal(
            name: "a server in trouble is asked three times",
            words: ["503", "Try again later."],
            response: .text("no", status: 503), requests: 3),
        Refusal(
            name: "HTML",
            words: ["answered with HTML, where JSON was expected", "--header 'Accept: application/json'"],
            response: .text("\n<!doctype html><title>Log in</title>", headers: [("Content-Type", "text/html")])),
        Refusal(name: "no JSON", words: ["cannot be read"], response: .text("[{\"id\": 1}, oops]")),
        Refusal(name: "an empty array", words: ["The list at `$[*]`", "is empty"], response: .text("[]")),
        Refusal(
            name: "an empty list with what speaks of pages", words: ["The list at `$.data[*]`", "is empty"],
            response: .text(#"{"data":[],"has_more":false,"meta":{"total":0}}"#)),
        Refusal(name: "nothing", words: ["is empty"], response: .text("")),
    ])
    func whatIsNoSourceIsSaid(refusal: Refusal) throws {
        let server = try LoopbackServer { _ in refusal.response }
        defer { server.stop() }
        let scene = try Scene(records: 1)
        let result = try Program.start(
            ["probe", server.url + "/things", "--write-pipeline", "things.yaml"] + refusal.arguments, in: scene.path
        ).wait()
        #expect(result.code == refusal.code, "\(result.output)\(result.errors)")
        for word in refusal.words { #expect(result.errors.contains(word), "\(result.errors)") }
        #expect(!(result.errors + result.output).contains("s3cr3t"))
        #expect(server.requests.count == refusal.requests)
        #expect(!FileManager.default.fileExists(atPath: scene.folder.file("things.yaml")))
    }
}
