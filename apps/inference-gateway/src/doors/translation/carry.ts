import { isJsonObject } from '@hone/json';

import { InvalidRequestError } from '../../shared/errors/gateway-error.js';

type Json = Record<string, unknown>;

/** What a chat completion can carry of a request. */
export interface Carried<T> {
  readonly value: T;
  /** Why it cannot carry all; absent: it can. */
  readonly refusal?: InvalidRequestError;
}

/** Kinds of what is left out; a request with more of them is left out as a whole. */
const MAX_KINDS = 16;

/**
 * Translates a request, and where it cannot be carried, what is left of it without what is refused: for the call, the
 * limits and the estimates of a request that only upstreams take which speak the door.
 *
 * @param asked the door's fields
 * @param nothing fields that say nothing, in place of those that are left out as a whole
 * @throws InvalidRequestError a value is wrong, for any upstream
 */
export function carry<A extends Json, T>(asked: A, nothing: Json, translate: (asked: A) => T): Carried<T> {
  let rest = asked;
  let refusal: InvalidRequestError | null = null;
  for (let kinds = 0; kinds < MAX_KINDS; kinds++) {
    try {
      return { value: translate(rest), ...(refusal && { refusal }) };
    } catch (error) {
      if (!(error instanceof InvalidRequestError)) throw error;
      const loc = refusedIn(error);
      if (loc === null) {
        if (refusal === null) throw error;
        break;
      }
      refusal ??= error;
      rest = without(rest, loc);
    }
  }
  const { model, stream, max_tokens: maxTokens } = asked;
  const value = translate({
    model,
    stream,
    ...(maxTokens !== undefined && { max_tokens: maxTokens }),
    ...nothing,
  } as unknown as A);
  return { value, ...(refusal && { refusal }) };
}

/** Path of what is refused because chat completions do not have it, without `body`. Null: that is not why. */
function refusedIn({ issues }: InvalidRequestError): readonly (string | number)[] | null {
  const [issue] = issues;
  return issue?.type === 'unsupported_parameter' && issue.loc[0] === 'body' ? issue.loc.slice(1) : null;
}

/** All of a list's elements, and of the lists that are their contents, that have the type of what is refused. */
function without<A extends Json>(asked: A, [field, index, ...path]: readonly (string | number)[]): A {
  const list = field === undefined ? undefined : asked[field];
  const { [field as string]: _, ...others } = asked;
  if (!Array.isArray(list) || typeof index !== 'number') return others as A;
  const refused = [list[index] as unknown, ...innerOf(list[index], path)].at(-1);
  const type = isJsonObject(refused) ? refused['type'] : undefined;
  const isKept = (item: unknown) =>
    item !== refused && (type === undefined || !isJsonObject(item) || item['type'] !== type);
  const kept = list.filter(isKept).map((item: unknown) => withKeptContent(item, isKept));
  return { ...asked, [field as string]: kept };
}

/** The element of the `content` of a list's element that a path leads into; empty: it leads into none. */
function innerOf(item: unknown, [member, index]: readonly (string | number)[]): unknown[] {
  const content = isJsonObject(item) && member === 'content' ? item['content'] : null;
  return Array.isArray(content) && typeof index === 'number' ? [content[index]] : [];
}

function withKeptContent(item: unknown, isKept: (part: unknown) => boolean): unknown {
  if (!isJsonObject(item) || !Array.isArray(item['content'])) return item;
  return { ...item, content: item['content'].filter(isKept) };
}
