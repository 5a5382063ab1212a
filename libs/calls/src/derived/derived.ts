import { asNumber, isJsonObject, type JsonValue, memberOf, toStorableText } from '@hone/contracts';

import { errorClassOf } from './error-class.js';
import { type ModelTokens, tokensOfSummary } from './model-tokens.js';
import { previewOfInputs, previewOfOutput } from './preview.js';

/** What lists and charts need of the first half of a call. Null: it does not say. */
export interface DerivedStart {
  readonly inputPreview: string | null;
  /** The person that the call was made for. */
  readonly endUser: string | null;
  /** `<name>@<version>` of a prompt object. */
  readonly promptRef: string | null;
  readonly checkpointId: string | null;
  readonly firstTokenMs: number | null;
}

/** The same of the second half. */
export interface DerivedEnd {
  readonly outputPreview: string | null;
  /** The kind of its failure. */
  readonly errorClass: string | null;
  /** The model with the most tokens first. */
  readonly models: readonly ModelTokens[];
}

/** The beginnings of what a call was asked and answered. */
export type Previews = Pick<DerivedStart & DerivedEnd, 'inputPreview' | 'outputPreview'>;
/** The rest, which its attributes, its exception and its summary say. */
export type DerivedFacts = Omit<DerivedStart & DerivedEnd, keyof Previews>;

const MAX_TEXT = 256;
/** Where clients say whom a call is for. */
const USERS = ['user', 'user_id', 'end_user'];

export const derivedStart = (attributes: JsonValue, inputs: JsonValue): DerivedStart => ({
  inputPreview: previewOfInputs(inputs),
  ...derivedOfAttributes(attributes),
});

export const derivedEnd = (output: JsonValue, summary: JsonValue, exception: string | null): DerivedEnd => ({
  outputPreview: previewOfOutput(output),
  errorClass: errorClassOf(exception),
  models: tokensOfSummary(summary),
});

export function derivedOfAttributes(attributes: JsonValue): Omit<DerivedStart, 'inputPreview'> {
  const ttft = asNumber(memberOf(attributes, 'ttft_ms'));
  return {
    endUser: userOf(attributes) ?? userOf(memberOf(attributes, 'metadata')),
    promptRef: promptOf(memberOf(attributes, 'prompt')),
    checkpointId: shortText(memberOf(attributes, 'checkpoint')),
    firstTokenMs: ttft !== undefined && ttft >= 0 && ttft < MAX_MS ? ttft : null,
  };
}

function userOf(value: JsonValue | undefined): string | null {
  if (!isJsonObject(value)) return null;
  for (const name of USERS) {
    const user = shortText(memberOf(value, name));
    if (user !== null) return user;
  }
  return null;
}

/** A year. */
const MAX_MS = 31_536_000_000;

function promptOf(prompt: JsonValue | undefined): string | null {
  if (!isJsonObject(prompt)) return null;
  const [name, version] = [shortText(memberOf(prompt, 'id') ?? memberOf(prompt, 'name')), memberOf(prompt, 'version')];
  const label = asNumber(version) ?? shortText(version);
  return name === null ? null : label === null ? name : `${name}@${label}`;
}

/** A text that is a name rather than a content. */
const shortText = (value: JsonValue | undefined): string | null =>
  typeof value === 'string' && value !== '' ? toStorableText(value).slice(0, MAX_TEXT).toWellFormed() : null;
