/** The service cannot start, for a reason that its message tells whole. */
export class StartupError extends Error {}
