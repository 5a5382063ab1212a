import { isJsonObject } from '@hone/json';
import { endOfString, parsePlainJson } from '@hone/json/bytes';

import type { ChatTranslator } from './chat-translator.js';
import { KnownDelta } from './sse/delta-frame.js';
import { endOfFrame, readFrame } from './sse/sse-frame.js';

type Json = Record<string, unknown>;

/** The frame that a frame of a text becomes, around the text. */
interface AroundText {
  readonly before: string;
  readonly after: string;
}

const CONTENT = '"content":"';

/** Writes the frames of a door's own stream as those of a chat completion. */
export class ChatFrames {
  private readonly known = new KnownDelta<AroundText>();

  /** @param isShown whether a chunk is written */
  constructor(
    private readonly translator: ChatTranslator,
    private readonly isShown: (chunk: Json) => boolean = () => true,
  ) {}

  /** @param bytes whole frames */
  of(bytes: Buffer): string {
    let frames = '';
    for (let at = 0; at < bytes.length;) {
      const text = this.known.match(bytes, at);
      const end = text?.end ?? endOfFrame(bytes, at);
      if (end < 0) break;
      if (text === null) frames += this.translated(bytes.subarray(at, end));
      // A text that is empty adds nothing.
      else if (text.textEnd > text.textStart)
        frames += text.value.before + bytes.toString('utf8', text.textStart, text.textEnd) + text.value.after;
      at = end;
    }
    return frames;
  }

  private translated(bytes: Buffer): string {
    const frame = readFrame(bytes);
    const event = frame.data === null ? null : parsePlainJson(frame.data);
    if (!isJsonObject(event)) return '';
    const chunks = this.translator.chunks(event).filter((chunk) => this.isShown(chunk));
    const frames = chunks.map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`);
    const [one] = frames;
    if (one !== undefined && frames.length === 1) this.known.learn(frame, event, () => aroundText(one));
    return frames.join('');
  }
}

/** Null: the frame has no content, or more than one. */
function aroundText(frame: string): AroundText | null {
  const bytes = Buffer.from(frame);
  const start = bytes.indexOf(CONTENT);
  const text = start + CONTENT.length;
  if (start < 0 || bytes.includes(CONTENT, text)) return null;
  const end = endOfString(bytes, text - 1) - 1;
  return { before: bytes.toString('utf8', 0, text), after: bytes.toString('utf8', end) };
}
