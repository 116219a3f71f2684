internal import CSluiceYAML

/// Owns a libyaml parser and the text it reads; every pointer stays inside.
@safe struct EventReader: ~Copyable {
    private let parser: UnsafeMutablePointer<yaml_parser_t>
    private let input: UnsafeMutableBufferPointer<UInt8>
    private let count: Int
    /// The first place after the text.
    private let textEnd: Mark

    /// Makes a reader of a text that is known to be UTF-8.
    ///
    /// - Throws: ``YAMLError`` where libyaml has no memory.
    init(bytes: [UInt8]) throws(YAMLError) {
        // Nothing of self is set before the last throw, so that `deinit` cannot run on a half-made reader.
        let parser = UnsafeMutablePointer<yaml_parser_t>.allocate(capacity: 1)
        guard unsafe yaml_parser_initialize(parser) == 1 else {
            unsafe parser.deallocate()
            throw YAMLError(code: .limit, message: "There is not enough memory to read the file.", mark: .start)
        }
        unsafe self.parser = parser
        // libyaml asserts that there is a buffer, even for no bytes.
        unsafe input = .allocate(capacity: max(bytes.count, 1))
        count = bytes.count
        textEnd = SourceLines.mark(ofOffset: bytes.count, in: bytes)
        _ = unsafe input.initialize(from: bytes)
        unsafe yaml_parser_set_encoding(parser, YAML_UTF8_ENCODING)
        unsafe yaml_parser_set_input_string(parser, input.baseAddress, count)
    }

    deinit {
        unsafe yaml_parser_delete(parser)
        unsafe parser.deallocate()
        unsafe input.deallocate()
    }

    /// Reads the next event; after an error or the end of the stream there is none to ask for.
    ///
    /// - Throws: ``YAMLError`` where the text is not YAML.
    mutating func next() throws(YAMLError) -> YAMLEvent {
        var event = unsafe yaml_event_t()
        guard unsafe yaml_parser_parse(parser, &event) == 1 else { throw failure() }
        defer { unsafe yaml_event_delete(&event) }
        return unsafe YAMLEvent(
            kind: kind(of: event), start: place(of: event.start_mark), end: place(of: event.end_mark))
    }

    private func kind(of event: yaml_event_t) -> YAMLEvent.Kind {
        switch unsafe event.type {
        case YAML_STREAM_START_EVENT: return .streamStart
        case YAML_DOCUMENT_START_EVENT: return .documentStart
        case YAML_DOCUMENT_END_EVENT: return .documentEnd
        case YAML_ALIAS_EVENT: return unsafe .alias(text(event.data.alias.anchor) ?? "")
        case YAML_SCALAR_EVENT:
            let scalar = unsafe event.data.scalar
            let characters = unsafe UnsafeBufferPointer(start: scalar.value, count: scalar.length)
            return unsafe .scalar(
                text: String(decoding: characters, as: UTF8.self), style: style(scalar.style),
                YAMLEvent.Properties(anchor: text(scalar.anchor), tag: text(scalar.tag)))
        case YAML_SEQUENCE_START_EVENT:
            let node = unsafe event.data.sequence_start
            return unsafe .sequenceStart(YAMLEvent.Properties(anchor: text(node.anchor), tag: text(node.tag)))
        case YAML_SEQUENCE_END_EVENT: return .sequenceEnd
        case YAML_MAPPING_START_EVENT:
            let node = unsafe event.data.mapping_start
            return unsafe .mappingStart(YAMLEvent.Properties(anchor: text(node.anchor), tag: text(node.tag)))
        case YAML_MAPPING_END_EVENT: return .mappingEnd
        default: return .streamEnd
        }
    }

    private func style(_ style: yaml_scalar_style_t) -> YAMLScalar.Style {
        switch style {
        case YAML_SINGLE_QUOTED_SCALAR_STYLE: .singleQuoted
        case YAML_DOUBLE_QUOTED_SCALAR_STYLE: .doubleQuoted
        case YAML_LITERAL_SCALAR_STYLE: .literal
        case YAML_FOLDED_SCALAR_STYLE: .folded
        default: .plain
        }
    }

    private func text(_ pointer: UnsafeMutablePointer<yaml_char_t>?) -> String? {
        guard let pointer = unsafe pointer else { return nil }
        return unsafe String(cString: pointer)
    }

    private func text(_ pointer: UnsafePointer<CChar>?) -> String? {
        guard let pointer = unsafe pointer else { return nil }
        return unsafe String(cString: pointer)
    }

    /// libyaml's words for what went wrong: the problem, and what it was doing meanwhile.
    private func failure() -> YAMLError {
        let state = unsafe parser.pointee
        let problem = unsafe text(state.problem) ?? "the text could not be read"
        if unsafe state.error == YAML_READER_ERROR {
            let bytes = unsafe Array(input.prefix(count))
            let mark = unsafe SourceLines.mark(ofOffset: min(state.problem_offset, bytes.count), in: bytes)
            return YAMLError(code: .encoding, message: "\(problem.capitalizedSentence).", mark: mark)
        }
        let mark = unsafe place(of: state.problem_mark)
        guard let context = unsafe text(state.context) else {
            return YAMLError(code: .syntax, message: "\(problem.capitalizedSentence).", mark: mark)
        }
        let contextMark = unsafe place(of: state.context_mark)
        let place = contextMark == mark ? "" : " that starts at line \(contextMark.line), column \(contextMark.column)"
        // The end of the text shows nothing; what was left open does.
        return YAMLError(
            code: .syntax, message: "\(problem.capitalizedSentence) \(context)\(place).",
            mark: mark == textEnd ? contextMark : mark, contextMark: contextMark)
    }

    /// The place of a mark; libyaml counts one line too many at the end of a text without a last line break.
    private func place(of mark: yaml_mark_t) -> Mark {
        min(Mark(line: mark.line + 1, column: mark.column + 1), textEnd)
    }
}

extension String {
    fileprivate var capitalizedSentence: String { prefix(1).uppercased() + dropFirst() }
}
