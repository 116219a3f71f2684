internal import SluicePipeline
internal import SluicePipelineFiles

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
        context.environment = variables.merging(context.environment) { $1 }
        return Invocation(arguments: arguments, context: context)
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
