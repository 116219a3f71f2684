import SluiceJSON
import SluicePipeline

@testable import SluiceCommands
@testable import SluiceModel

/// Short texts of many kinds: dates by their formats, decimals, command lines, spreadsheets.
///
/// The first line is a format of dates, the others are texts.
enum TextTarget {
    static func run(_ bytes: [UInt8]) {
        let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map(Array.init)
        let format = TimeFormat(String(decoding: lines[0], as: UTF8.self))
        for line in lines {
            readTimes(line, format)
            readDecimal(line)
        }
        _ = try? CSVReader.rows(bytes)
        _ = try? ArgumentParser.parse(lines.map { String(decoding: $0, as: UTF8.self) })
        _ = JSONLayout.lines(of: bytes)
        let text = String(decoding: bytes, as: UTF8.self)
        require(ShortText.of(text).utf8.count < 4000, "a short text has \(ShortText.of(text).utf8.count) bytes")
    }

    private static func readTimes(_ line: [UInt8], _ format: TimeFormat) {
        unsafe line.withUnsafeBytes { bytes in
            for format in [format, .unix, .unixMilliseconds, .date] {
                guard let moment = unsafe format.timestamp(text: bytes, defaultOffset: 3600) else { continue }
                require(Timestamp.range.contains(moment.seconds), "\(moment) cannot be written")
            }
            guard let moment = unsafe Timestamp(rfc3339: bytes) else { return }
            var text: [UInt8] = []
            moment.appendRFC3339(to: &text)
            let again = unsafe text.withUnsafeBytes { unsafe Timestamp(rfc3339: $0) }
            require(again == moment, "\(String(decoding: text, as: UTF8.self)) is another moment")
        }
    }

    private static func readDecimal(_ line: [UInt8]) {
        let text = String(decoding: line, as: UTF8.self)
        guard let normalized = DecimalText.normalized(text) else { return }
        require(DecimalText.normalized(normalized) == normalized, "\(normalized) is not its own normal form")
    }
}
