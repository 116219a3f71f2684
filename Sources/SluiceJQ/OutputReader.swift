internal import CSluiceJQ
internal import SluiceJSON

/// Writes a program's present output as JSON without white space.
@safe
struct OutputReader {
    enum Fault: Error {
        case tooDeep
        case tooLarge
    }

    let program: OpaquePointer
    let maximumDepth: Int

    init(_ program: OpaquePointer, maximumDepth: Int) {
        unsafe self.program = program
        self.maximumDepth = maximumDepth
    }

    /// Appends the output; what had been appended until a fault stays.
    func append(to bytes: inout [UInt8], limit: Int) throws(Fault) {
        unsafe sluice_jq_output_begin(program, maximumDepth)
        // Whether a comma is due before the next value or name.
        var needsComma = false
        while bytes.count <= limit {
            let event = unsafe sluice_jq_output_next(program)
            let kind = unsafe event.kind
            switch kind {
            case SLUICE_JQ_EVENT_END: return
            case SLUICE_JQ_EVENT_TOO_DEEP: throw .tooDeep
            case SLUICE_JQ_EVENT_END_ARRAY, SLUICE_JQ_EVENT_END_OBJECT:
                bytes.append(kind == SLUICE_JQ_EVENT_END_ARRAY ? UInt8(ascii: "]") : UInt8(ascii: "}"))
                needsComma = true
                continue
            default: break
            }
            if needsComma { bytes.append(UInt8(ascii: ",")) }
            needsComma = true
            switch kind {
            case SLUICE_JQ_EVENT_FALSE: bytes.append(contentsOf: "false".utf8)
            case SLUICE_JQ_EVENT_TRUE: bytes.append(contentsOf: "true".utf8)
            case SLUICE_JQ_EVENT_NUMBER: NumberText.append(unsafe event.number, to: &bytes)
            case SLUICE_JQ_EVENT_STRING: try unsafe append(event, to: &bytes, limit: limit)
            case SLUICE_JQ_EVENT_NAME:
                try unsafe append(event, to: &bytes, limit: limit)
                bytes.append(UInt8(ascii: ":"))
                needsComma = false
            case SLUICE_JQ_EVENT_BEGIN_ARRAY:
                bytes.append(UInt8(ascii: "["))
                needsComma = false
            case SLUICE_JQ_EVENT_BEGIN_OBJECT:
                bytes.append(UInt8(ascii: "{"))
                needsComma = false
            default: bytes.append(contentsOf: "null".utf8)
            }
        }
        throw .tooLarge
    }

    private func append(_ event: sluice_jq_event, to bytes: inout [UInt8], limit: Int) throws(Fault) {
        let utf8 = unsafe UnsafeRawBufferPointer(start: event.bytes, count: event.length)
        if utf8.count > limit - min(limit, bytes.count) { throw .tooLarge }
        unsafe JSONWriter.append(utf8: utf8, to: &bytes)
    }
}
