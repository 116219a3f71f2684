import SluiceModel
import Testing

@Suite struct BaseFlagsTests {
    @Test(
        arguments: [
            (0, false, 0), (1, true, 0), (2, false, 1), (3, true, 1), (7, true, 3), (200, false, 100),
        ] as [(Int64, Bool, Int)])
    func numbersAndFlagsSayTheSame(number: Int64, isOpen: Bool, missed: Int) {
        #expect(BaseFlags(number) == BaseFlags(isOpen: isOpen, missedScans: missed))
        #expect(BaseFlags(isOpen: isOpen, missedScans: missed).number == number)
    }

    @Test(arguments: [Int64.min, -1, .max])
    func whatSomebodyWroteThereIsRead(number: Int64) {
        #expect(BaseFlags(BaseFlags(number).number).isOpen == BaseFlags(number).isOpen)
        #expect(BaseFlags(number).missedScans >= 0)
    }
}
