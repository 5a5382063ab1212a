/** The service cannot start, and the message says why. */
export class StartupError extends Error {}
