const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const COLON = 0x3a;
const SPACE = 0x20;
const DATA = Buffer.from('data');
const EVENT = Buffer.from('event');

/**
 * One frame of a stream of server-sent events (SSE), with LF or CRLF line ends. Our own, because the usual parsers
 * decode text and return values: here the frame's bytes are passed on unchanged, and their offsets are needed.
 */
export interface SseFrame {
  /** Bytes of the frame, with its blank line and without comments. */
  readonly raw: Buffer;
  /** Value of its `data:` lines, joined by a line feed. Null: it has none, so it is no event. */
  readonly data: Buffer | null;
  /** Offset of `data` in `raw`; -1 when it has more than one line. */
  readonly dataStart: number;
  readonly event: string | null;
}

/** Offset after the blank line that ends the frame at `start`; -1: the frame is incomplete. */
export function endOfFrame(bytes: Buffer, start: number): number {
  for (let at = start; ;) {
    const lineFeed = bytes.indexOf(LINE_FEED, at);
    if (lineFeed < 0) return -1;
    if (lineFeed === at || (lineFeed === at + 1 && bytes[at] === CARRIAGE_RETURN)) return lineFeed + 1;
    at = lineFeed + 1;
  }
}

/** Reads a frame (https://html.spec.whatwg.org/multipage/server-sent-events.html), without support for lone CRs. */
export function readFrame(bytes: Buffer): SseFrame {
  const kept: Buffer[] = [];
  const data: Buffer[] = [];
  let dataStart = -1;
  let event: string | null = null;
  let length = 0;
  for (let at = 0; at < bytes.length;) {
    const next = endOfLine(bytes, at);
    if (bytes[at] !== COLON) {
      const valueStart = valueOf(bytes, at, next, DATA);
      if (valueStart >= 0) {
        dataStart = data.length === 0 ? length + valueStart - at : -1;
        data.push(bytes.subarray(valueStart, contentEnd(bytes, valueStart, next)));
      } else event = eventOf(bytes, at, next) ?? event;
      kept.push(bytes.subarray(at, next));
      length += next - at;
    }
    at = next;
  }
  const raw = length === bytes.length ? bytes : Buffer.concat(kept);
  return { raw, data: joinLines(data), dataStart, event };
}

function endOfLine(bytes: Buffer, at: number): number {
  const lineFeed = bytes.indexOf(LINE_FEED, at);
  return lineFeed < 0 ? bytes.length : lineFeed + 1;
}

/** Offset of the line's value if its field is `name`; otherwise -1. */
function valueOf(bytes: Buffer, start: number, end: number, name: Buffer): number {
  const colon = start + name.length;
  if (bytes[colon] !== COLON || colon >= end || bytes.compare(name, 0, name.length, start, colon) !== 0) return -1;
  return bytes[colon + 1] === SPACE ? colon + 2 : colon + 1;
}

function contentEnd(bytes: Buffer, start: number, end: number): number {
  let at = end;
  if (at > start && bytes[at - 1] === LINE_FEED) at--;
  if (at > start && bytes[at - 1] === CARRIAGE_RETURN) at--;
  return Math.max(at, start);
}

function eventOf(bytes: Buffer, start: number, end: number): string | null {
  const valueStart = valueOf(bytes, start, end, EVENT);
  return valueStart < 0 ? null : bytes.toString('utf8', valueStart, contentEnd(bytes, valueStart, end));
}

function joinLines(lines: readonly Buffer[]): Buffer | null {
  if (lines.length <= 1) return lines[0] ?? null;
  return Buffer.concat(lines.flatMap((line, index) => (index === 0 ? [line] : [Buffer.from('\n'), line])));
}

/** Writes a frame around `json`, which may have line feeds between its tokens. */
export function writeFrame(json: Buffer | string, lineEnd: string): Buffer {
  const lines = json.toString().split('\n');
  return Buffer.from(`${lines.map((line) => `data: ${line}`).join(lineEnd)}${lineEnd}${lineEnd}`);
}
