import { asNumber, isUuid, type JsonValue, memberOf } from '@hone/contracts';

/** The weights that answered. */
export interface Policy {
  readonly modelId: string;
  /** 0: the base. */
  readonly step: number;
}

/** The tokens of an answer as a Choice has them. */
export interface Sample {
  readonly fields: {
    readonly prompt_token_ids: number[];
    readonly token_ids: number[];
    readonly logprobs: { readonly content: { readonly logprob: number }[] };
  };
  /** Of the answer. */
  readonly tokens: number;
}

/** As planning has it: a probability of 1 may come with a rounding error. */
const MAX_LOGPROB = 1e-3;
const MAX_STEP = 2_147_483_647;

/** Null: the call names none. */
export function readPolicy(attributes: JsonValue): Policy | null {
  const [modelId, step] = [memberOf(attributes, 'model_id'), asNumber(memberOf(attributes, 'step'))];
  const isStep = Number.isInteger(step) && (step as number) >= 0 && (step as number) <= MAX_STEP;
  return typeof modelId === 'string' && isUuid(modelId) && isStep
    ? { modelId: modelId.toLowerCase(), step: step as number }
    : null;
}

/** Null: there are none, or none that training could take. */
export function readSample(attributes: JsonValue): Sample | null {
  const tokens = memberOf(memberOf(attributes, 'hone'), 'tokens');
  const choices = memberOf(tokens, 'choices');
  const choice = Array.isArray(choices) && choices.length === 1 ? choices[0] : undefined;
  const prompt = numbersOf(memberOf(tokens, 'prompt_token_ids'), isTokenId);
  const answer = numbersOf(memberOf(choice, 'token_ids'), isTokenId);
  const logprobs = numbersOf(memberOf(choice, 'logprobs'), isLogprob);
  if (!prompt || !answer || !logprobs || answer.length !== logprobs.length) return null;
  const content = logprobs.map((logprob) => ({ logprob }));
  return { fields: { prompt_token_ids: prompt, token_ids: answer, logprobs: { content } }, tokens: answer.length };
}

const isTokenId = (value: number): boolean => Number.isInteger(value) && value >= 0 && value <= MAX_STEP;
const isLogprob = (value: number): boolean => value <= MAX_LOGPROB && value > -Infinity;

/** Null: it is no list of such numbers, or an empty one. */
function numbersOf(value: JsonValue | undefined, isRight: (value: number) => boolean): number[] | null {
  if (!Array.isArray(value) || value.length === 0) return null;
  const numbers = value.map((item) => asNumber(item) ?? NaN);
  return numbers.every(isRight) ? numbers : null;
}
