import { editObject, findMember, firstItem, nextItem } from '@hone/json/bytes';

import type { TokenUsage } from '../../targets/target.js';
import { toUsageJson } from '../../targets/usage-json.js';

const NOTHING: ReadonlySet<string> = new Set();
const NO_NAMES: ReadonlyMap<string, string> = new Map();

/** One body of several with a choice each: the first one's members, all choices in order, the usage of all. */
export function joinedBody(bodies: readonly Buffer[], usage: TokenUsage): Buffer {
  const choices = bodies.map((body, index) => {
    const set = new Map([['index', String(index)]]);
    return editObject(onlyChoice(body), { set, remove: NOTHING, rename: NO_NAMES }).toString();
  });
  const set = new Map([
    ['choices', `[${choices.join(',')}]`],
    ['usage', JSON.stringify(toUsageJson(usage))],
  ]);
  return editObject(bodies[0] as Buffer, { set, remove: NOTHING, rename: NO_NAMES });
}

/** The bytes of the one choice of a valid body. */
function onlyChoice(body: Buffer): Buffer {
  const list = findMember(body, 'choices');
  if (list === null) throw new Error('A judged body has choices.');
  const start = firstItem(body, list.valueStart);
  if (nextItem(body, start) >= 0) throw new Error('A judged body has one choice.');
  const end = body.lastIndexOf(CLOSING_BRACE, list.valueEnd - 1) + 1;
  return body.subarray(start, end);
}

const CLOSING_BRACE = '}';
