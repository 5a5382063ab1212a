/** An event of a stream. */
export type NativeEvent = { readonly type: string } & Readonly<Record<string, unknown>>;

/** An answer in another form than that of chat completions. */
export interface NativeForm {
  /** Events before the tokens. */
  start(): NativeEvent[];
  token(index: number): NativeEvent[];
  /** Events from the last token to the end. */
  finish(): NativeEvent[];
  /** How many of these come after the one that says how it ended. */
  readonly endings: number;
  /** The events that another end would be. */
  readonly otherFinish: NativeEvent[];
  /** What comes in place of an end that never came. */
  readonly unfinished: NativeEvent[] | '[DONE]';
  /** The event that reports an error. */
  readonly failure: NativeEvent;
  /** The body that reports an error. */
  readonly error: string;
  whole(count?: number, finishReason?: string | null): string;
}
