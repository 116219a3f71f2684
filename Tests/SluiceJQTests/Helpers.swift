internal import Glibc
import SluiceJQ

/// The outputs of a program as text.
func outputs(_ program: String, _ input: String = "null", limits: JQLimits = .standard) throws(JQError) -> [String] {
    try JQProgram(program, limits: limits).evaluate(Array(input.utf8)).output.map {
        String(decoding: $0, as: UTF8.self)
    }
}

/// The error of a program that must not succeed; nil if it does.
func failure(_ program: String, _ input: String = "null", limits: JQLimits = .standard) -> JQError? {
    do throws(JQError) {
        _ = try outputs(program, input, limits: limits)
        return nil
    } catch {
        return error
    }
}

/// The memory of the process that is in use.
func residentBytes() -> Int {
    let file = unsafe open("/proc/self/statm", O_RDONLY)
    defer { close(file) }
    var text = [UInt8](repeating: 0, count: 200)
    let count = unsafe read(file, &text, text.count)
    let fields = String(decoding: text.prefix(max(0, count)), as: UTF8.self).split(separator: " ")
    return fields.count > 1 ? (Int(fields[1]) ?? 0) * 4096 : 0
}
