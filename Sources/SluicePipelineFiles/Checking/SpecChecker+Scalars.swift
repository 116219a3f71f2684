internal import SluiceDiagnostics
internal import SluicePipeline
internal import SluiceYAML

extension SpecChecker {
    /// Checks a single value.
    func checkScalar(_ scalar: ConfigScalar, in node: ConfigNode, against spec: ValueSpec, at place: Place) {
        if scalar.text.isSecret, place.secrets == .byType, spec.isPrinted {
            return reporter.report(
                .secretNotAllowed,
                "`\(place.path)` is printed in reports, so it must not come from `${env:}` or `${file:}`.",
                at: node.start, help: "Write it out, or use `${var:name}` and pass it with `--var name=value`.")
        }
        // What stands for a variable that is not set here passes every check.
        if scalar.isPlaceholder { return }
        let text = scalar.text.revealed
        switch spec {
        case .boolean:
            guard case .bool = scalar.value else { return reportWrongType(node, spec, at: place) }
        case .integer(let range):
            guard case .int(let value) = scalar.value else { return reportWrongType(node, spec, at: place) }
            if !range.contains(value) { reportInvalid(node, spec, at: place) }
        case .duration(let range):
            let help =
                UnitText.milliseconds(text + "s") == nil ? nil : "A duration needs a unit: `\(scalar.printable)s`."
            checkQuantity(node, UnitText.milliseconds(text), within: range, spec, at: place, help: help)
        case .size(let range): checkQuantity(node, UnitText.bytes(text), within: range, spec, at: place, help: nil)
        case .rowLimit:
            if RowLimitText.limit(text) == nil { reportInvalid(node, spec, at: place) }
        case .status:
            if StatusText.range(text) == nil { reportInvalid(node, spec, at: place) }
        case .choice(let choice): checkChoice(scalar, in: node, choice, spec, at: place)
        case .string(let rule):
            guard scalar.value == .string else { return reportWrongType(node, spec, at: place) }
            checkText(scalar.text, in: node, rule, at: place)
        case .text(let rule):
            if scalar.value == .null { return reportWrongType(node, spec, at: place) }
            checkText(scalar.text, in: node, rule, at: place)
        default: break
        }
    }

    /// Anything is JSON but infinity and not-a-number; in its texts `{{ … }}` is filled in.
    func checkJSON(_ node: ConfigNode, at place: Place) {
        switch node.content {
        case .scalar(let scalar):
            if JSONLiteral.text(of: scalar.value, source: scalar.text.revealed) == nil {
                reporter.report(
                    .invalidValue, "`\(place.path)` is not valid. JSON has no such number.", at: node.start)
            }
            if scalar.value == .string, !scalar.isPlaceholder {
                checkText(scalar.text, in: node, .anyTemplate, at: place)
            }
        case .sequence(let elements):
            for (index, element) in elements.enumerated() {
                checkJSON(element, at: Place(path: "\(place.path)[\(index)]", secrets: place.secrets))
            }
        case .mapping(let members):
            for member in members {
                checkJSON(member.value, at: Place(path: place.member(member.name), secrets: place.secrets))
            }
        }
    }

    private func checkQuantity(
        _ node: ConfigNode, _ value: Int?, within range: ClosedRange<Int>, _ spec: ValueSpec, at place: Place,
        help: String?
    ) {
        guard let value else { return reportInvalid(node, spec, at: place, help: help) }
        if value < range.lowerBound {
            reporter.report(.invalidValue, "`\(place.path)` is too small; found \(node.found).", at: node.start)
        } else if value > range.upperBound {
            reporter.report(.invalidValue, "`\(place.path)` is too large; found \(node.found).", at: node.start)
        }
    }

    private func checkChoice(
        _ scalar: ConfigScalar, in node: ConfigNode, _ choice: ChoiceSpec, _ spec: ValueSpec, at place: Place
    ) {
        let text = scalar.text.revealed
        if choice.values.contains(text) { return }
        if scalar.value == .null { return reportWrongType(node, spec, at: place) }
        // A suggestion would tell of what a secret value is near to.
        if scalar.text.isSecret { return reportInvalid(node, spec, at: place) }
        let word = text.lowercased()
        let near =
            choice.synonyms[word]
            ?? (choice.hints[word] == nil ? Suggestion.nearest(to: text, among: choice.values) : nil)
        let help = choice.hints[word] ?? (near == nil ? longForm(of: choice, node, scalar, at: place) : nil)
        reportInvalid(node, spec, at: place, suggestion: near, help: help)
    }

    /// How the mapping is written that a text was probably meant for. A number or truth value was not: no key of the mapping takes one.
    private func longForm(of choice: ChoiceSpec, _ node: ConfigNode, _ scalar: ConfigScalar, at place: Place) -> String?
    {
        let text = scalar.text.revealed
        guard scalar.value == .string, let (key, rule) = choice.longForm, rule.problem(in: text) == nil,
            let name = place.name,
            !node.start.file.hides(at: node.start.mark), text.unicodeScalars.count <= 60
        else { return nil }
        let value = PipelineWriter.scalar(text)
        return "A text alone is the type. To say where the value stands, write `\(name): {\(key): \(value)}`."
    }

    private func checkText(_ text: ConfigurationText, in node: ConfigNode, _ rule: StringRule, at place: Place) {
        let problem =
            rule.problem(in: text.revealed) ?? (rule.takesTemplates ? text.templateProblem(rule.variables) : nil)
        guard let problem else { return }
        let mark = problem.offset.map { node.place(ofOffset: $0) } ?? node.start
        let detail = "`\(place.path)` is not valid. \(problem.message)"
        reporter.report(.invalidValue, detail, at: mark, help: problem.help)
    }
}

extension ValueSpec {
    /// Whether the value is text that goes into reports.
    fileprivate var isPrinted: Bool {
        switch self {
        case .string, .text, .scalar: true
        default: false
        }
    }
}
