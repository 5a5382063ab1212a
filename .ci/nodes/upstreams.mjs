import { once } from 'node:events';
import { createServer } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

import { registerSources } from '../../libs/testing/src/jest/sources.mjs';
import { answerOfScript } from './scripted-model.mjs';

const CONTEXT = 131_072;
const TINY = { name: 'hone-tiny', capabilities: ['tools', 'structured', 'logprobs'] };
const CODER = { name: 'coder', context_length: CONTEXT };
/** A behaviour of the fake upstream, which has the built-in tools of the doors: it searches, thinks and answers. */
export const SEARCHER = 'ok+search+reasoning';

/**
 * The upstreams file that knows {@link Upstreams}: `scripted` and `chats` speak chat completions alone, `native` every
 * door, `fake` responses and messages with built-in tools. A model of the two that ask Hone again is named after it:
 * `native/coder` is the model `coder`, asked for in the form of the door.
 */
export function upstreamsFile(port) {
  const upstream = (name, models, more) => ({
    ...{ name, kind: 'openai-compatible', base_url: `http://127.0.0.1:${port}/${name}/v1`, params: 'all', models },
    ...more,
  });
  const under = (prefix, ...models) => models.map((model) => ({ ...model, name: `${prefix}/${model.name}` }));
  const upstreams = [
    upstream('scripted', [CODER]),
    upstream('chats', under('chats', TINY)),
    upstream('native', under('native', TINY, CODER), { speaks: ['responses', 'messages', 'completions'] }),
    upstream('fake', [{ name: SEARCHER }], { speaks: ['responses', 'messages'] }),
  ];
  return JSON.stringify({ upstreams });
}

/** Upstreams on one port, in the process of the program whose clients are tested. */
export class Upstreams {
  /** What was asked for so far: upstream and path, for example `native/v1/responses`. */
  asked = new Set();
  server = createServer((request, response) => void this.answer(request, response).catch(() => response.destroy()));

  /** @param {{ url: string, key: string }} hone that `chats` and `native` ask again */
  static async start(port, hone) {
    registerSources();
    const { FakeUpstream } = await import('../../libs/testing/src/fakes/fake-upstream/index.ts');
    const upstreams = new Upstreams();
    upstreams.fake = await FakeUpstream.start();
    upstreams.hone = hone;
    upstreams.server.listen(Number(port), '127.0.0.1');
    await once(upstreams.server, 'listening');
    return upstreams;
  }

  async stop() {
    this.server.closeAllConnections();
    this.server.close();
    await this.fake.stop();
  }

  async answer(request, response) {
    const [, name, path] = /^\/(\w+)\/v1(\/[^?]*)/.exec(request.url);
    this.asked.add(`${name}/v1${path}`);
    let text = '';
    for await (const part of request.setEncoding('utf8')) text += part;
    const asked = JSON.parse(text);
    if (name === 'scripted') {
      const { type, body } = answerOfScript(asked);
      return void response.writeHead(200, { 'content-type': type }).end(body);
    }
    const base = name === 'fake' ? this.fake.baseUrl : `${this.hone.url}/v1`;
    return this.passOn(`${base}${path}`, { ...asked, model: asked.model.replace(`${name}/`, '') }, response);
  }

  async passOn(url, asked, response) {
    const headers = { authorization: `Bearer ${this.hone.key}`, 'content-type': 'application/json' };
    const got = await fetch(url, { method: 'POST', headers, body: JSON.stringify(asked) });
    response.writeHead(got.status, { 'content-type': got.headers.get('content-type') });
    await pipeline(Readable.fromWeb(got.body), response);
  }
}
