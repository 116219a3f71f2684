/// The specification of the pipeline file: every section, found by walking it from the top.
package struct SpecificationCatalog: Sendable {
    /// A section and where it stands, such as `streams[].paginator`.
    package struct Entry: Sendable {
        /// The keys that lead to it; empty for the file as a whole.
        package let path: String
        /// The section.
        package let section: SectionSpec
    }

    /// The specification that holds in this version of Sluice.
    package static let current = SpecificationCatalog(keys: .current)

    /// The features that it has.
    package let keys: AvailableKeys
    /// The keys of the pipeline file as a whole.
    package let topLevel: SectionSpec
    /// The keys of an included file as a whole.
    package let includedFile: SectionSpec
    /// The sections in the order of the file, each kind of a variant on its own.
    package let sections: [Entry]
    /// What such a file is called.
    let noun: String
    /// What each key is a key of.
    let titlesByKey: [String: [String]]

    /// Makes the specification of what some features allow.
    package init(keys: AvailableKeys) {
        self.init(topLevel: .topLevel.available(in: keys), keys: keys, noun: "A pipeline file")
    }

    /// The specification of another file than a pipeline.
    ///
    /// - Parameters:
    ///   - topLevel: The keys of the file as a whole.
    ///   - noun: What such a file is called, as in `A pipeline file`.
    package init(topLevel: SectionSpec, noun: String) { self.init(topLevel: topLevel, keys: .current, noun: noun) }

    private init(topLevel: SectionSpec, keys: AvailableKeys, noun: String) {
        self.keys = keys
        self.noun = noun
        self.topLevel = topLevel
        includedFile = SectionSpec.includedFile(topLevel)
        var entries: [Entry] = []
        Self.collect(.section(topLevel), path: "", into: &entries)
        sections = entries
        var titles: [String: [String]] = [:]
        // `defaults` has no keys of its own.
        for entry in entries where entry.path != "defaults" {
            for key in entry.section.keys where titles[key.name]?.contains(entry.section.title) != true {
                titles[key.name, default: []].append(entry.section.title)
            }
        }
        titlesByKey = titles
    }

    private static func collect(_ value: ValueSpec, path: String, into entries: inout [Entry]) {
        switch value {
        case .section(let section):
            entries.append(Entry(path: path, section: section))
            for key in section.keys {
                collect(key.value, path: path.isEmpty ? key.name : "\(path).\(key.name)", into: &entries)
            }
        case .variants(let variants):
            for variant in variants.variants {
                if let section = variants.section(of: variant.name) {
                    collect(.section(section), path: path, into: &entries)
                }
            }
        case .list(let element, _): collect(element, path: path + "[]", into: &entries)
        case .mapping(_, let values, _): collect(values, path: path + ".*", into: &entries)
        case .anyOf(let forms): for form in forms { collect(form, path: path, into: &entries) }
        default: break
        }
    }
}
