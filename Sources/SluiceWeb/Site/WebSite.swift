internal import SluiceCommands
package import SluiceServeModel
internal import SluiceSystem

/// What requests are answered from: the service, its stores, and who may ask.
package final class WebSite: Sendable {
    let control: any ServeControl
    let gatekeeper: Gatekeeper
    let program: ProgramRunner
    let stores: StoreReader
    let states: StateReader
    let metrics: MetricsCollector

    /// Makes a site.
    ///
    /// - Parameters:
    ///   - control: What is asked and told.
    ///   - listening: Who may ask; where it listens is not looked at.
    ///   - program: The program that carries out decisions.
    /// - Throws: What is wrong with the token file, as sentences.
    package init(control: any ServeControl, listening: ServeListening, program: String) throws {
        self.control = control
        self.program = ProgramRunner(program: program, environment: listening.environment)
        gatekeeper = Gatekeeper(tokens: try listening.tokenFile.map { try TokenFile(path: $0) })
        stores = StoreReader()
        states = StateReader(stores: stores)
        metrics = MetricsCollector(control: control)
    }

    /// Whether people have to log in.
    var asksForToken: Bool { gatekeeper.asksForToken }

    /// Begins to count what runs come to.
    package func start() { metrics.start() }

    /// Ends that.
    package func stop() { metrics.stop() }

    /// A pipeline by its name.
    ///
    /// - Throws: ``Refusal`` where there is none.
    func pipeline(_ name: String) throws(Refusal) -> ServedPipeline {
        let status = control.status()
        if let pipeline = status.pipeline(named: name) { return pipeline }
        if let file = status.brokenFiles.first(where: { FileSystem.stem(of: $0.path) == name }) {
            throw .notFound(
                "The pipeline `\(name)` is not served: its file `\(file.path)` has errors. The list of pipelines says which."
            )
        }
        throw .notFound("There is no pipeline `\(name)`.")
    }
}
