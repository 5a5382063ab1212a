import { textLines } from './text-lines.js';

/** One event of `text/event-stream` (WHATWG HTML, section 9.2). */
export interface ServerSentEvent {
  /** Type of the event; `message` when the server names none. */
  readonly event: string;
  /** Its lines, joined. */
  readonly data: string;
  /** Last id that the server sent; '' before the first. */
  readonly id: string;
}

/** The events of a stream, as they come; comments and events without data are left out. */
export async function* serverSentEvents(
  body: ReadableStream<Uint8Array>,
): AsyncGenerator<ServerSentEvent, void, undefined> {
  let event = '';
  let data: string[] = [];
  let id = '';
  for await (const lines of textLines(body)) {
    for (const line of lines) {
      if (line === '') {
        if (data.length > 0) yield { event: event || 'message', data: data.join('\n'), id };
        event = '';
        data = [];
        continue;
      }
      const [, name = line, value = ''] = /^([^:]*):? ?(.*)$/s.exec(line) ?? [];
      if (name === 'data') data.push(value);
      else if (name === 'event') event = value;
      else if (name === 'id' && !value.includes('\0')) id = value;
    }
  }
}
