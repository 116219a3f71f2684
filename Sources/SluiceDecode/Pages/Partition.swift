package import SluiceModel
package import SluicePipeline

/// One of the things that a stream asks for: a record of the parent stream, or texts of `for_each`.
package struct Partition: Sendable, Hashable {
    package let shape: PartitionShape
    /// The texts of the parent's fields, then those of the lists.
    package let values: [String]

    /// Makes a value of its parts.
    package init(shape: PartitionShape, values: [String]) {
        self.shape = shape
        self.values = values
    }

    package static func == (left: Partition, right: Partition) -> Bool {
        left.shape == right.shape && left.values.map { ExactText($0) } == right.values.map { ExactText($0) }
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(shape)
        hasher.combine(values.map { ExactText($0) })
    }

    /// What tells it from the stream's others.
    package var key: ExactText {
        ExactText("[" + shape.keyPositions.map { FieldJSON.quoted(values[$0]) }.joined(separator: ",") + "]")
    }

    /// It in messages, such as `Repo apple/swift, region=eu`.
    package var label: String {
        let parent = values.prefix(shape.parentKeyCount).joined(separator: "/")
        let items = zip(shape.lists, values.dropFirst(shape.parentFields.count)).map { list, text in
            list.name.map { "\($0)=\(text)" } ?? text
        }
        let words = shape.parentEntity.isEmpty ? [] : ["\(shape.parentEntity) \(parent)"]
        return (words + items).joined(separator: ", ")
    }

    /// The text that stands for a variable; empty where it is of something else.
    package func text(_ variable: TemplateVariable) -> String {
        shape.position(of: variable).map { values[$0] } ?? ""
    }
}

extension TextTemplate {
    /// The text with everything in its place.
    ///
    /// - Parameters:
    ///   - fileStem: The name of the page's file.
    ///   - partition: What the page was asked for; nil where its stream asks once.
    /// - Returns: The text.
    package func filled(fileStem: String, partition: Partition?) -> String {
        parts.reduce(into: "") { text, part in
            switch part {
            case .text(let literal): text += literal
            case .fileStem: text += fileStem
            case .parent, .item: text += part.variable.flatMap { partition?.text($0) } ?? ""
            }
        }
    }
}

extension TextTemplate.Part {
    /// What a partition gives; nil for what does not depend on it.
    package var variable: TemplateVariable? {
        switch self {
        case .text, .fileStem: nil
        case .parent(let field): TemplateVariable(.parent, member: field)
        case .item(let list): TemplateVariable(.item, member: list)
        }
    }
}
