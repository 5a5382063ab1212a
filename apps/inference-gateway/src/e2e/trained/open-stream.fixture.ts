import { CHAT, type TrainedGateway } from './trained-world.fixture.js';

/** A stream of a listening gateway whose text is read when the spec wants it. */
export interface OpenStream {
  readonly headers: Headers;
  /** All bytes of the response. */
  rest(): Promise<string>;
}

/** Requests a long answer. Resolves when its first frames have arrived. */
export async function openStream(gateway: TrainedGateway, model: string, fields: object): Promise<OpenStream> {
  const body = { model, messages: [{ role: 'user', content: 'hello' }], stream: true, ...fields };
  const response = await fetch(`${await gateway.app.getUrl()}${CHAT}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${gateway.writer.key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (response.status !== 200 || !response.body) throw new Error(`${response.status}: ${await response.text()}`);
  const reader = response.body.getReader();
  const decoder = new TextDecoder();
  let text = '';
  const read = async () => {
    const { done, value } = await reader.read();
    text += decoder.decode(value, { stream: !done });
    return !done;
  };
  await read();
  return {
    headers: response.headers,
    rest: async () => {
      while (await read());
      return text;
    },
  };
}
