import { isJsonObject } from '@hone/client';

/** A token as a model wrote it. */
export interface Token {
  readonly text: string;
  /** Natural logarithm of its probability. */
  readonly logprob: number;
  /** The likeliest tokens at its place, where they were asked for. */
  readonly alternatives: readonly { readonly text: string; readonly logprob: number }[];
}

type Loose = Readonly<Record<string, unknown>>;

/** The tokens of a Choice; null: it came without them, or without their texts. */
export function toTokens(choice: unknown): readonly Token[] | null {
  const logprobs = isJsonObject(choice) ? choice['logprobs'] : undefined;
  const content = isJsonObject(logprobs) ? logprobs['content'] : undefined;
  if (!Array.isArray(content) || content.length === 0) return null;
  const tokens = content.map(toToken);
  return tokens.includes(null) ? null : (tokens as Token[]);
}

function toToken(entry: unknown): Token | null {
  const { token, logprob, top_logprobs: top } = isJsonObject(entry) ? entry : ({} as Loose);
  if (typeof token !== 'string' || typeof logprob !== 'number') return null;
  const alternatives = Array.isArray(top) ? top.map(toToken).filter((one) => one !== null) : [];
  return { text: token, logprob, alternatives };
}

/** 0 to 4: how unsure the model was, a step for each halving of the probability. */
export const doubtOf = ({ logprob }: Pick<Token, 'logprob'>): number =>
  Math.max(0, Math.min(4, Math.floor(-logprob / Math.LN2)));
