/// One step of a parse, as libyaml reports it.
struct YAMLEvent {
    /// What anchor and tag a node has.
    struct Properties {
        var anchor: String?
        var tag: String?
    }

    enum Kind {
        case streamStart
        case streamEnd
        case documentStart
        case documentEnd
        case alias(String)
        case scalar(text: String, style: YAMLScalar.Style, Properties)
        case sequenceStart(Properties)
        case sequenceEnd
        case mappingStart(Properties)
        case mappingEnd
    }

    var kind: Kind
    var start: Mark
    var end: Mark

    /// The anchor of the value that starts here.
    var anchor: String? {
        switch kind {
        case .scalar(_, _, let properties), .sequenceStart(let properties), .mappingStart(let properties):
            properties.anchor
        default: nil
        }
    }
}
