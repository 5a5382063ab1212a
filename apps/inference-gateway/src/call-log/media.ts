import { bytesDigest } from '@hone/contracts';

import { WorkInTurns } from '../shared/time/work-in-turns.js';

/** JSON with refs in place of base64, and the bytes that they name. */
export interface ExtractedMedia {
  readonly json: string;
  readonly files: readonly Buffer[];
}

/** A look at what may be an image takes as long as to decode so many of its bytes. */
const LOOK_BYTES = 512;
/** Shorter data stays where it is: a file of its own would take more. */
const MIN_LENGTH = 1_024;
const MARK = ';base64,';
const MARKS = [MARK, '"input_audio"'].map((mark) => Buffer.from(mark));
const AUDIO = /"input_audio"\s*:\s*\{[^{}"]*(?:"format"\s*:\s*"[a-z0-9]{1,16}"\s*,\s*)?"data"\s*:\s*"/g;
const HEAD = /^data:([a-z0-9.+-]{1,64}\/[a-z0-9.+-]{1,64})(?:;[a-z0-9=.+-]{1,64}){0,4}$/i;

/** Whether {@link extractMedia} may find any: most chats have none, and are never made strings of. */
export const mayHaveMedia = (json: Buffer): boolean =>
  json.length >= MIN_LENGTH && MARKS.some((mark) => json.includes(mark));

/**
 * Takes images, audio and other base64 out of the JSON of a request or an answer: values that are `data:` URLs, and the
 * `data` of `input_audio`. The rest of the text stays as it is. Text that is not exactly the base64 of its bytes stays.
 *
 * @param refOf the ref of a file: `<refOf(digest)>?type=<media type>` stands in place of a URL
 * @param work done so far: other work may have its turn
 */
export async function extractMedia(
  json: string,
  refOf: (digest: string) => string,
  work = new WorkInTurns(),
): Promise<ExtractedMedia> {
  if (json.length < MIN_LENGTH) return { json, files: [] };
  const found: Found[] = [];
  for (const each of places(json)) {
    if (each !== null) found.push(each);
    if (work.add(LOOK_BYTES)) await work.nextTurn();
  }
  const files: Buffer[] = [];
  const parts: string[] = [];
  let done = 0;
  for (const { start, dataStart, end, type } of found.sort(byStart)) {
    if (work.add(end - dataStart)) await work.nextTurn();
    const bytes = start < done || end - dataStart < MIN_LENGTH ? null : decoded(json.slice(dataStart, end));
    if (bytes === null) continue;
    files.push(bytes);
    const ref = refOf(bytesDigest(bytes));
    parts.push(json.slice(done, start), type === null ? ref : `${ref}?type=${type}`);
    done = end;
  }
  return files.length === 0 ? { json, files } : { json: parts.join('') + json.slice(done), files };
}

interface Found {
  /** Offset of the text to replace, without quotes; its end is exclusive. */
  readonly start: number;
  readonly dataStart: number;
  readonly end: number;
  readonly type: string | null;
}

const byStart = (one: Found, other: Found): number => one.start - other.start;

/** Null: a place that only looks like one. */
function* places(json: string): Generator<Found | null> {
  yield* dataUrls(json);
  yield* audio(json);
}

function* dataUrls(json: string): Generator<Found | null> {
  for (let mark = json.indexOf(MARK); mark >= 0; mark = json.indexOf(MARK, mark + MARK.length)) {
    // The head is short: looking further back would cost time in a text that has many marks.
    const before = json.slice(Math.max(0, mark - 512), mark);
    const quote = before.lastIndexOf('"');
    const [, type] = HEAD.exec(before.slice(quote + 1).replaceAll('\\/', '/')) ?? [];
    if (quote < 0 || type === undefined) {
      yield null;
      continue;
    }
    const dataStart = mark + MARK.length;
    const end = json.indexOf('"', dataStart);
    if (end < 0) return;
    yield { start: mark - before.length + quote + 1, dataStart, end, type };
    mark = end;
  }
}

function* audio(json: string): Generator<Found> {
  if (!json.includes('"input_audio"')) return;
  for (const { 0: head, index } of json.matchAll(AUDIO)) {
    const start = index + head.length;
    const end = json.indexOf('"', start);
    if (end >= 0) yield { start, dataStart: start, end, type: null };
  }
}

/** Null: the text is not the base64 of any bytes, as it would be written again. */
function decoded(text: string): Buffer | null {
  const base64 = text.includes('\\/') ? text.replaceAll('\\/', '/') : text;
  const bytes = Buffer.from(base64, 'base64');
  return bytes.toString('base64') === base64 ? bytes : null;
}
