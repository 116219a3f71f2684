internal import Glibc
import SluiceJQ
import Testing

/// What surrounds the process does not reach a program. Each test has a process of its own, whose environment it sets.
@Suite struct EnvironmentTests {
    @Test func homeDirectoryIsNotRead() async {
        await #expect(processExitsWith: .success) {
            var template = Array("/tmp/sluice-jq-XXXXXX".utf8CString)
            guard unsafe mkdtemp(&template) != nil else { exit(1) }
            let home = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
            let file = home + "/.jq"
            let descriptor = unsafe open(file, O_WRONLY | O_CREAT, 0o600)
            let text = Array("def length: 42;".utf8)
            guard unsafe write(descriptor, text, text.count) == text.count else { exit(1) }
            close(descriptor)
            unsafe setenv("HOME", home, 1)
            #expect((try? outputs("length", "[1]")) == ["1"])
            unsafe unlink(file)
            unsafe rmdir(home)
        }
    }

    @Test(arguments: ["UTC", "America/New_York", "Europe/Berlin", "Asia/Kolkata"])
    func timeZoneDoesNotMatter(zone: String) async {
        await #expect(processExitsWith: .success) { [zone] in
            unsafe setenv("TZ", zone, 1)
            tzset()
            #expect((try? outputs("fromdate", #""2015-07-05T23:51:47Z""#)) == ["1436140307"])
            #expect((try? outputs("todate", "1425599621")) == [#""2015-03-05T23:53:41Z""#])
            #expect((try? outputs("strptime(\"%Y-%m-%d\") | mktime", #""2024-08-01""#)) == ["1722470400"])
            // Outside of jq, times are still the zone's.
            var midnight = unsafe tm()
            unsafe midnight.tm_year = 124
            unsafe midnight.tm_mday = 1
            let seconds = unsafe mktime(&midnight)
            #expect((seconds == 1_704_067_200) == (zone == "UTC"))
        }
    }
}
