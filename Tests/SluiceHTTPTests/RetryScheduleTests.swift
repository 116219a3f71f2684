import SluiceHTTP
import Testing

@Suite struct RetryScheduleTests {
    @Test func delaysGrowToTheLongestOne() {
        var schedule = RetrySchedule(HTTPRetry(maximumAttempts: 6, base: .seconds(1), maximumDelay: .seconds(5)))
        let delays = (0..<6).map { _ in schedule.decide(retryAfter: nil, random: 0.999) }
        let expected = [0.999, 1.998, 3.996, 4.995, 4.995].map { RetrySchedule.Decision.wait(.seconds(1) * $0) }
        #expect(delays == expected + [.attemptsUsedUp])
    }

    @Test func jitterMayShortenADelayToNothing() {
        var schedule = RetrySchedule(HTTPRetry())
        #expect(schedule.decide(retryAfter: nil, random: 0) == .wait(.zero))
    }

    @Test func theWaitIsSpentToTheEndAndNoFurther() {
        var schedule = RetrySchedule(
            HTTPRetry(maximumAttempts: 10, base: .seconds(8), maximumDelay: .seconds(8), maximumWait: .seconds(10)))
        #expect(schedule.decide(retryAfter: nil, random: 0.75) == .wait(.seconds(6)))
        #expect(schedule.decide(retryAfter: nil, random: 0.75) == .wait(.seconds(4)))
        #expect(schedule.decide(retryAfter: nil, random: 0.75) == .waitUsedUp)
    }

    @Test func retryAfterIsMeasuredAgainstWhatIsLeft() {
        var schedule = RetrySchedule(HTTPRetry(maximumWait: .seconds(10)))
        #expect(schedule.decide(retryAfter: .seconds(6), random: 0) == .wait(.seconds(6)))
        #expect(
            schedule.decide(retryAfter: .seconds(6), random: 0)
                == .retryAfterTooLong(asked: .seconds(6), left: .seconds(4)))
    }

    @Test func aRetryAfterMayExceedTheLongestOwnDelay() {
        var schedule = RetrySchedule(HTTPRetry(maximumDelay: .seconds(5)))
        #expect(schedule.decide(retryAfter: .seconds(60), random: 0.5) == .wait(.seconds(60)))
    }
}
