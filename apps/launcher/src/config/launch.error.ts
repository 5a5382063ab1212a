/** The start cannot go on, for a reason that the message tells whole. */
export class LaunchError extends Error {}
