internal import SluiceSwift

/// The plugin that the compiler starts to expand the macros of the library.
@main
enum Plugin {
    static func main() {
        let channel = PluginChannel()
        while let bytes = channel.receive() {
            guard let message = PluginJSON(bytes).firstMember, channel.send(answer(message.name, message.value)) else {
                return
            }
        }
    }

    private static func answer(_ name: String, _ content: PluginJSON) -> String {
        switch name {
        case "getCapability": #"{"getCapabilityResult":{"capability":{"protocolVersion":7,"features":[]}}}"#
        case "expandAttachedMacro": expand(content)
        default: result(nil, [])
        }
    }

    private static func expand(_ content: PluginJSON) -> String {
        let declaration = content["declSyntax"]
        let location = declaration["location"]
        let source = Array((declaration["source"].string ?? "").utf8)
        let request = MacroRequest(
            macro: content["macro"]["typeName"].string ?? "", role: content["macroRole"].string ?? "",
            extendedType: content["extendedTypeSyntax"]["source"].string, file: location["fileID"].string ?? "",
            line: location["line"].integer ?? 0, source: source,
            context: content["lexicalContext"].elements?.map { Array(($0["source"].string ?? "").utf8) })
        let (text, problems) = request.expand()
        let file = location["fileName"].string ?? ""
        let start = location["offset"].integer ?? 0
        return result(text, problems.map { diagnostic($0, file, start) })
    }

    private static func result(_ text: String?, _ diagnostics: [String]) -> String {
        let source = text.map(PluginJSON.quoted) ?? "null"
        return
            #"{"expandMacroResult":{"expandedSource":\#(source),"diagnostics":[\#(diagnostics.joined(separator: ","))]}}"#
    }

    private static func diagnostic(_ problem: SourceProblem, _ file: String, _ start: Int) -> String {
        let name = PluginJSON.quoted(file)
        let fixIt = problem.fixIt.map { fixIt in
            let range =
                #"{"fileName":\#(name),"startOffset":\#(start + fixIt.range.lowerBound),"endOffset":\#(start + fixIt.range.upperBound)}"#
            return
                #"{"message":\#(PluginJSON.quoted(fixIt.message)),"changes":[{"range":\#(range),"newText":\#(PluginJSON.quoted(fixIt.text))}]}"#
        }
        return
            #"{"message":\#(PluginJSON.quoted(problem.message)),"severity":"error","position":{"fileName":\#(name),"offset":\#(start + problem.offset)},"highlights":[],"notes":[],"fixIts":[\#(fixIt ?? "")]}"#
    }
}
