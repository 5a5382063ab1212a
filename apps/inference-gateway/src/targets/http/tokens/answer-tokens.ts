import { isJsonObject } from '@hone/json';
import { findMember, firstItem, type JsonSpan, nextItem, parsePlainJson, type Splice } from '@hone/json/bytes';

import { type KeptTokens, TokenCollector } from '../../../shared/kept-tokens.js';
import type { AskedTokens } from './asked-tokens.js';

type Json = Record<string, unknown>;
type Spans = ReadonlyMap<string, JsonSpan>;

const NULL = Buffer.from('null');
const PROMPT = 'prompt_token_ids';
const OF_CHOICES = ['logprobs', 'token_ids'] as const;
/** Most JSON of tokens that is read of a large body: about eighty thousand of them. */
const MAX_READ_BYTES = 8 * 1_048_576;

/** Takes the tokens out of an answer of vLLM: reads them for the call, and hides what its caller did not ask for. */
export class AnswerTokens {
  private readonly collector: TokenCollector;

  /** @param choices `n` of the request */
  constructor(
    private readonly asked: AskedTokens,
    choices: number,
  ) {
    this.collector = new TokenCollector(choices);
  }

  /** Of a whole answer; null: the upstream did not send all of them. */
  get kept(): KeptTokens | null {
    return this.collector.kept;
  }

  /** @param json a parsed body, or a frame of a stream */
  read(json: Json): void {
    this.readPrompt(json[PROMPT]);
    if (!Array.isArray(json.choices)) return;
    for (const choice of json.choices) if (isJsonObject(choice)) this.readChoice(choice);
  }

  /** The same of a body that is too large to be parsed. @param items of its list `choices` */
  readSpans(body: Buffer, members: Spans, items: readonly (Spans | null)[]): void {
    let room = MAX_READ_BYTES;
    const valueOf = (of: Spans | null, key: string): unknown => {
      const span = of?.get(key);
      if (span === undefined || (room -= span.end - span.start) < 0) return undefined;
      return parsePlainJson(body.subarray(span.start, span.end));
    };
    this.readPrompt(valueOf(members, PROMPT));
    for (const item of items) {
      const index = valueOf(item, 'index');
      this.readChoice({ index, logprobs: valueOf(item, 'logprobs'), token_ids: valueOf(item, 'token_ids') });
    }
  }

  /** Replaces hidden members of the object at `start` by null, as vLLM has it where nothing was asked. */
  splicesOf(json: Buffer, start = 0): Splice[] {
    const splices = this.splice(json, PROMPT, start);
    const choices = findMember(json, 'choices', start);
    if (choices === null) return splices;
    let item = firstItem(json, choices.valueStart);
    for (; item >= 0; item = nextItem(json, item)) {
      for (const key of OF_CHOICES) splices.push(...this.splice(json, key, item));
    }
    return splices;
  }

  /** The same for {@link readSpans}. */
  splicesOfSpans(members: Spans, items: readonly (Spans | null)[]): Splice[] {
    const spliceOf = (of: Spans | null, key: (typeof OF_CHOICES)[number] | typeof PROMPT) => {
      const span = this.asked.hidden.has(key) ? of?.get(key) : undefined;
      return span === undefined ? [] : [{ ...span, bytes: NULL }];
    };
    return [...spliceOf(members, PROMPT), ...items.flatMap((item) => OF_CHOICES.flatMap((key) => spliceOf(item, key)))];
  }

  /** A frame that vLLM sends only because its ids were asked for: it has no part of the answer. */
  isHidden({ choices }: Json): boolean {
    if (!this.asked.hidden.has('token_ids') || !Array.isArray(choices) || choices.length === 0) return false;
    return choices.every((choice) => isJsonObject(choice) && isEmptyDelta(choice));
  }

  private splice(json: Buffer, key: (typeof OF_CHOICES)[number] | typeof PROMPT, start: number): Splice[] {
    const member = this.asked.hidden.has(key) ? findMember(json, key, start) : null;
    return member === null ? [] : [{ start: member.valueStart, end: member.valueEnd, bytes: NULL }];
  }

  private readPrompt(ids: unknown): void {
    if (isIds(ids)) this.collector.promptIds ??= ids;
  }

  private readChoice({ index = 0, token_ids: ids, logprobs }: Json): void {
    if (typeof index !== 'number') return;
    if (isIds(ids)) this.collector.addIds(index, ids);
    const content = isJsonObject(logprobs) ? logprobs.content : null;
    if (!Array.isArray(content)) return;
    const values = content.map((token: unknown) => (isJsonObject(token) ? token.logprob : null));
    if (values.every((value) => typeof value === 'number')) this.collector.addLogprobs(index, values);
  }
}

const isIds = (value: unknown): value is number[] =>
  Array.isArray(value) && value.every((id) => Number.isSafeInteger(id) && id >= 0);

const isEmptyDelta = ({ delta, finish_reason: ended, token_ids: ids }: Json): boolean =>
  isJsonObject(delta) && Object.keys(delta).length === 0 && (ended ?? null) === null && Array.isArray(ids);
