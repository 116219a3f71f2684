package import SluiceHTTP
package import SluiceReport
internal import SluiceSystem
import Synchronization

/// A recording that answers requests in the place of their source.
///
/// Each request gets the answers that were recorded for its method, URL and body, one after the other.
package final class Recording: Sendable {
    package struct Key: Hashable {
        package var method: String
        package var url: String
        package var body: [UInt8]

        package init(_ request: RecordedRequest) {
            method = request.method
            url = request.comparedURL
            let text = request.body ?? []
            body = RecordedBody.compact(text) ?? text
        }
    }

    package struct Entry {
        package var file: String
        package var key: Key

        /// Makes a value of its parts.
        package init(file: String, key: Key) {
            self.file = file
            self.key = key
        }
    }

    /// When it was made, RFC 3339; nil where it does not say so.
    package let startedAt: String?
    /// Whether it was made with `--full`, so that a replay reads streams from their beginning, too.
    package let isFull: Bool
    /// What is wrong with it that people should know; nil for nothing.
    package let problem: RunProblem?
    private let contents: Contents

    /// Looks at a recording. What is wrong with it is told to whoever asks it for an answer.
    ///
    /// - Parameters:
    ///   - folder: What `--replay` names: a folder with a folder for each pipeline, or a pipeline's own.
    ///   - pipeline: The pipeline's name.
    package init(folder: String, pipeline: String) {
        let own = FileSystem.resolve(pipeline, in: folder)
        let place = FileSystem.kind(of: FileSystem.resolve(RecordingState.fileName, in: own)) == nil ? folder : own
        let state = RecordingState(in: place).flatMap { $0.pipeline == pipeline ? $0 : nil }
        startedAt = state?.startedAt
        isFull = state?.isFull ?? false
        problem = state.flatMap { $0.status == .complete ? nil : Self.incomplete($0, place) }
        let isPartial = problem != nil
        contents = Contents(folder: place, isPartial: isPartial, isFull: isFull)
        if state == nil {
            let message =
                "there is no recording of `\(pipeline)` in `\(folder)`. Make one with `sluice record … --to \(folder)`."
            contents.fail(message)
        } else {
            contents.read()
        }
    }

    /// What a client is given.
    package var replayer: HTTPReplayer {
        HTTPReplayer { [contents] request throws(HTTPTrafficError) in try contents.answer(request) }
    }

    private static func incomplete(_ state: RecordingState, _ folder: String) -> RunProblem {
        let reason = state.message.map { ": \($0)" } ?? "."
        let what = state.status == .failed ? "ends with a failure" : "was interrupted"
        return RunProblem(
            code: "recording_incomplete", severity: .warning,
            message: "The recording `\(folder)` \(what), so answers may be missing\(reason)")
    }
}

extension Recording {
    /// The exchanges of a folder, and which of them were used.
    private final class Contents: Sendable {
        private struct State {
            var entries: [Entry] = []
            var places: [Key: [Int]] = [:]
            var used: [Key: Int] = [:]
            var failure: String?
        }

        private let folder: String
        private let isPartial: Bool
        private let isFull: Bool
        private let state = Mutex(State())

        init(folder: String, isPartial: Bool, isFull: Bool) {
            self.folder = folder
            self.isPartial = isPartial
            self.isFull = isFull
        }

        func fail(_ message: String) { state.withLock { $0.failure = message } }

        func read() {
            let names = FileSystem.matches(of: FileSystem.resolve("*.json", in: FileSystem.escaped(folder)))
                .map { String($0.split(separator: "/").last ?? "") }.filter(RecordingNames.isExchange)
            state.withLock { state in
                for name in names {
                    do throws(RecordedExchange.Unreadable) {
                        let exchange = try RecordedExchange(reading: name, in: folder, hasBody: false)
                        let key = Key(exchange.request)
                        state.places[key, default: []].append(state.entries.count)
                        state.entries.append(Entry(file: name, key: key))
                    } catch {
                        state.failure = "the file `\(name)` of the recording `\(folder)` \(error.reason)."
                        return
                    }
                }
            }
        }

        func answer(_ request: RecordedRequest) throws(HTTPTrafficError) -> RecordedResponse {
            let key = Key(request)
            let (file, message) = state.withLock { state -> (String?, String) in
                if let failure = state.failure { return (nil, failure) }
                let places = state.places[key] ?? []
                let used = state.used[key] ?? 0
                guard used < places.count else {
                    let unexpected = UnexpectedRequest(key, entries: state.entries, known: places.count)
                    return (nil, unexpected.message(folder: folder, isPartial: isPartial, isFull: isFull))
                }
                state.used[key] = used + 1
                return (state.entries[places[used]].file, "")
            }
            guard let file else { throw HTTPTrafficError(.notRecorded, message) }
            do throws(RecordedExchange.Unreadable) {
                return try RecordedExchange(reading: file, in: folder, hasBody: true).response
            } catch {
                throw HTTPTrafficError(.notRecorded, "the file `\(file)` of the recording `\(folder)` \(error.reason).")
            }
        }
    }
}
