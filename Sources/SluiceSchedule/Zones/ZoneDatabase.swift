internal import SluiceSystem

/// The system's tz database: a file for each zone.
package enum ZoneDatabase {
    private static let folder = "/usr/share/zoneinfo"

    /// Looks a zone up.
    ///
    /// - Parameter name: Its IANA name, as in `Europe/Berlin`; `UTC` needs no database.
    /// - Returns: Its rules.
    /// - Throws: ``ScheduleError`` where the system knows no such zone.
    package static func zone(_ name: String) throws(ScheduleError) -> ZoneRules {
        if name == "UTC" { return .utc }
        guard isName(name) else { throw unknown(name) }
        do {
            let bytes = try FileSystem.contents(of: "\(folder)/\(name)")
            if let zone = ZoneFile.zone(bytes, name: name) { return zone }
        } catch {
            if FileSystem.kind(of: folder) != .folder {
                throw ScheduleError(
                    field: "time zone", value: name, reason: "this system has no tz database in \(folder)",
                    remedy: "install the package tzdata, or write UTC")
            }
        }
        throw unknown(name)
    }

    private static func unknown(_ name: String) -> ScheduleError {
        ScheduleError(
            field: "time zone", value: name, reason: "the system knows no zone of that name",
            remedy: "write an IANA name such as Europe/Berlin, or UTC")
    }

    /// Whether a name stays within the folder: words of letters, digits and `+-_` between slashes.
    private static func isName(_ name: String) -> Bool {
        name.utf8.count <= 64
            && name.split(separator: "/", omittingEmptySubsequences: false).allSatisfy { word in
                !word.isEmpty
                    && word.utf8.allSatisfy { byte in
                        switch byte {
                        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "-"),
                            UInt8(ascii: "_"):
                            true
                        default: false
                        }
                    }
            }
    }
}
