import Foundation
import SluiceSystem
import Testing

/// What starts the service, and what Kubernetes and Airflow start runs by.
@Suite struct GenerateServiceTests {
    private func shop(_ schedules: [(String, String)]) throws -> Workshop {
        let shop = try Workshop()
        for (name, schedule) in schedules {
            try shop.write(
                """
                version: 1
                name: \(name)
                schedule: \(schedule)
                store: sqlite:shop.db
                source: {base_url: "https://api.example.com", headers: {X-Key: "${env:SHOP_KEY}"}}
                entities: {Book: {table: \(name), primary_key: id, fields: {id: int}}}
                streams: [{name: books, entity: Book, path: /books}]

                """, to: "\(name).yaml")
        }
        return shop
    }

    /// Runs a program; its exit code and what it wrote.
    private func run(_ program: String, _ arguments: [String]) throws -> (code: Int32, text: String) {
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(filePath: program)
        process.arguments = arguments
        process.standardOutput = output
        process.standardError = output
        try process.run()
        let text = String(decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        process.waitUntilExit()
        return (process.terminationStatus, text)
    }

    @Test func oneUnitServesAllPipelines() throws {
        let shop = try shop([("books", "{every: 15m}"), ("prices", "{cron: '@daily', after: [books]}")])
        let outcome = shop.run(["generate", "systemd", shop.folder, "--serve"])
        #expect(outcome.code == 0, "\(outcome)")
        let lines = outcome.output.replacing(shop.folder, with: "/srv/shop").split(separator: "\n")
        for line in [
            "Type=notify", "WatchdogSec=60", "User=sluice", "WorkingDirectory=/srv/shop",
            "EnvironmentFile=-/etc/sluice/sluice.env",
            "ExecStart=/usr/local/bin/sluice serve /srv/shop --state /srv/shop/sluice-serve",
            "ExecReload=/bin/kill -HUP $MAINPID", "KillMode=mixed", "ProtectSystem=strict", "ReadWritePaths=/srv/shop",
            "WantedBy=multi-user.target",
        ] {
            #expect(lines.contains { $0 == line }, "\(line)")
        }
        #expect(!outcome.output.contains("SHOP_KEY"))
    }

    @Test(
        "systemd takes the unit as it is",
        .enabled("systemd-analyze is not installed") {
            FileSystem.kind(of: "/usr/bin/systemd-analyze") == .file
        })
    func systemdVerifiesTheUnit() throws {
        let shop = try shop([("books", "{every: 15m}")])
        let outcome = shop.run([
            "generate", "systemd", shop.folder, "--serve", "--program", "/usr/bin/true", "--to", shop.folder,
            "--state", "/var/lib/a $b%c",
        ])
        #expect(outcome.code == 0, "\(outcome)")
        let verdict = try run("/usr/bin/systemd-analyze", ["verify", "\(shop.folder)/sluice.service"])
        #expect(verdict.code == 0 && !verdict.text.contains("sluice.service"), "\(verdict)")
    }

    @Test func aManifestHasAJobForEachPipeline() throws {
        let shop = try shop([
            ("books", "{cron: '0 6 * * MON-FRI', timezone: Europe/Berlin, timeout: 30m, retry: {max_attempts: 3}}"),
            ("a-b", "{cron: '*/15 * * * *', missed: none}"),
        ])
        let outcome = shop.run(["generate", "kubernetes", shop.folder, "--image", "registry.example.com/sluice:1"])
        #expect(outcome.code == 0, "\(outcome)")
        let documents = outcome.output.split(separator: "\n---\n").map(String.init)
        #expect(documents.count == 4)
        let job = try #require(documents.first { $0.contains("name: sluice-books\n") })
        for text in [
            "apiVersion: batch/v1\nkind: CronJob\n", "  schedule: \"0 6 * * 1-5\"\n  timeZone: \"Europe/Berlin\"\n",
            "  concurrencyPolicy: Forbid\n  startingDeadlineSeconds: 86400\n",
            "      backoffLimit: 2\n      activeDeadlineSeconds: 1800\n", "image: \"registry.example.com/sluice:1\"",
            #"args: ["run", "/etc/sluice/pipelines/books.yaml", "--quiet", "--wait", "10m", "--store", "sqlite:/var/lib/sluice/shop.db"]"#,
        ] {
            #expect(job.contains(text), "\(text)")
        }
        #expect(
            documents.contains { $0.contains("  name: sluice-a-b\n") && $0.contains("startingDeadlineSeconds: 60\n") })
        #expect(
            documents[0].contains("kind: ConfigMap")
                && documents[0].contains("  \"books.yaml\": |\n    version: 1\n    name: books\n"))
    }

    @Test func aManifestHasTheService() throws {
        let shop = try shop([("books", "{every: 15m, jitter: 10s}")])
        let outcome = shop.run(["generate", "kubernetes", shop.folder, "--serve"])
        #expect(outcome.code == 0, "\(outcome)")
        #expect(outcome.output.contains("kind: Deployment\n"))
        #expect(outcome.output.contains("strategy: {type: Recreate}"))
        #expect(
            outcome.output.contains(
                #"args: ["serve", "/etc/sluice/pipelines", "--listen", "0.0.0.0:7788", "--token-file", "/etc/sluice/tokens/tokens", "--state", "/var/lib/sluice/serve", "--store", "sqlite:/var/lib/sluice/shop.db"]"#
            ))
    }

    /// The cluster knows whether the service lives, and nobody reaches its page without a token.
    @Test func serviceHasProbesAndTokens() throws {
        let shop = try shop([("books", "{every: 15m}")])
        let manifest = shop.run(["generate", "kubernetes", shop.folder, "--serve"]).output
        let container = manifest.split(separator: "\n").map { String($0.drop { $0 == " " }) }
        for line in [
            "- {name: http, containerPort: 7788}", "httpGet: {path: /healthz, port: http}",
            "httpGet: {path: /readyz, port: http}", "- {name: tokens, mountPath: /etc/sluice/tokens, readOnly: true}",
            "secret: {secretName: sluice-tokens, defaultMode: 0440}",
        ] {
            #expect(container.contains(line), "\(line)")
        }
        let jobs = shop.run(["generate", "kubernetes", shop.folder]).output
        #expect(!jobs.contains("tokens") && !jobs.contains("Probe"), "a job has no page")
    }

    struct Named: Sendable, CustomTestStringConvertible {
        let testDescription: String
        /// The `source` of the file.
        var source = #"{base_url: "https://api.example.com"}"#
        /// Lines behind it.
        var more = ""
        /// What stays behind; nil for nothing.
        let path: String?
        /// What to do about it.
        var remedy = ""
    }

    static let named = [
        Named(testDescription: "none", path: nil),
        Named(
            testDescription: "a value",
            source: #"{base_url: "https://api.example.com", headers: {X-Key: "${file:tok}"}}"#,
            path: "tok", remedy: "as `${env:NAME}`"),
        Named(
            testDescription: "a value of a mounted file",
            source: #"{base_url: "https://api.example.com", headers: {X-Key: "${file:/etc/secrets/tok}"}}"#, path: nil),
        Named(
            testDescription: "a variable's value", more: #"vars: {key: "${file:../tok}"}"#, path: "../tok",
            remedy: "Secret"),
        Named(
            testDescription: "trusted certificates",
            source: #"{base_url: "https://api.example.com", tls: {ca_file: ca.pem}}"#,
            path: "ca.pem", remedy: "Mount a Secret"),
        Named(
            testDescription: "the client's certificate",
            source: #"{base_url: "https://api.example.com", tls: {client_cert: me.pem}}"#, path: "me.pem",
            remedy: "Mount a Secret"),
        Named(
            testDescription: "the key of the client's certificate",
            source: #"{base_url: "https://api.example.com", tls: {client_cert: /etc/me.pem, client_key: me.key}}"#,
            path: "me.key", remedy: "Mount a Secret"),
        Named(
            testDescription: "a program", more: "notify: [{on: [failed], command: [./tell.sh, books]}]",
            path: "./tell.sh",
            remedy: "into the image"),
        Named(
            testDescription: "a program that the system has",
            more: "notify: [{on: [failed], command: [page-me]}, {on: [failed], command: [/bin/tell]}]", path: nil),
        Named(
            testDescription: "a folder of records", source: #"{base_url: "file:data"}"#, path: "data",
            remedy: "Mount a volume"),
    ]

    /// What a pipeline names is there in the container, or somebody is told that it is not.
    @Test(arguments: named, ["", "--serve"]) func filesThatStayBehindAreNamed(_ test: Named, _ option: String) throws {
        let shop = try Workshop()
        try shop.write(
            """
            version: 1
            name: books
            schedule: {cron: "@daily"}
            source: \(test.source)
            entities: {Book: {primary_key: id, fields: {id: int}}}
            streams: [{name: books, entity: Book, path: books.json}]
            \(test.more)

            """, to: "books.yaml")
        let outcome = shop.run(
            ["generate", "kubernetes", "\(shop.folder)/books.yaml", "--log-format", "json"]
                + (option.isEmpty ? [] : [option]))
        #expect(outcome.code == 0, "\(outcome)")
        let lines = outcome.errors.split(separator: "\n").filter { $0.contains("file_left_behind") }
        #expect(lines.count == (test.path == nil ? 0 : 1), "\(outcome.errors)")
        for line in lines {
            #expect(line.contains("`\(test.path ?? "")`, which `") && line.contains(test.remedy), "\(line)")
            #expect(line.contains(#""line":"#) && line.contains("books.yaml:"), "\(line)")
        }
    }

    /// A cluster takes 52 characters, and no two jobs of one name.
    @Test func eachJobHasANameOfItsOwn() throws {
        let long = String(repeating: "a", count: 50)
        let names = ["\(long)1", "\(long)2", "b", "b-", "b--"]
        let shop = try shop(names.map { ($0, "{cron: '@daily'}") })
        let outcome = shop.run(["generate", "kubernetes", shop.folder])
        #expect(outcome.code == 0, "\(outcome)")
        let jobs = outcome.output.split(separator: "\n---\n").filter { $0.contains("kind: CronJob") }.compactMap {
            $0.firstMatch(of: #/\n  name: (\S+)\n/#).map { String($0.1) }
        }
        #expect(jobs.count == names.count && Set(jobs).count == names.count, "\(jobs)")
        #expect(jobs.contains("sluice-b"))
        for job in jobs {
            #expect(job.utf8.count <= 52 && job.wholeMatch(of: #/[a-z0-9]([-a-z0-9]*[a-z0-9])?/#) != nil, "\(job)")
        }
    }

    @Test(arguments: [
        ("my books.yaml", "", "`-`, `_` and `.`. Rename it"),
        ("books.yaml", "# " + String(repeating: "x", count: 600_000), "a ConfigMap takes 1048576"),
    ])
    func filesThatAConfigMapDoesNotTakeAreRefused(_ name: String, _ more: String, _ reason: String) throws {
        let shop = try shop([("books", "{cron: '@daily'}"), ("prices", "{cron: '@daily'}")])
        for (file, renamed) in [("books.yaml", name), ("prices.yaml", "prices.yaml")] {
            let text = try String(contentsOfFile: "\(shop.folder)/\(file)", encoding: .utf8)
            try FileManager.default.removeItem(atPath: "\(shop.folder)/\(file)")
            try shop.write(text + more, to: renamed)
        }
        let outcome = shop.run(["generate", "kubernetes", shop.folder])
        #expect(
            outcome.code == 1 && outcome.output.isEmpty && outcome.errors.contains(reason),
            "\(outcome.errors.suffix(500))")
    }

    @Test(
        "Python compiles the DAGs, with any name and any path",
        .enabled("python3 is not installed") { FileSystem.kind(of: "/usr/bin/python3") == .file })
    func pythonCompilesTheDAGs() throws {
        let shop = try shop([
            (
                "books",
                "{cron: '0 6 * * MON-FRI', timezone: Europe/Berlin, timeout: 30m, retry: {max_attempts: 3, base: 2m}}"
            ),
            ("prices", "{cron: '@daily'}"),
        ])
        let folder = "\(shop.folder)/a \"b\" 'c' {{ d }}"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
        try FileManager.default.moveItem(atPath: "\(shop.folder)/books.yaml", toPath: "\(folder)/books.yaml")
        let file = "\(shop.folder)/dags.py"
        let outcome = shop.run(["generate", "airflow", folder, "\(shop.folder)/prices.yaml", "--output", file])
        #expect(outcome.code == 0, "\(outcome)")
        let verdict = try run("/usr/bin/python3", ["-m", "py_compile", file])
        #expect(verdict.code == 0, "\(verdict)")
        let text = try String(contentsOfFile: file, encoding: .utf8)
        for line in [
            "    dag_id=\"sluice-books\",",
            "    schedule=CronTriggerTimetable(\"0 6 * * 1-5\", timezone=\"Europe/Berlin\"),", "        retries=2,",
            "        retry_delay=datetime.timedelta(seconds=120),",
            "        execution_timeout=datetime.timedelta(seconds=1800),",
        ] {
            #expect(text.contains(line + "\n"), "\(line)")
        }
    }

    @Test(arguments: [
        ("kubernetes", "{every: 15m}", "it counts from the last start"),
        ("kubernetes", "{cron: '@daily', jitter: 1m}", "cannot spread starts"),
        ("airflow", "{cron: '@daily', jitter: 1m}", "cannot spread starts"),
        ("airflow", "{cron: '0 0 L * *'}", "knows no `L`"),
        ("kubernetes", "{cron: '@daily', after: [x]}", "another pipeline"),
    ])
    func whatCannotBeSaidIsRefused(_ form: String, _ schedule: String, _ reason: String) throws {
        let shop = try shop([("books", schedule)])
        let outcome = shop.run(["generate", form, shop.folder])
        #expect(outcome.code == 1 && outcome.output.isEmpty, "\(outcome)")
        #expect(outcome.errors.contains(reason), "\(outcome.errors)")
    }
}
