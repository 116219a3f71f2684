import SluiceDiagnostics
import SluicePipeline
import SluicePipelineFiles
import SluiceSQLiteStore
import SluiceSchedule
import SluiceServe
import SluiceServeModel
import SluiceStore
import SluiceStores
import SluiceSystem
import Synchronization
import TestSupport

/// A service whose clock a test turns and whose runs it ends.
final class ServeScene {
    /// The wall clock and one that nobody sets.
    final class Clock: Sendable {
        private let times = Mutex<(wall: Double, monotonic: Double)>((1_767_225_600, 0))

        var wall: Double { times.withLock { $0.wall } }
        var monotonic: Double { times.withLock { $0.monotonic } }

        func pass(_ seconds: Double) {
            times.withLock { times in
                times.wall += seconds
                times.monotonic += seconds
            }
        }

        /// Somebody sets the wall clock.
        func turn(_ seconds: Double) { times.withLock { $0.wall += seconds } }
    }

    /// Keeps what is started, until the test ends it.
    final class Runner: ServeRunner {
        final class Child: RunHandle {
            let order: RunOrder
            private let onNews: @Sendable (RunNews) -> Void
            private let sent = Mutex<[String]>([])

            init(_ order: RunOrder, _ onNews: @escaping @Sendable (RunNews) -> Void) {
                (self.order, self.onNews) = (order, onNews)
            }

            var signals: [String] { sent.withLock { $0 } }
            func terminate() { sent.withLock { $0.append("terminate") } }
            func kill() { sent.withLock { $0.append("kill") } }

            func progress(_ records: Int) {
                var progress = ServedProgress()
                progress.records = records
                onNews(.progressed(progress))
            }

            func end(_ status: String?, code: Int32 = 0, storeRun: Int64? = nil, error: String? = nil) {
                var ending = RunEnding()
                (ending.status, ending.exitCode, ending.storeRun) = (status, code, storeRun)
                ending.error = error.map { ($0, "It failed.") }
                onNews(.ended(ending))
            }
        }

        private let started = Mutex<[Child]>([])
        /// Is called with each order, before anything is done for it.
        private let onStart = Mutex<(@Sendable (RunOrder) -> Void)?>(nil)

        var children: [Child] { started.withLock { $0 } }

        func watch(_ body: @escaping @Sendable (RunOrder) -> Void) { onStart.withLock { $0 = body } }

        func start(_ order: RunOrder, onNews: @escaping @Sendable (RunNews) -> Void) -> any RunHandle {
            onStart.withLock { $0 }?(order)
            let child = Child(order, onNews)
            started.withLock { $0.append(child) }
            return child
        }

        func forget() { started.withLock { $0 = [] } }
    }

    /// The program around the service.
    final class Program: ServeProgram {
        /// The store's file, where it is one.
        var store: String { address.file ?? "" }
        /// The store of all pipelines whose files are read from now on.
        var address: StoreAddress
        /// The stores of pipelines that fill others.
        var places: [String: StoreAddress] = [:]
        var notices: [ServeNotice] = []
        /// What pipelines do not agree on.
        var warning: Diagnostic?
        var messages: [ServeMessage] = []

        init(_ address: StoreAddress) { self.address = address }

        func load(_ file: String, _ texts: PipelineTexts) -> (PipelineDefinition?, [Diagnostic]) {
            PipelineLoader.load(path: file, environment: [:], mode: .run, texts: texts)
        }
        func store(of pipeline: PipelineDefinition) -> Result<ServedStore, ServeProblem> {
            .success(ServedStore(places[pipeline.name] ?? address, isSecret: false))
        }
        func disagreements(of pipelines: [PipelineDefinition]) -> [Diagnostic] { warning.map { [$0] } ?? [] }
        func arguments(for pipeline: PipelineDefinition) -> [String] { [pipeline.file] }
        func notify(_ notice: ServeNotice) { notices.append(notice) }
        func log(_ message: ServeMessage) { messages.append(message) }
        func looks() -> Bool { false }
    }

    let directory: TemporaryDirectory
    let clock = Clock()
    let runner = Runner()
    let program: Program
    var settings: ServeSettings
    private(set) var service: ServeService?
    private(set) var loop: ServeLoop?

    /// A folder with pipelines, and no service yet.
    ///
    /// - Parameters:
    ///   - schedules: The pipelines by their names, with what their files say besides the rest.
    ///   - store: The store that they fill; a file of the folder where nil.
    /// - Throws: Where it cannot be made.
    init(_ schedules: [String: String], store: StoreAddress? = nil) throws {
        directory = try TemporaryDirectory()
        program = Program(store ?? StoreAddress(file: directory.file("store.db")))
        let clock = clock
        settings = ServeSettings(
            paths: [directory.file("pipelines")], stateFolder: directory.file("state"), runner: runner)
        settings.clock = ServeClock(wall: { clock.wall }, monotonic: { clock.monotonic })
        for (name, schedule) in schedules { try write(name, schedule) }
    }

    func write(_ name: String, _ schedule: String) throws {
        try put(
            """
            version: 1
            name: \(name)
            \(schedule)
            source: {base_url: "file:."}
            entities: {Book: {table: \(name), primary_key: id, fields: {id: int}}}
            streams: [{name: books, entity: Book, path: books.json}]

            """, to: "pipelines/\(name).yaml")
    }

    /// Writes a file of the scene's folder.
    func put(_ text: String, to name: String) throws {
        let path = directory.file(name)
        try FileSystem.makeFolders(FileSystem.folder(of: path))
        try FileSystem.writePrivately(Array(text.utf8), to: path)
    }

    var control: any ServeControl {
        get throws {
            guard let service else { throw Missing() }
            return service
        }
    }

    struct Missing: Error {}

    func start() throws {
        let service = try ServeService(settings)
        self.service = service
        loop = service.makeLoop(program)
        look()
    }

    /// The service is gone at once, and its children with it.
    func kill() {
        (service, loop) = (nil, nil)
        runner.forget()
    }

    /// Has the loop look until it has nothing to do at once.
    func look() {
        var rounds = 0
        while loop?.poll() ?? 1 == 0, rounds < 100 { rounds += 1 }
    }

    /// Lets time pass, second by second, as the loop would see it.
    func pass(_ seconds: Int) {
        for _ in 0..<seconds {
            clock.pass(1)
            look()
        }
    }

    /// The runs that were started, as `name@second of the day attempt`.
    var starts: [String] {
        runner.children.map { child in
            let run = child.order.run
            return run.due.map { "\(run.pipeline)@\($0 % 86_400) \(run.attempt)" } ?? "\(run.pipeline) \(run.kind)"
        }
    }

    /// What stands in the store.
    func rows() throws -> ScheduleRows { try SQLiteRecordStore(path: program.store, mode: .existing).schedule.read() }

    /// How each row in the store is settled; open ones as `…`.
    func settled() throws -> [String] {
        try rows().dueTimes.map { "\($0.id.pipeline)@\($0.id.moment % 86_400) \($0.settlement?.text ?? "…")" }
    }
}
