import Foundation
import SluiceSQLite
import SluiceSystem
import TestSupport
import Testing

/// `sluice serve` as a user runs it: its runs are processes, its rows stand in a store, and it is killed.
@Suite struct ServeTests {
    /// A folder with pipelines of file sources, and a service that is started in it.
    private final class Served {
        let directory: TemporaryDirectory
        private(set) var running: Running?

        init() throws {
            directory = try TemporaryDirectory()
            try put(#"[{"id":1,"title":"One"},{"id":2,"title":"Two"}]"#, to: "books.json")
        }

        deinit { kill() }

        func put(_ text: String, to name: String) throws {
            let path = directory.file(name)
            try FileSystem.makeFolders(FileSystem.folder(of: path))
            try FileSystem.writePrivately(Array(text.utf8), to: path)
        }

        func pipeline(_ name: String, _ schedule: String, path: String = "books.json") throws {
            try put(
                """
                version: 1
                name: \(name)
                store: sqlite:../shop.db
                \(schedule)
                source: {base_url: "file:.."}
                entities: {Book: {table: \(name), primary_key: id, fields: {id: int, title: string}}}
                streams: [{name: books, entity: Book, path: \(path)}]

                """, to: "pipelines/\(name).yaml")
        }

        func start(_ options: [String] = [], environment: [String: String] = [:], log: String = "json") throws {
            running = try Program.start(
                ["serve", "pipelines", "--listen", "none", "--log-format", log] + options, in: directory.path,
                environment: environment)
        }

        /// Starts the service through another program, which gets the service's command line behind its own words.
        func start(through launcher: [String], input: FileHandle = .nullDevice) throws {
            let program = Program.products.appending(path: "sluice").path
            running = try Running(
                executable: URL(filePath: launcher[0]),
                arguments: launcher.dropFirst() + [program, "serve", "pipelines", "--log-format", "json"],
                folder: directory.path, environment: [:], input: input)
        }

        func signal(_ number: Int32) { if let id = running?.process.processIdentifier { Glibc.kill(id, number) } }

        /// Ends the service at once, without a word.
        func kill() {
            signal(SIGKILL)
            _ = try? running?.wait()
            running = nil
        }

        func wait() throws -> Program.Result { try #require(running).wait() }

        func query(_ sql: String) -> [String] {
            guard let connection = try? Connection(path: directory.file("shop.db"), mode: .readOnly),
                let rows = try? connection.rows(sql)
            else { return [] }
            return rows.map { row in
                row.map { value -> String in
                    switch value {
                    case .integer(let number): String(number)
                    case .text(let bytes): String(decoding: bytes, as: UTF8.self)
                    default: ""
                    }
                }.joined(separator: " ")
            }
        }

        /// Waits until something holds, a minute at most.
        func until(_ what: String, _ holds: () throws -> Bool) throws {
            let deadline = WallClock.monotonicSeconds() + 60
            while try !holds() {
                try #require(WallClock.monotonicSeconds() < deadline, "\(what)")
                Pause.seconds(0.02)
            }
        }

        var ended: Int {
            query("SELECT count(*) FROM _sluice_schedule_runs WHERE outcome = 'succeeded'").first.flatMap { Int($0) }
                ?? 0
        }
    }

    @Test func itRunsWhatIsDueAndKeepsWhatHappened() throws {
        let served = try Served()
        try served.pipeline("books", "schedule: {every: 1s}")
        try served.start()
        try served.until("two runs") { served.ended >= 2 }
        served.signal(SIGTERM)
        let result = try served.wait()
        #expect(result.code == 0, "\(result.errors)")
        #expect(result.errors.contains(#""event":"service_started""#))
        #expect(served.query("SELECT count(*) FROM books") == ["2"])
        let runs = served.directory.file("sluice-serve/runs")
        let first = try #require(FileSystem.names(in: runs).compactMap { Int($0) }.min())
        #expect(first == 1)
        let files = Set(FileSystem.names(in: "\(runs)/1"))
        #expect(files == ["run.json", "log.jsonl", "report.json", "report.html"])
        let report = String(decoding: try FileSystem.contents(of: "\(runs)/1/report.json"), as: UTF8.self)
        #expect(report.contains(#""status":"succeeded""#))
        let page = String(decoding: try FileSystem.contents(of: "\(runs)/1/report.html"), as: UTF8.self)
        #expect(page.hasPrefix("<!doctype html>") || page.hasPrefix("<!DOCTYPE html>"))
        let run = String(decoding: try FileSystem.contents(of: "\(runs)/1/run.json"), as: UTF8.self)
        #expect(run.contains(#""outcome":"succeeded""#) && run.contains(#""store_run":1"#))
        // All that was started has ended.
        #expect(served.query("SELECT count(*) FROM _sluice_schedule_runs WHERE ended IS NULL") == ["0"])
    }

    /// What stands within records is counted apart, in all that is kept of a run.
    @Test func whatIsKeptOfARunCountsAsItsReportDoes() throws {
        let served = try Served()
        let shelf = #"[{"id": 1, "books": [{"no": 1}, {"no": 2}]}, {"id": 2, "books": [{"no": 3}]}]"#
        try served.put(shelf, to: "shelves.json")
        let pipeline = """
            version: 1
            name: shelves
            store: sqlite:../shop.db
            source: {base_url: "file:.."}
            schedule: {every: 1h}
            entities:
              Book: {table: placed, primary_key: [no], fields: {no: int}}
              Shelf:
                table: shelves
                primary_key: [id]
                fields: {id: int}
                children: {books: {entity: Book, from: "books[*]", key: [no]}}
            streams: [{name: shelves, entity: Shelf, path: shelves.json}]
            """
        try served.put(pipeline, to: "pipelines/shelves.yaml")
        try served.start()
        try served.until("a run") { served.ended >= 1 }
        served.signal(SIGTERM)
        _ = try served.wait()
        let run = served.directory.file("sluice-serve/runs/1")
        for document in ["run.json", "log.jsonl", "report.json"] {
            let text = String(decoding: try FileSystem.contents(of: "\(run)/\(document)"), as: UTF8.self)
            #expect(text.contains(#""insert":2,"update":0,"#), "\(document): \(text)")
            #expect(text.contains(#""entities":{"Book":{"insert":3,"update":0,"#), "\(document): \(text)")
        }
    }

    @Test func eachLineOfItsLogHasTheTime() throws {
        let served = try Served()
        try served.pipeline("books", "schedule: {every: 1h}")
        try served.start(log: "text")
        try served.until("a run") { served.ended >= 1 }
        served.signal(SIGTERM)
        let lines = try served.wait().errors.split(separator: "\n")
        for line in lines { #expect(line.contains(#/^[-0-9T:]+Z info: /#), "\(line)") }
        #expect(lines.contains { $0.contains("Z info: The service has started") }, "\(lines)")
    }

    /// Killed at any moment, it goes on where the store ends: no due time is run twice, and its children end with it.
    @Test func killedAtRandomItRunsNothingTwice() throws {
        let seed = UInt64.random(in: 0...UInt64(UInt32.max))
        var random = SeededGenerator(seed: seed)
        let served = try Served()
        try served.pipeline("a", "schedule: {cron: '* * * * * *'}")
        try served.pipeline("b", "schedule: {every: 1s, overlap: queue}")
        for _ in 0..<6 {
            let before = served.ended
            try served.start()
            try served.until("a run, seed \(seed)") { served.ended > before }
            Pause.seconds(Double(Int.random(in: 0...1500, using: &random)) / 1000)
            served.kill()
        }
        try served.start()
        let before = served.ended
        try served.until("a last run, seed \(seed)") { served.ended > before }
        served.signal(SIGTERM)
        #expect(try served.wait().code == 0)
        #expect(served.query("SELECT count(*) FROM _sluice_schedule_runs WHERE attempt > 1") == ["0"], "seed \(seed)")
        #expect(served.query("SELECT count(*) FROM _sluice_schedule_runs WHERE ended IS NULL") == ["0"], "seed \(seed)")
        let open = served.query(
            "SELECT count(*) FROM _sluice_schedule s WHERE settled IS NULL AND NOT EXISTS (SELECT 1 FROM _sluice_schedule_runs r WHERE r.pipeline = s.pipeline AND r.due = s.due)"
        )
        #expect((Int(open.first ?? "") ?? 9) <= 2, "seed \(seed)")
        // Each run of the store was started for a due time, and none twice.
        let kept = served.query("SELECT count(*) FROM _sluice_runs WHERE status = 'succeeded'").first.flatMap {
            Int($0)
        }
        let started = served.query("SELECT count(*) FROM _sluice_schedule_runs").first.flatMap { Int($0) }
        #expect(kept ?? 1 <= started ?? 0, "seed \(seed)")
        // Nothing of them is left that holds a lock.
        let after = try Program.run("run", "pipelines", "--wait", "10s", "--quiet", in: served.directory.path)
        #expect(after.code == 0, "\(after.errors)")
    }

    @Test func theBrokenFileIsRunAsItWas() throws {
        let served = try Served()
        try served.pipeline("books", "schedule: {every: 1s}")
        try served.start()
        try served.until("a run") { served.ended >= 1 }
        try served.put("version: 1\nname: books\nnonsense: yes\n", to: "pipelines/books.yaml")
        served.signal(SIGHUP)
        let before = served.ended
        try served.until("two more runs") { served.ended >= before + 2 }
        served.signal(SIGTERM)
        let result = try served.wait()
        #expect(result.errors.contains("nonsense"))
        #expect(served.query("SELECT count(*) FROM _sluice_schedule_runs WHERE outcome <> 'succeeded'") == ["0"])
    }

    @Test func aSecondServiceIsRefused() throws {
        let served = try Served()
        try served.pipeline("books", "schedule: {every: 1s}")
        try served.start()
        try served.until("a run") { served.ended >= 1 }
        let second = try Program.run("serve", "pipelines", "--listen", "none", in: served.directory.path)
        #expect(second.code == 6)
        #expect(second.errors.contains("Another `sluice serve` has the state folder"))
        #expect(second.errors.contains("serves pipelines of another store"))
        // However the path of the folder is written.
        let roundabout = try Program.run(
            "serve", "pipelines", "--listen", "none", "--state", "pipelines/../sluice-serve",
            in: served.directory.path)
        #expect(roundabout.code == 6 && !roundabout.errors.contains("/.."), "\(roundabout)")
        served.kill()
    }

    /// It is told to read its files again, or to end, before it has begun.
    @Test(arguments: [(SIGHUP, false), (SIGTERM, true)])
    func aSignalInItsFirstMomentsIsHeeded(_ number: Int32, ends: Bool) throws {
        let served = try Served()
        try served.pipeline("books", "schedule: {every: 1h}")
        let pipe = Pipe()
        try served.start(
            through: ["/bin/sh", "-c", #"exec "$0" "$@" --listen none --env-file /dev/stdin"#],
            input: pipe.fileHandleForReading)
        // More than a pipe holds: once that is written, the program is there, and waits for the rest.
        try pipe.fileHandleForWriting.write(contentsOf: Data(String(repeating: "#\n", count: 50_000).utf8))
        served.signal(number)
        try pipe.fileHandleForWriting.close()
        if !ends {
            try served.until("a run") { served.ended >= 1 || served.running?.process.isRunning != true }
            served.signal(SIGTERM)
        }
        let result = try served.wait()
        #expect(result.code == 0, "\(result.errors)")
        #expect(result.errors.contains("service_started") == !ends, "\(result.errors)")
        #expect(served.ended == (ends ? 0 : 1))
    }

    private static let health = "GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"

    /// The socket listens before the service is there. Who comes first waits, and is answered.
    @Test func aSocketThatListensAlreadyIsTaken() throws {
        let served = try Served()
        try served.pipeline("books", "schedule: {every: 1s}")
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        defer { close(listener) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        unsafe withUnsafeMutablePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                #expect(unsafe bind(listener, pointer, size) == 0 && listen(listener, 8) == 0)
                #expect(unsafe getsockname(listener, pointer, &size) == 0)
            }
        }
        let port = UInt16(bigEndian: address.sin_port)
        let client = try RawConnection(port: port)
        defer { client.close() }
        client.send(Self.health)
        // The launcher does what a service manager does: the first descriptor is 3, and the process is the one that is meant.
        try served.start(
            through: ["/bin/sh", "-c", #"exec env LISTEN_PID=$$ LISTEN_FDS=1 "$0" "$@" 3<&0 </dev/null"#],
            input: FileHandle(fileDescriptor: listener, closeOnDealloc: false))
        #expect(client.receiveAll().hasPrefix("HTTP/1.1 200 "))
        try served.until("a run") { served.ended >= 1 }
        served.signal(SIGTERM)
        let result = try served.wait()
        #expect(result.code == 0 && result.errors.contains("http://127.0.0.1:\(port)/"), "\(result.errors)")
    }

    @Test(
        "systemd's own launcher passes a socket on",
        .enabled("systemd-socket-activate is not installed") {
            FileSystem.kind(of: "/usr/bin/systemd-socket-activate") == .file
        })
    func systemdPassesASocketOn() throws {
        let served = try Served()
        try served.pipeline("books", "schedule: {every: 1h}")
        let path = served.directory.file("web.sock")
        try served.start(through: ["/usr/bin/systemd-socket-activate", "-l", path])
        // The service is started by the first connection.
        try served.until("a socket") { (try? RawConnection(path: path).close()) != nil }
        let client = try RawConnection(path: path)
        defer { client.close() }
        client.send(Self.health)
        #expect(client.receiveAll().hasPrefix("HTTP/1.1 200 "))
        served.signal(SIGTERM)
        let result = try served.wait()
        #expect(result.code == 0 && result.errors.contains("unix:\(path)"), "\(result.errors)")
    }

    /// systemd is told that it is ready, that it lives and that it ends, through a socket of datagrams.
    @Test func theServiceManagerIsTold() throws {
        let served = try Served()
        try served.pipeline("books", "schedule: {every: 1h}")
        let path = served.directory.file("notify")
        let descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
        defer { close(descriptor) }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: path.utf8) }
        let bound = unsafe withUnsafePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        try #require(bound == 0)
        var time = timeval(tv_sec: 60, tv_usec: 0)
        unsafe setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &time, socklen_t(MemoryLayout<timeval>.size))
        try served.start(environment: ["NOTIFY_SOCKET": path, "WATCHDOG_USEC": "60000000"])
        var told: [String] = []
        func receive(_ word: String) {
            while !told.contains(where: { $0.contains(word) }) {
                var bytes = [UInt8](repeating: 0, count: 4096)
                let count = unsafe recv(descriptor, &bytes, bytes.count, 0)
                if count <= 0 { return }
                told.append(String(decoding: bytes.prefix(count), as: UTF8.self))
            }
        }
        receive("READY=1")
        #expect(told.last?.contains("STATUS=Serving 1 pipeline") == true)
        receive("WATCHDOG=1")
        served.signal(SIGTERM)
        receive("STOPPING=1")
        #expect(try served.wait().code == 0)
        #expect(["READY=1", "WATCHDOG=1", "STOPPING=1"].allSatisfy { word in told.contains { $0.contains(word) } })
    }
}
