/** The start fails; the message is the whole explanation for the operator. */
export class LaunchError extends Error {}
