/**
 * What the fake upstream does with a request, spelled in the request's model name: a behaviour and modifiers, joined
 * by `+`, each with an optional argument after `@`. For example `cut@40+tokens@60+pace@5`: of sixty tokens, five
 * milliseconds apart, the connection is closed after forty.
 */
export interface Scenario {
  /** A name of {@link BEHAVIOURS}. */
  readonly behaviour: Behaviour;
  /** The behaviour's argument: a number of tokens after which it strikes, or a status. */
  readonly at: number;
  readonly modifiers: ReadonlyMap<Modifier, string>;
}

/** Behaviour -> its argument when the name has none. `n` in the comments is that argument. */
export const BEHAVIOURS = {
  /** A whole, right answer. */
  ok: 0,
  /** Resets the connection before any header. */
  reset: 0,
  /** Never answers. */
  silent: 0,
  /** Headers and the role frame, then nothing. */
  'headers-only': 0,
  /** 429; see the modifier `retry-after`. */
  'rate-limit': 0,
  /** 429 with `insufficient_quota`. */
  'no-quota': 0,
  /** Status n with an error body. */
  status: 500,
  /** 400: the prompt is too long. */
  'context-length': 0,
  /** 400: the prompt was filtered. */
  'content-filter': 0,
  /** 400 when the last message is the assistant's; otherwise as `ok`. */
  'no-prefill': 0,
  /** Closes the connection after n tokens, without a last chunk. */
  cut: 3,
  /** Resets the connection after n tokens. */
  'cut-reset': 3,
  /** A clean end of the body after n tokens. */
  'clean-end': 3,
  /** `[DONE]` after n tokens, without a finish_reason. */
  'no-finish': 3,
  /** Says nothing more after n tokens, and keeps the connection. */
  stall: 3,
  /** An error frame after n tokens, and a clean end. */
  'error-frame': 3,
  /** finish_reason `error` after n tokens. */
  'finish-error': 3,
  /** finish_reason `abort` after n tokens. */
  'finish-abort': 3,
  /** A frame that is no JSON and has no text of the answer, after n tokens; the rest is whole. */
  'broken-frame': 3,
  /** Token n comes in a frame that is cut off in the middle of its text; the rest is whole. */
  'damaged-frame': 3,
  /** Token n is lost: its frame is garbage without a trace of text; the rest is whole. */
  'lost-frame': 3,
  /** Two different finish_reasons come one after the other. */
  'two-finishes': 0,
  /** The frame that finishes comes twice, the second time with the usage, as from LM Studio. */
  'repeated-finish': 0,
  /** Everything but `[DONE]`; the connection stays open. */
  'no-done': 0,
  /** Everything but `[DONE]`, then a clean end. */
  'no-done-end': 0,
  /** Everything but `[DONE]`, then a reset. */
  'no-done-reset': 0,
  /** More bytes after `[DONE]`, again and again. */
  'late-bytes': 0,
  /** 200 with a page. */
  html: 0,
  /** 200 with no body. */
  empty: 0,
  /** 200 with a body that is no JSON; in a stream, frames that are none. */
  'invalid-json': 0,
  /** 200 with JSON that has no choices. */
  'no-choices': 0,
  /** 200 with `{"error": …}`. */
  'error-body': 0,
  /** Whole JSON for a stream, a stream for whole JSON. */
  'other-form': 0,
  /** A frame of n MiB, in the middle. */
  'big-frame': 5,
  /** A whole body of n MiB. */
  'big-body': 65,
  /** 307 to another address. */
  redirect: 0,
} as const satisfies Record<string, number>;

export type Behaviour = keyof typeof BEHAVIOURS;

/** Modifiers of any behaviour; most change the form of frames, not their content. */
export const MODIFIERS = [
  /** `tokens@n`: length of the answer, 8 without it. */
  'tokens',
  /** `pace@ms` between tokens. */
  'pace',
  /** `first@ms` before the first token. */
  'first',
  /** `headers@ms` before the headers. */
  'headers',
  /** `times@n`: only the first n requests meet the behaviour, later ones are answered as by `ok`. */
  'times',
  /** `100 Continue` before the response, though nobody asked. */
  'continue',
  /** `retry-after@s` header with an error status. */
  'retry-after',
  /** `code@n`: `error.code` of an error within an answer, 500 without it. */
  'code',
  /** `finish_reason` is an empty string, not null, until a choice ends. */
  'empty-finish',
  /** `pad@n`: n KiB before the choices of a whole answer, 300 without it. */
  'pad',
  /** `error` beside the choices of a whole answer. */
  'with-error',
  /** One choice, whatever `n` is. */
  'one-choice',
  /** No usage, whatever is asked. */
  'no-usage',
  /** Usage in the frame that finishes, asked or not. */
  'native-usage',
  'crlf',
  /** Spaces after `:` and `,`. */
  'spaces',
  /** Each byte of a stream in a chunk of its own. */
  'tiny',
  /** All of a stream in one chunk. */
  'one-chunk',
  /** Comment lines between frames. */
  'comments',
  /** `pings@ms`: where it would fall silent, it sends comments this far apart; white space when it does not stream. */
  'pings',
  /** Each frame's JSON on several `data:` lines. */
  'multi-line',
  /** The first half of the tokens is reasoning. */
  'reasoning',
  /** The tokens are the arguments of a tool call. */
  'tool-call',
  /** A built-in tool, web search, runs before the text; in the forms that have them. */
  'search',
  /** Every delta also has `tool_calls: []`. */
  'empty-tools',
  /** Text outside of ASCII. */
  'emoji',
  /** Text that looks like protocol. */
  'hostile',
  /** Every token begins with the text of the last message. */
  'echo',
  /** `as@label`: nothing but another name for the same. */
  'as',
] as const;

export type Modifier = (typeof MODIFIERS)[number];

/** Reads a model name; null when it names no behaviour, as a real server knows no such model. */
export function parseScenario(model: string): Scenario | null {
  const [head = '', ...rest] = model.split('+').map((part) => part.split('@') as [string, string?]);
  const [behaviour, argument] = head as [string, string?];
  if (!Object.hasOwn(BEHAVIOURS, behaviour)) return null;
  const modifiers = new Map<Modifier, string>();
  for (const [name, value = ''] of rest) {
    if (!MODIFIERS.includes(name as Modifier)) return null;
    modifiers.set(name as Modifier, value);
  }
  const at = argument === undefined ? BEHAVIOURS[behaviour as Behaviour] : Number(argument);
  return Number.isFinite(at) ? { behaviour: behaviour as Behaviour, at, modifiers } : null;
}

/** A modifier's number, or `fallback` when the name does not have it. */
export function numberOf(scenario: Scenario, modifier: Modifier, fallback: number): number {
  const value = scenario.modifiers.get(modifier);
  return value === undefined ? fallback : Number(value);
}
