/// Who is told how a run ended, and of what.
package struct NotificationDefinition: Sendable {
    /// What somebody may want to be told of.
    package enum Event: String, Sendable, CaseIterable {
        /// The run, or a part of it, failed.
        case failed
        /// The run succeeded, and the one before it had not.
        case recovered
        /// A safety guard refused deletes, or a name that is gone.
        case refused
        /// The run opened conflicts.
        case conflict
        /// The run succeeded, and somebody has to look at it before it counts as done.
        case attention
        /// `sluice serve` could not start the run in time.
        case late
    }

    /// How it is told.
    package enum Channel: Sendable {
        /// By a request to this URL, which is secret.
        case webhook(ConfigurationText)
        /// By a program with these arguments, its own name among them.
        case command([ConfigurationText])
    }

    /// What it is told of.
    package var events: Set<Event>
    /// How it is told.
    package var channel: Channel
    /// How long that may take.
    package var timeout = Duration.seconds(30)

    /// Makes a definition with the default time.
    package init(events: Set<Event>, channel: Channel) { (self.events, self.channel) = (events, channel) }
}
