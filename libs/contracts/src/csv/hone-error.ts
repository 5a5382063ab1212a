/** Everything that `@hone/client` throws, beside the reason of an aborted signal. */
export class HoneError extends Error {
  override name = 'HoneError';
}
