/// Every section of the pipeline file, found by walking the specification from the top.
public enum SpecificationCatalog {
    /// A section and where it stands, such as `streams[].paginator`.
    public struct Entry: Sendable {
        /// The keys that lead to it; empty for the file as a whole.
        public let path: String
        /// The section.
        public let section: SectionSpec
    }

    /// The sections in the order of the file, each kind of a variant on its own.
    public static let sections: [Entry] = {
        var entries: [Entry] = []
        collect(.section(.topLevel), path: "", into: &entries)
        return entries
    }()

    /// What each key is a key of.
    static let titlesByKey: [String: [String]] = {
        var titles: [String: [String]] = [:]
        // `defaults` has no keys of its own.
        for entry in sections where entry.path != "defaults" {
            for key in entry.section.keys where titles[key.name]?.contains(entry.section.title) != true {
                titles[key.name, default: []].append(entry.section.title)
            }
        }
        return titles
    }()

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
