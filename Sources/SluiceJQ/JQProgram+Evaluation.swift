internal import CSluiceJQ
internal import SluiceJSON

extension JQProgram {
    /// Compiles the program unless it is: also again, after it was stopped.
    func compile() throws(JQError) {
        let status = unsafe sluice_jq_compile(handle)
        switch status {
        case SLUICE_JQ_OK: return
        case SLUICE_JQ_FAILED: throw JQError(report: message, program: text)
        case SLUICE_JQ_TIME: throw error(.timeLimit, "Compiling the program took more than \(limits.time).")
        case SLUICE_JQ_MEMORY:
            throw error(.memoryLimit, "Compiling the program takes more than \(limits.memory) bytes of memory.")
        default: throw stopped(status)
        }
    }

    /// Evaluates the program, and again with each number moved that doubles cannot hold.
    func result<Output>(
        _ input: JSONElement, _ read: () throws(JQError) -> Output
    ) throws(JQError) -> JQResult<Output> {
        var writer = unsafe InputWriter(handle)
        let output = try run(input, &writer, read)
        let count = writer.lossyCount
        guard count > 0 else { return JQResult(output: output) }
        let numbers = InputWriter.lossyNumbers(in: input)
        var found: [JQLossyNumber] = []
        let size = (count + Self.maximumGroups - 1) / Self.maximumGroups
        for start in stride(from: 0, to: count, by: size) {
            writer.moved = start..<min(start + size, count)
            for movesUp in [true, false] {
                writer.movesUp = movesUp
                if try moved(input, &writer, read) != output {
                    found.append(contentsOf: numbers[writer.moved])
                    break
                }
            }
        }
        return JQResult(output: output, lossyNumbers: found)
    }

    /// The output with some numbers moved; nil if the program raised an error, which is a change as well.
    private func moved<Output>(
        _ input: JSONElement, _ writer: inout InputWriter, _ read: () throws(JQError) -> Output
    ) throws(JQError) -> Output? {
        do {
            return try run(input, &writer, read)
        } catch {
            if error.code == .evaluation || error.code == .severalOutputs { return nil }
            throw error
        }
    }

    private func run<Output>(
        _ input: JSONElement, _ writer: inout InputWriter, _ read: () throws(JQError) -> Output
    ) throws(JQError) -> Output {
        // What the last input has left behind must not count for this one.
        unsafe sluice_jq_reset(handle)
        try compile()
        writer.write(input)
        let status = unsafe sluice_jq_start(handle)
        if status != SLUICE_JQ_OK { throw stopped(status) }
        return try read()
    }

    /// Goes to the next output; false if there is none.
    private func next() throws(JQError) -> Bool {
        let status = unsafe sluice_jq_next(handle)
        switch status {
        case SLUICE_JQ_OK: return true
        case SLUICE_JQ_END: return false
        default: throw stopped(status)
        }
    }

    func verdict() throws(JQError) -> Bool {
        guard try next() else { return false }
        let isTrue = unsafe sluice_jq_output_is_true(handle) != 0
        if try next() {
            throw error(
                .severalOutputs,
                "The program gave more than one output where one is asked; use `any(…)` or `all(…)` to say which decides."
            )
        }
        return isTrue
    }

    func outputs(upTo count: Int) throws(JQError) -> [[UInt8]] {
        var outputs: [[UInt8]] = []
        var left = limits.outputBytes
        while outputs.count < count, try next() {
            if outputs.count >= limits.outputCount {
                throw error(.outputLimit, "The program gave more than \(limits.outputCount) outputs.")
            }
            var bytes: [UInt8] = []
            do {
                try unsafe OutputReader(handle, maximumDepth: limits.outputDepth).append(to: &bytes, limit: left)
            } catch {
                throw fault(error)
            }
            left -= bytes.count
            outputs.append(bytes)
        }
        return outputs
    }

    private func fault(_ fault: OutputReader.Fault) -> JQError {
        switch fault {
        case .tooDeep:
            error(.outputLimit, "An output is nested more than \(limits.outputDepth) levels deep.")
        case .tooLarge:
            error(.outputLimit, "The outputs are larger than \(limits.outputBytes) bytes.")
        }
    }

    private func stopped(_ status: sluice_jq_status) -> JQError {
        switch status {
        case SLUICE_JQ_FAILED: error(.evaluation, message)
        case SLUICE_JQ_TIME: error(.timeLimit, "The program took more than \(limits.time) for one input.")
        case SLUICE_JQ_MEMORY:
            error(.memoryLimit, "The program took more than \(limits.memory) bytes of memory for one input.")
        case SLUICE_JQ_STACK:
            error(.memoryLimit, "The program made a value that is nested too deeply for the stack.")
        case SLUICE_JQ_ASSERTION: error(.internal, "jq failed one of its own checks: \(message)")
        case SLUICE_JQ_STOPPED_TOO_OFTEN:
            error(.memoryLimit, "The program was stopped too often within one step; it is not evaluated any more.")
        default: error(.internal, "This build of libjq cannot be limited; jq programs are not evaluated with it.")
        }
    }

    private func error(_ code: JQError.Code, _ message: String) -> JQError {
        JQError(code: code, message: message, program: text)
    }

    private var message: String {
        var length = 0
        let start = unsafe sluice_jq_message(handle, &length)
        return unsafe String(decoding: UnsafeRawBufferPointer(start: start, count: length), as: UTF8.self)
    }
}
