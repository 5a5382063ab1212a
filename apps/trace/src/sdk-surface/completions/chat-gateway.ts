import { isJsonObject, type JsonObject, type JsonValue, parseJson, stringifyJson } from '@hone/contracts';

/** A chunk of a stream as it came, and parsed. */
export interface ChatChunk {
  text: string;
  value: JsonValue;
}

/** Why there is no completion. */
export class ChatFailure extends Error {}

const PATH = '/v1/chat/completions';
const MAX_ERROR_CHARACTERS = 2_000;
/** A frame of a stream is a few kilobytes. */
const MAX_LINE_CHARACTERS = 16 * 1_048_576;
const DATA = 'data:';
const DONE = '[DONE]';

/** Asks the inference gateway for chat completions, with the credentials of whoever asks. */
export class ChatGateway {
  constructor(
    private readonly url: string,
    /** Headers that prove the caller. */
    private readonly credentials: Readonly<Record<string, string>>,
    private readonly signal: AbortSignal,
  ) {}

  /** @returns the text of the answer. @throws ChatFailure */
  async complete(request: JsonObject): Promise<string> {
    const response = await this.send(request);
    return response.text();
  }

  /** The chunks of the answer, as they come. @throws ChatFailure */
  async *stream(request: JsonObject): AsyncGenerator<ChatChunk> {
    const response = await this.send(request);
    for await (const line of linesOf(response)) {
      if (!line.startsWith(DATA)) continue;
      const text = line.slice(DATA.length).trim();
      if (text === DONE) return;
      const value = parseJson(text);
      if (isJsonObject(value) && value['error'] !== undefined) throw new ChatFailure(messageOf(text));
      yield { text, value };
    }
    throw new ChatFailure('The stream ended before it was whole.');
  }

  private async send(request: JsonObject): Promise<Response> {
    const { credentials, signal } = this;
    let response: Response;
    try {
      response = await fetch(this.url + PATH, {
        method: 'POST',
        // The caller of this service decides whether there is a call, and gets it.
        headers: { ...credentials, 'content-type': 'application/json', 'hone-log': 'off' },
        body: stringifyJson(request),
        signal,
      });
    } catch (error) {
      throw new ChatFailure('The inference gateway cannot be reached.', { cause: error });
    }
    if (!response.ok) throw new ChatFailure(messageOf(await response.text()));
    return response;
  }
}

async function* linesOf(response: Response): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const bytes of response.body ?? []) {
    const lines = (rest + decoder.decode(bytes as Uint8Array, { stream: true })).split(/\r?\n/);
    rest = lines.pop() as string;
    if (rest.length > MAX_LINE_CHARACTERS) throw new ChatFailure('A line of the stream is too long.');
    yield* lines;
  }
  if (rest) yield rest;
}

/** The sentence of an error in the form of OpenAI. */
function messageOf(text: string): string {
  try {
    const value = parseJson(text);
    const error = isJsonObject(value) ? value['error'] : undefined;
    const message = isJsonObject(error) ? error['message'] : error;
    if (typeof message === 'string') return message.slice(0, MAX_ERROR_CHARACTERS);
  } catch {
    // no JSON: told as it is
  }
  return text.slice(0, MAX_ERROR_CHARACTERS);
}
