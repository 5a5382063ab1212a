import type { LookupAddress } from 'node:dns';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';

import { UrlGuard } from '@hone/platform/url-guard';

import type { DownloadConfig } from '../config/trainer.config.js';
import { Downloader } from './downloader.js';

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

describe('Downloader', () => {
  let folder: string;
  let path: string;
  let server: Server;
  let port: number;
  let answer: Answer;
  let asked: string[];
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'downloader-'));
    path = join(folder, 'data.jsonl');
    asked = [];
    answer = (_request, response) => void response.end('{"a":1}\n');
    server = createServer((request, response) => {
      asked.push(request.url as string);
      answer(request, response);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    ({ port } = server.address() as AddressInfo);
  });
  afterEach(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    await rm(folder, { recursive: true });
  });

  const config = (more: Partial<DownloadConfig> = {}): DownloadConfig => ({
    hosts: null,
    privateHosts: [`127.0.0.1:${port}`],
    maxBytes: 1_000,
    timeoutMs: 60_000,
    ...more,
  });
  const download = (url: string, more?: Partial<DownloadConfig>, resolve?: ConstructorParameters<typeof UrlGuard>[2]) =>
    new Downloader(config(more), new UrlGuard(config(more), 'HONE_TRAINING_DATA_HOSTS', resolve)).download(
      url,
      path,
      new AbortController().signal,
    );
  const own = (at: string) => `http://127.0.0.1:${port}${at}`;

  it('fetches a file', async () => {
    await download(own('/train.jsonl'));
    expect(await readFile(path, 'utf8')).toBe('{"a":1}\n');
  });

  it.each([
    'ftp://example.com/x',
    'file:///etc/passwd',
    'http://user:secret@example.com/x',
    'http://example.com:8080/x',
    'http://127.0.0.1/x',
    'http://169.254.169.254/latest/meta-data',
    'http://[::ffff:10.0.0.1]/x',
    'http://[::1]/x',
    'http://2130706433/x',
    'http://localhost/x',
    'not an address',
  ])('does not ask %s', async (url) => {
    await expect(download(url)).rejects.toMatchObject({ code: 'data.url_forbidden' });
  });

  it('asks only the hosts of the list', async () => {
    const hosts = ['data.example'];
    await expect(download(own('/x'), { hosts })).rejects.toMatchObject({ code: 'data.url_forbidden' });
    expect(asked).toEqual([]);
  });

  /** Names mean, one after the other, what `meanings` says. */
  function resolver(...meanings: string[][]) {
    const looked: string[] = [];
    const resolve = (
      hostname: string,
      _options: object,
      done: (error: null, addresses: LookupAddress[]) => void,
    ): void => {
      looked.push(hostname);
      const addresses = meanings[Math.min(looked.length, meanings.length) - 1] as string[];
      done(
        null,
        addresses.map((address) => ({ address, family: 4 })),
      );
    };
    return { resolve, looked };
  }

  it('sends nothing to a name that means a private address, alone or among others', async () => {
    for (const meaning of [['127.0.0.1'], ['93.184.216.34', '10.0.0.1']]) {
      const { resolve, looked } = resolver(meaning);
      const failed = download(`http://rebound.example/x`, {}, resolve);
      await expect(failed).rejects.toMatchObject({ code: 'data.url_forbidden' });
      expect(looked).toEqual(['rebound.example']);
    }
    expect(asked).toEqual([]);
  });

  it('connects to the address that was checked: a name is looked up once', async () => {
    const { resolve, looked } = resolver(['127.0.0.1'], ['10.0.0.1']);
    await download(`http://here.example:${port}/x`, { privateHosts: [`here.example:${port}`] }, resolve);
    expect([looked, asked]).toEqual([['here.example'], ['/x']]);
  });

  it('follows three redirects, and checks each', async () => {
    answer = (request, response) => {
      const left = Number(request.url?.slice(1));
      if (left === 0) response.end('there');
      else response.writeHead(302, { location: `/${left - 1}` }).end();
    };
    await download(own('/3'));
    expect(await readFile(path, 'utf8')).toBe('there');
    await expect(download(own('/4'))).rejects.toMatchObject({ code: 'data.url_forbidden' });
    answer = (_request, response) => void response.writeHead(302, { location: 'http://127.0.0.1:1/secret' }).end();
    await expect(download(own('/'))).rejects.toMatchObject({ code: 'data.url_forbidden' });
  });

  it('takes no more than the limit, announced or not', async () => {
    const large = { code: 'data.too_large' };
    answer = (_request, response) => void response.writeHead(200, { 'content-length': '1001' }).end('x'.repeat(1_001));
    await expect(download(own('/'))).rejects.toMatchObject(large);
    answer = (_request, response) => void response.write('x'.repeat(600), () => response.end('x'.repeat(600)));
    await expect(download(own('/'))).rejects.toMatchObject(large);
  });

  const LINES = '{"a":1}\n'.repeat(100);
  const packed = (encoding: string | null, body: Buffer) => {
    answer = (_request, response) =>
      void response.writeHead(200, encoding === null ? {} : { 'content-encoding': encoding }).end(body);
  };

  it.each([
    ['gzip', gzipSync(LINES)],
    ['X-GZIP', gzipSync(LINES)],
    ['br', brotliCompressSync(LINES)],
    ['deflate', deflateSync(LINES)],
    ['identity', Buffer.from(LINES)],
    [null, gzipSync(LINES)],
    ['gzip', gzipSync(gzipSync(LINES))],
    [null, Buffer.concat([gzipSync(LINES.slice(0, 80)), gzipSync(LINES.slice(80))])],
  ])('unpacks %s, and files that are gzip', async (encoding, body) => {
    packed(encoding, body);
    await download(own('/train.jsonl.gz'));
    expect(await readFile(path, 'utf8')).toBe(LINES);
    expect(await readdir(folder)).toEqual(['data.jsonl']);
  });

  it.each(['gzip', 'br', null])('unpacks no more than the limit: %s', async (encoding) => {
    const bomb = (encoding === 'br' ? brotliCompressSync : gzipSync)(Buffer.alloc(200_000));
    expect(bomb.length).toBeLessThan(1_000);
    packed(encoding, bomb);
    await expect(download(own('/'))).rejects.toMatchObject({ code: 'data.too_large' });
  });

  it.each([
    ['gzip', gzipSync(LINES).subarray(0, 30)],
    ['gzip', Buffer.from(LINES)],
    ['br', Buffer.from(LINES)],
    [null, gzipSync(LINES).subarray(0, 30)],
    ['zstd', Buffer.from(LINES)],
    ['gzip, gzip', gzipSync(gzipSync(LINES))],
  ])('says that what is packed as %s is damaged or not supported', async (encoding, body) => {
    packed(encoding, body);
    await expect(download(own('/'))).rejects.toMatchObject({ code: 'data.encoding' });
  });

  it('tells a refusal from trouble that may pass', async () => {
    const answers = async (status: number) => {
      answer = (_request, response) => void response.writeHead(status).end();
      return download(own('/')).catch((error: { code: string }) => error.code);
    };
    expect(await answers(404)).toBe('data.url_refused');
    expect(await answers(503)).toBe('data.unavailable');
    expect(await answers(429)).toBe('data.unavailable');
    answer = (_request, response) => {
      response.writeHead(200, { 'content-length': '50' }).write('x', () => server.closeAllConnections());
    };
    await expect(download(own('/'))).rejects.toMatchObject({ code: 'data.unavailable' });
  });

  it('fails after its time limit, and stops when it is aborted', async () => {
    answer = () => undefined;
    await expect(download(own('/'), { timeoutMs: 50 })).rejects.toMatchObject({ code: 'data.unavailable' });
    const abort = new AbortController();
    const stopped = new Downloader(config()).download(own('/'), path, abort.signal);
    abort.abort(new Error('enough'));
    await expect(stopped).rejects.toThrow('enough');
  });
});
