import Foundation

/// Checks JSON against the schemas of a description, as far as it uses them.
struct SchemaCheck {
    let document: [String: Any]

    /// What does not fit, each with its place; nothing where all does.
    func faults(_ value: Any, _ schema: Any, at place: String = "$") -> [String] {
        guard let schema = schema as? [String: Any] else { return ["\(place): no schema"] }
        if let reference = schema["$ref"] as? String {
            return resolve(reference).map { faults(value, $0, at: place) } ?? ["\(place): no \(reference)"]
        }
        var found: [String] = []
        if let choices = schema["anyOf"] as? [Any] {
            let all = choices.map { faults(value, $0, at: place) }
            if !all.contains([]) { found += all.flatMap { $0 } }
        }
        if let constant = schema["const"] as? String, value as? String != constant {
            found.append("\(place): \(value) is not \(constant)")
        }
        if let choices = schema["enum"] as? [String], !choices.contains(value as? String ?? "\u{0}") {
            found.append("\(place): \(value) is none of \(choices)")
        }
        if let type = schema["type"] as? String, !Self.isType(value, type) {
            return found + ["\(place): \(value) is no \(type)"]
        }
        if let object = value as? [String: Any] {
            for name in schema["required"] as? [String] ?? [] where object[name] == nil {
                found.append("\(place): lacks \(name)")
            }
            for (name, part) in schema["properties"] as? [String: Any] ?? [:] {
                if let member = object[name] { found += faults(member, part, at: "\(place).\(name)") }
            }
        }
        if let list = value as? [Any], let items = schema["items"] {
            for (index, element) in list.enumerated() { found += faults(element, items, at: "\(place)[\(index)]") }
        }
        return found
    }

    private static func isType(_ value: Any, _ type: String) -> Bool {
        let isFlag = (value as? NSNumber).map { unsafe ["c", "B"].contains(String(cString: $0.objCType)) } ?? false
        switch type {
        case "object": return value is [String: Any]
        case "array": return value is [Any]
        case "string": return value is String
        case "boolean": return isFlag
        case "null": return value is NSNull
        case "number": return value is NSNumber && !isFlag
        case "integer":
            return (value as? NSNumber).map { !isFlag && $0.doubleValue == $0.doubleValue.rounded() } ?? false
        default: return false
        }
    }

    private func resolve(_ reference: String) -> Any? {
        reference.split(separator: "/").dropFirst().reduce(document as Any?) { value, name in
            (value as? [String: Any])?[String(name)]
        }
    }
}
