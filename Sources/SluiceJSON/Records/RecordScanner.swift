internal import CSluiceSimdjson

/// The scanner of the C side, with a path to the records.
@safe
struct RecordScanner: ~Copyable {
    private let handle: OpaquePointer
    private let isAutomatic: Bool
    /// What the last call found.
    private var event = unsafe sluice_json_scan_event()

    private init(_ handle: OpaquePointer, isAutomatic: Bool) {
        unsafe self.handle = handle
        self.isAutomatic = isAutomatic
    }

    /// Makes a scanner; without a path it takes the elements of an array, or an object as a whole.
    static func make(
        path: JSONPath?, members: Bool, maximumDepth: Int, maximumNameLength: Int
    ) throws(JSONError) -> RecordScanner {
        let handle = unsafe sluice_json_scanner_new(max(0, maximumDepth), max(0, maximumNameLength))
        guard let handle = unsafe handle else { throw JSONError(SLUICE_JSON_OUT_OF_MEMORY, at: 0) }
        let scanner = unsafe RecordScanner(handle, isAutomatic: path == nil && !members)
        for step in path?.steps ?? [] { try scanner.add(step) }
        if members { try scanner.add(SLUICE_STEP_MEMBERS) }
        if scanner.isAutomatic { unsafe sluice_json_scanner_set_automatic(handle) }
        return scanner
    }

    deinit { unsafe sluice_json_scanner_free(handle) }

    private func add(_ step: JSONPath.Step) throws(JSONError) {
        switch step {
        case .name(let name): try add(SLUICE_STEP_NAME, name: Array(name.utf8))
        case .index(let index) where index >= 0: try add(SLUICE_STEP_INDEX, index: UInt64(index))
        case .index:
            throw JSONError(
                code: .pathNotStreamable,
                message: "A negative index counts from the end, which is not known while the document streams past.",
                byteOffset: 0)
        case .wildcard: try add(SLUICE_STEP_WILDCARD)
        }
    }

    private func add(_ kind: sluice_json_step_kind, index: UInt64 = 0, name: [UInt8] = []) throws(JSONError) {
        guard unsafe sluice_json_scanner_add_step(handle, kind, index, name, name.count) != 0 else {
            throw JSONError(SLUICE_JSON_OUT_OF_MEMORY, at: 0)
        }
    }

    mutating func scan(_ bytes: UnsafeRawBufferPointer) -> sluice_json_scan_status {
        let start = unsafe bytes.assumingMemoryBound(to: UInt8.self).baseAddress
        return unsafe sluice_json_scanner_scan(handle, start, bytes.count, &event)
    }

    mutating func finish() -> sluice_json_scan_status { unsafe sluice_json_scanner_finish(handle, &event) }

    func restart(at offset: Int) { unsafe sluice_json_scanner_restart(handle, UInt64(offset)) }

    var pathWasFound: Bool { unsafe sluice_json_scanner_path_was_found(handle) != 0 }

    /// How many bytes the last call consumed.
    var consumed: Int { unsafe event.consumed }

    /// Where the record begins whose end is not yet reached.
    var openRecordStart: Int? { unsafe event.is_in_record != 0 ? Int(event.record_start) : nil }

    /// The offsets of the record that was just found.
    var record: Range<Int> { unsafe Int(event.record_start)..<Int(event.record_end) }

    /// The name of the member that the record just found is.
    var memberName: UnsafeRawBufferPointer? {
        unsafe event.name.map { unsafe UnsafeRawBufferPointer(start: $0, count: event.name_length) }
    }

    /// The JSON pointer of the record that was just found, or of the value that is of the wrong type.
    var pointer: String {
        var text = ""
        var step = 0
        var location = unsafe sluice_json_location()
        while unsafe sluice_json_scanner_location(handle, step, &location) != 0 {
            if unsafe location.is_member != 0 {
                let name = unsafe UnsafeRawBufferPointer(start: location.name, count: location.name_length)
                JSONPointer.append(name: unsafe String(decoding: name, as: UTF8.self), to: &text)
            } else {
                JSONPointer.append(index: unsafe Int(clamping: location.index), to: &text)
            }
            step += 1
        }
        return text
    }

    /// The error that the last call found.
    func error(path: JSONPath?) -> JSONError {
        let offset = unsafe Int(event.error_offset)
        guard unsafe event.code == SLUICE_JSON_WRONG_TYPE else { return unsafe JSONError(event.code, at: offset) }
        let found = unsafe JSONKind(firstByte: event.error_byte)
        let purpose =
            switch unsafe path?.steps.dropFirst(event.error_step).first {
            case .name: "an object here to follow the path to the records"
            case .index: "an array here to follow the path to the records"
            case .wildcard: "an array or an object here to follow the path to the records"
            case nil: isAutomatic ? "an array of records or one object" : "an object whose members are the records"
            }
        return JSONError(
            code: .wrongType, message: "Expected \(purpose), but found \(found).", byteOffset: offset,
            pointer: pointer)
    }
}

extension JSONKind {
    /// The type of a value that begins with a byte.
    fileprivate init(firstByte: UInt8) {
        switch firstByte {
        case UInt8(ascii: "{"): self = .object
        case UInt8(ascii: "["): self = .array
        case UInt8(ascii: "\""): self = .string
        case UInt8(ascii: "t"), UInt8(ascii: "f"): self = .bool
        case UInt8(ascii: "n"): self = .null
        default: self = .number
        }
    }
}
