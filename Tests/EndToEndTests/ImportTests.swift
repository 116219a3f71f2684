import Foundation
import TestSupport
import Testing

/// `sluice import` as people use it: through pipes, packed, and over HTTP.
@Suite struct ImportTests {
    private static let lines = (1...300).map { "{\"id\": \($0), \"name\": \"Book \($0)\"}\n" }.joined()

    private func shell(_ script: String, in folder: String) throws -> Program.Result {
        let path = Program.products.path + ":" + (ProcessInfo.processInfo.environment["PATH"] ?? "")
        return try Running(
            executable: URL(filePath: "/bin/bash"), arguments: ["-c", "set -euo pipefail\n" + script], folder: folder,
            environment: ["PATH": path]
        ).wait()
    }

    @Test(arguments: [
        "cat books.ndjson | sluice import - --table books",
        "sluice import - --table books < books.ndjson",
        "gzip -c books.ndjson | sluice import - --table books",
        "gzip books.ndjson && sluice import books.ndjson.gz",
        "mkfifo books; cat books.ndjson > books & sluice import books",
        "mv books.ndjson books && sluice import books",
        "gzip -c books.ndjson > a.gz; cat a.gz > books; sluice import books",
    ])
    func everyWayInIsTheSame(_ command: String) throws {
        let scene = try Scene(records: 1)
        try scene.write("books.ndjson", Self.lines)
        let result = try shell(command + " --store sqlite:shop.db --changes 0", in: scene.path)
        #expect(result.code == 0, "\(result.errors)")
        #expect(result.output.contains("300 inserted"))
        #expect(try scene.query("SELECT count(*), sum(id), max(name) FROM books") == ["300|45150|Book 99"])
    }

    @Test func aPackedFileIsRunAgain() throws {
        let scene = try Scene(records: 1)
        try scene.write("books.ndjson", Self.lines)
        let result = try shell(
            """
            gzip books.ndjson
            sluice import books.ndjson.gz --write-pipeline again.yaml -q
            sluice validate again.yaml --strict -q
            sluice run again.yaml
            """, in: scene.path)
        #expect(result.code == 0, "\(result.errors)")
        #expect(result.output.contains("nothing changed, 300 unchanged"))
    }

    @Test func aPipeIsNotReadAgainForWhatItsPageSaysOfErrors() throws {
        let scene = try Scene(records: 1)
        try scene.write(
            "shop.yaml",
            """
            version: 1
            name: shop
            store: sqlite:shop.db
            source: {base_url: "file:."}
            entities:
              Book: {table: books, primary_key: [id], fields: {id: int}}
            streams:
              - {name: books, entity: Book, path: books, records: "data[*]"}
            """)
        let result = try shell(
            """
            mkfifo books
            echo '{"errors": ["no"]}' > books &
            timeout 60 sluice run shop.yaml || echo "exit $?"
            """, in: scene.path)
        #expect(result.output.contains("exit 1"), "\(result.output) \(result.errors)")
        #expect(result.errors.contains("has nothing at the path `data[*]`"), "\(result.errors)")
    }

    @Test func aSilentPipeIsLeftOnASignal() throws {
        let scene = try Scene(records: 1)
        let result = try shell(
            """
            mkfifo silent
            exec 9<> silent
            sluice import - --table books --store sqlite:shop.db < silent &
            program=$!
            # It has its signals in hand once it says that it reads.
            until grep -q silent <(readlink /proc/$program/fd/* 2>/dev/null) && \
                [ "$(ls /proc/$program/task | wc -l)" -gt 1 ]; do kill -0 $program || break; done
            kill -TERM $program
            wait $program || echo "exit $?"
            """, in: scene.path)
        #expect(result.output.contains("exit 143"), "\(result.output) \(result.errors)")
        #expect(result.errors.contains("the store is as before"))
    }

    @Test func damagedDataChangesNothing() throws {
        let scene = try Scene(records: 1)
        try scene.write("books.ndjson", Self.lines)
        let result = try shell(
            """
            gzip -c books.ndjson | head -c 400 > books.gz
            sluice import books.gz --table books --store sqlite:shop.db || echo "exit $?"
            sluice import - --table books --write-pipeline a.yaml < books.ndjson || echo "exit $?"
            ls
            """, in: scene.path)
        #expect(result.output.contains("exit 1"))
        #expect(result.output.contains("exit 64"))
        #expect(result.errors.contains("ends too early"))
        #expect(!result.output.contains("shop.db"))
        #expect(!result.output.contains("a.yaml"))
    }

    @Test func pagesOfAURLAreFollowedAndSecretsAreKept() throws {
        let server = try LoopbackServer { request in
            guard request.headers.contains(where: { $0.value == "Bearer s3cr3t" }) else {
                return .text("no", status: 401)
            }
            return request.target.contains("page=2")
                ? .text(#"{"items": [{"id": 3, "name": "c"}]}"#)
                : .text(
                    #"{"items": [{"id": 1, "name": "a"}, {"id": 2, "name": "b"}]}"#,
                    headers: [("Link", "</v1/books?page=2>; rel=\"next\"")])
        }
        defer { server.stop() }
        let scene = try Scene(records: 1)
        let header = "--header 'Authorization: Bearer s3cr3t'"
        let import1 = try shell(
            """
            sluice import '\(server.url)/v1/books?state=all' \(header) --store sqlite:shop.db \
            --write-pipeline again.yaml --log-level debug
            cat again.yaml
            AUTHORIZATION=s3cr3t sluice run again.yaml
            """, in: scene.path)
        #expect(import1.code == 0, "\(import1.errors)")
        #expect(import1.output.contains("3 inserted"))
        #expect(import1.output.contains("auth: {type: bearer, token: \"${env:AUTHORIZATION}\"}"))
        #expect(import1.output.contains("nothing changed, 3 unchanged"))
        #expect(!(import1.output + import1.errors).contains("s3cr3t"))
        let refused = try Program.run("import", "\(server.url)/v1/books", in: scene.path)
        #expect(refused.code == 1)
        #expect(refused.errors.contains("401"))
    }
}
