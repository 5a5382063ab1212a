/** The text is not JSON, or is beyond a limit. `loc` is a byte offset for bad syntax, else the path to the value. */
export class JsonParseError extends Error {
  constructor(
    readonly type: 'json_invalid' | 'json_too_deep' | 'too_many' | 'finite_number',
    readonly loc: (string | number)[],
    message: string,
  ) {
    super(message);
  }

  /** The same as a validation issue. @param prefix for example `['body']` */
  toIssue(prefix: readonly (string | number)[]): Pick<JsonParseError, 'type' | 'loc'> & { msg: string } {
    return { loc: [...prefix, ...this.loc], msg: this.message, type: this.type };
  }
}
