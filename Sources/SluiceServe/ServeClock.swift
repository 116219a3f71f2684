internal import SluiceSystem

/// The clocks of a service: what is due is told by the wall clock, and how long something takes by one that nobody sets.
package struct ServeClock: Sendable {
    /// Seconds since the epoch.
    package var wall: @Sendable () -> Double
    /// Seconds since some moment.
    package var monotonic: @Sendable () -> Double

    /// Makes clocks.
    package init(wall: @escaping @Sendable () -> Double, monotonic: @escaping @Sendable () -> Double) {
        (self.wall, self.monotonic) = (wall, monotonic)
    }

    /// Those of the machine.
    package static let system = ServeClock(wall: WallClock.exactSeconds, monotonic: WallClock.monotonicSeconds)

    /// The wall clock in whole seconds.
    var now: Int64 { Int64(wall().rounded(.down)) }
}
