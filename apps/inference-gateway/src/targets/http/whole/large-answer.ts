import { isUtf8 } from 'node:buffer';

import {
  type JsonSpan,
  ObjectOutline,
  OPENING_BRACE,
  OPENING_BRACKET,
  type OutlineOptions,
  parsePlainJson,
} from '@hone/json/bytes';

import { type AnswerMember, judgeJson, type WholeAnswer } from './whole-answer.js';

const MEMBERS: Omit<OutlineOptions, 'maxItems'> = {
  members: new Set(['id', 'model', 'error', 'usage', 'choices', 'prompt_token_ids']),
  list: 'choices',
  itemMembers: new Set(['index', 'message', 'text', 'finish_reason', 'logprobs', 'token_ids']),
};
/** Members of which only the position in the body is used. */
const TOKENS = new Set(['prompt_token_ids', 'logprobs', 'token_ids']);
/** Larger values are not parsed: only their kind is known. */
const MAX_VALUE_BYTES = 65_536;

/**
 * Validates a body in parts as they arrive. Large bodies contain images or thousands of log-probabilities: parsing one
 * at its end would block the event loop.
 */
export class LargeAnswer {
  private readonly outline: ObjectOutline;

  /** @param choices `n` of the request */
  constructor(
    private readonly choices: number,
    private readonly member: AnswerMember = 'message',
  ) {
    // One more than asked for is already wrong.
    this.outline = new ObjectOutline({ ...MEMBERS, maxItems: choices + 1 });
  }

  /** @returns false: the body is no JSON object, whatever follows */
  push(part: Buffer): boolean {
    return this.outline.push(part);
  }

  /** Positions of the answer's members. */
  get members(): ReadonlyMap<string, JsonSpan> {
    return this.outline.members;
  }

  /** Positions of the members of each choice; null: the choice is no object. */
  get items(): readonly (ReadonlyMap<string, JsonSpan> | null)[] {
    return this.outline.items;
  }

  /** @param body all parts */
  judge(body: Buffer): WholeAnswer {
    if (!this.outline.isWhole || !isUtf8(body)) return judgeJson(undefined, this.choices, this.member);
    const values = (members: ReadonlyMap<string, JsonSpan>) =>
      Object.fromEntries([...members].flatMap(([key, span]) => (TOKENS.has(key) ? [] : [[key, valueOf(body, span)]])));
    const json = values(this.outline.members);
    const choices = this.outline.items.map((item) => item && values(item));
    return judgeJson({ ...json, choices }, this.choices, this.member);
  }
}

function valueOf(body: Buffer, { start, end }: JsonSpan): unknown {
  if (end - start <= MAX_VALUE_BYTES) return parsePlainJson(body.subarray(start, end));
  if (body[start] === OPENING_BRACE) return {};
  return body[start] === OPENING_BRACKET ? [] : '…';
}
