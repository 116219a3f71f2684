internal import SluiceDiagnostics
package import SluiceServeModel
internal import SluiceStore
internal import SluiceSystem

#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

extension Sluice {
    /// Does what this process's arguments say, and ends the process.
    ///
    /// What libraries do at the end of a process is left out: a thread that nobody waits for any longer, as one that connects to a
    /// server which says nothing, may still be within them.
    ///
    /// - Parameter makeListener: Makes the page of a service; nil where this program has none.
    package static func main(
        makeListener: (@Sendable (any ServeControl, ServeListening) throws -> any ServeListener)? = nil
    ) -> Never {
        // Whoever starts a service may tell it at once to read its files.
        if CommandLine.arguments.dropFirst().first == "serve" { Signals.awaitHangups() }
        var context = CommandContext.process()
        context.makeListener = makeListener
        _exit(run(arguments: Array(CommandLine.arguments.dropFirst()), context: context))
    }

    /// Does what arguments say.
    ///
    /// - Parameters:
    ///   - arguments: The arguments, the program's name not among them.
    ///   - context: Where text goes and what the process was given.
    /// - Returns: The exit code.
    package static func run(arguments: [String], context: CommandContext) -> Int32 {
        perform(arguments, context).rawValue
    }

    private static func perform(_ arguments: [String], _ context: CommandContext) -> ExitCode {
        if arguments.isEmpty {
            try? context.errors.write(Array(HelpText.of([]).utf8))
            return .usage
        }
        do throws(ArgumentParser.Problem) {
            switch try ArgumentParser.parse(arguments) {
            case .help(let path): return print(HelpText.of(path), context)
            case .version: return print("sluice \(version)\n", context)
            case .command(let parsed): return perform(Invocation(arguments: parsed, context: context))
            }
        } catch {
            Log(level: .error, format: .asked(in: arguments), sink: context.errors).report(
                .commandFailed, lines: error.text, message: error.message,
                [(.exitCode, .number(Int(ExitCode.usage.rawValue)))])
            return .usage
        }
    }

    private static func perform(_ invocation: Invocation) -> ExitCode {
        do {
            return ended(try invocation.withEnvironmentFiles().perform(), invocation.context)
        } catch  where invocation.context.cancellation.isCancelled && isStop(error) {
            invocation.log.report(.stopped, lines: "Stopped.\n")
            return .stopped(by: invocation.context.signal())
        } catch {
            let failure = Failure(error)
            let code = ended(failure.code, invocation.context)
            let canWait = invocation.arguments.command.options.contains(.wait)
            invocation.log.report(
                .commandFailed, failure.message(canWait: canWait), [(.exitCode, .number(Int(code.rawValue)))])
            if code == .usage {
                invocation.log.report(.helpNamed, lines: "See `sluice \(invocation.arguments.command.name) --help`.\n")
            }
            return code
        }
    }

    /// Whether an error says no more than that the command was to end, as one does that comes from below of an interrupted statement.
    private static func isStop(_ error: any Error) -> Bool {
        switch error {
        case let error as SystemError: error.number == EINTR
        case let error as StoreError: error.code == .interrupted
        default: Failure.isUnforeseen(error)
        }
    }

    /// How a command ended: what a signal stops may fail in any words.
    private static func ended(_ code: ExitCode, _ context: CommandContext) -> ExitCode {
        let isStopped = context.cancellation.isCancelled && [.failed, .invalidPipeline].contains(code)
        return isStopped ? .stopped(by: context.signal()) : code
    }

    private static func print(_ text: String, _ context: CommandContext) -> ExitCode {
        // Nobody is left to be told of a reader that is gone.
        try? context.output.write(Array(text.utf8))
        return .done
    }
}
