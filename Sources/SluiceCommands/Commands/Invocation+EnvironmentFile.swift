internal import SluicePipeline
internal import SluicePipelineFiles
internal import SluiceStores

extension Invocation {
    /// The largest file of variables.
    private static let largestFile = 1 << 20

    /// The same with the variables of the files that `--env-file` names: of several the last one counts, and what the
    /// process was given counts more than any.
    ///
    /// - Throws: ``Failure``, which names file and line and tells no value.
    func withEnvironmentFiles() throws -> Invocation {
        let paths = arguments.texts(.environmentFile)
        if paths.isEmpty { return self }
        var variables: [String: String] = [:]
        for path in paths { variables.merge(try Self.variables(of: path)) { $1 } }
        var context = context
        context.fileVariables = Set(variables.keys).subtracting(context.environment.keys)
        context.environment = variables.merging(context.environment) { $1 }
        return Invocation(arguments: arguments, context: context)
    }

    /// Refuses a store that would be looked for elsewhere, or asked for by somebody else, than a file of variables says: what its URL
    /// leaves out comes from the environment of the process.
    ///
    /// - Parameter store: The store that is to be opened.
    /// - Throws: ``Failure``, which names the variables.
    func checkVariables(of store: StoreAddress) throws {
        if store.file != nil || context.fileVariables.isEmpty { return }
        let lost = LibpqVariables.completing(store, in: context.environment).filter(context.fileVariables.contains)
        if lost.isEmpty { return }
        let names = lost.map { "`\($0)`" }.joined(separator: ", ")
        throw Failure(
            .failed,
            "`--env-file` sets \(names), which libpq reads from the environment of the process alone, so that the store would not get \(CountText.word(lost.count, "it", "them")). Put the whole URL into the file, as in `STORE_URL=postgres://user:password@host/shop` with `store: ${env:STORE_URL}`, or set \(names) where the command starts."
        )
    }

    private static func variables(of path: String) throws -> [String: String] {
        let bytes: [UInt8]
        do throws(FileReader.Failure) {
            bytes = try FileReader.read(path, maximumBytes: largestFile)
        } catch {
            throw Failure(.failed, "`--env-file`: the file `\(path)` \(error.reason). \(error.help)")
        }
        do throws(EnvironmentFile.Problem) {
            return try EnvironmentFile(parsing: bytes).variables
        } catch {
            throw Failure(.failed, "`--env-file`: line \(error.line) of `\(path)` cannot be read. \(error.message)")
        }
    }
}
