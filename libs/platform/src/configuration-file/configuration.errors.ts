/** A configuration file cannot be used; the message tells where and why. */
export class ConfigurationError extends Error {
  /**
   * @param line 1 is the first; null: it concerns the file as a whole
   * @param reason a sentence
   */
  constructor(
    readonly file: string,
    readonly line: number | null,
    readonly reason: string,
  ) {
    super(`${file}${line === null ? '' : `:${line}`}: ${reason}`);
  }
}
