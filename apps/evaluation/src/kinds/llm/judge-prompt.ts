import { fillTemplate, type JsonObject, type JudgeDto, type JudgeRatingDto, variablesOf } from '@hone/contracts';

import { conversationText, outputText, toText, valueOf } from '../../judged-calls/call-texts.js';
import type { CallValues } from '../../judged-calls/judged-call.js';

const DEFAULT_MAX_TOKENS = 512;
/** Tokens that the answer needs beside the reason: braces and names. */
const FRAME_TOKENS = 32;
/** Of a rating or tag beside its name, which may take a token for each byte. */
const CRITERION_TOKENS = 8;
/** A character of another script may take several tokens. */
const TOKENS_PER_CHARACTER = 2;
const MAX_REASON_CHARACTERS = 1_000;
const MIN_REASON_CHARACTERS = 16;
/** Scales of more steps are a range; these are listed, which every server's schemas can say. */
const MAX_LISTED_STEPS = 21;
/** Characters of all messages, which a gateway takes and a model may read. */
const MAX_PROMPT_CHARACTERS = 2_097_152;
export const REASON = 'reason';

/** As many as were asked for, and never fewer than an answer with a short reason takes: it could only be cut off. */
export const maxTokensOf = (judge: JudgeDto): number =>
  Math.max(judge.max_tokens ?? DEFAULT_MAX_TOKENS, frameTokens(judge) + MIN_REASON_CHARACTERS * TOKENS_PER_CHARACTER);

const frameTokens = ({ ratings, tags }: JudgeDto): number =>
  [...(ratings ?? []), ...(tags ?? [])].reduce(
    (sum, { name }) => sum + CRITERION_TOKENS + Buffer.byteLength(name),
    FRAME_TOKENS,
  );

/** Messages for a call; the name of the variable that it has no value for. */
export function promptOf(judge: JudgeDto, values: CallValues): JsonObject[] | { readonly missing: string } {
  const found = new Map<string, string>();
  const variables = judge.messages.flatMap(({ content }) => variablesOf(content));
  for (const variable of new Set(variables)) {
    const text = variableText(variable, judge, values);
    if (text === null) return { missing: variable.split('.')[0] as string };
    found.set(variable, text);
  }
  const length = variables.reduce((sum, variable) => sum + (found.get(variable) as string).length, 0);
  if (length > MAX_PROMPT_CHARACTERS) return { missing: 'shorter_values' };
  const messages = judge.messages.map(({ role, content }) => ({
    role,
    content: fillTemplate(content, (variable) => found.get(variable) as string),
  }));
  return [...messages, { role: 'user', content: rubricOf(judge) }];
}

function variableText(variable: string, { reference }: JudgeDto, values: CallValues): string | null {
  if (variable === 'output') return outputText(values);
  if (variable === 'messages') return conversationText(values);
  if (variable === 'reference') return reference ? toText(valueOf(values, reference)) : null;
  return toText(valueOf(values, variable));
}

/** What the judge is asked to answer, in words; the schema says the same to servers that hold to it. */
export function rubricOf({ ratings, tags }: JudgeDto): string {
  const lines = [
    'Judge the above. Answer with one JSON object and nothing else. Its members, in this order:',
    `- "${REASON}": text, why you judge so, in a few words.`,
    ...(ratings ?? []).map(ratingLine),
    ...(tags ?? []).map(
      ({ name, description }) => `- ${JSON.stringify(name)}: true or false${description ? `: ${description}` : ''}.`,
    ),
  ];
  return lines.join('\n');
}

function ratingLine({ name, min, max, description, steps }: JudgeRatingDto): string {
  const head = `- ${JSON.stringify(name)}: a whole number from ${min} to ${max}${description ? `: ${description}` : '.'}`;
  const meanings = Object.entries(steps ?? {}).map(([step, meaning]) => `  ${step}: ${meaning}`);
  return [head, ...meanings].join('\n');
}

/** The answer's JSON Schema, of the form that strict servers take: all members required, no others, the reason first. */
export function answerSchema(judge: JudgeDto): JsonObject {
  const properties: JsonObject = { [REASON]: { type: 'string', maxLength: maxReason(judge) } };
  for (const { name, min, max } of judge.ratings ?? [])
    properties[name] =
      max - min < MAX_LISTED_STEPS
        ? { type: 'integer', enum: Array.from({ length: max - min + 1 }, (_, step) => min + step) }
        : { type: 'integer', minimum: min, maximum: max };
  for (const { name } of judge.tags ?? []) properties[name] = { type: 'boolean' };
  return { type: 'object', properties, required: Object.keys(properties), additionalProperties: false };
}

function maxReason(judge: JudgeDto): number {
  const left = maxTokensOf(judge) - frameTokens(judge);
  return Math.max(MIN_REASON_CHARACTERS, Math.min(MAX_REASON_CHARACTERS, Math.floor(left / TOKENS_PER_CHARACTER)));
}
