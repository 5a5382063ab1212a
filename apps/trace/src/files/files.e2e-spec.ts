import { randomBytes } from 'node:crypto';

import { bytesDigest } from '@hone/contracts';
import {
  aFile,
  multipart,
  type Part,
  startTestApp,
  type TestApp,
  type TestClient,
  type TestResponse,
} from '@hone/testing';

import { PROJECT } from '../testing/bodies.fixture.js';
import { TraceModule } from '../trace.module.js';

const project_id = PROJECT;
const codeOf = ({ status, json }: TestResponse) => [status, json().code];

describe('files', () => {
  let trace: TestApp;
  let client: TestClient;
  beforeAll(async () => {
    trace = await startTestApp(TraceModule);
    client = trace.as(trace.writer);
  });
  afterAll(() => trace.close());

  const upload = (...parts: Part[]): Promise<TestResponse> => {
    const { body, options } = multipart(...parts);
    return client.post('/file/create', body, options);
  };
  const field = (name: string, content: string): Part => ({ name, content });
  const project = field('project_id', PROJECT);
  const read = (digest: string, project_id = PROJECT): Promise<TestResponse> =>
    client.post('/file/content', { project_id, digest });
  const stored = async () => (await trace.sql<{ n: number }>('SELECT count(*)::int AS n FROM files'))[0]?.n;

  it('have the digest of the field’s recipe, and come back as they were', async () => {
    const source = 'class Model:\n    pass\n';
    const created = await upload(project, aFile('../obj.py', source));
    expect([created.status, created.json()]).toEqual([200, { digest: 'JIeVpHJwirHfsDfYYbLsu0kt7bGf4nhMQGIOagUDKw4' }]);
    const { status, text, headers } = await read(created.json().digest);
    expect([status, text]).toEqual([200, source]);
    expect(headers).toMatchObject({
      'content-type': 'application/octet-stream',
      'content-disposition': 'attachment',
      'x-content-type-options': 'nosniff',
      'content-length': '22',
    });
  });

  it.each([0, 1, 262_144, 262_145, 3_000_000])('of %i bytes come back byte for byte, stored once', async (size) => {
    const bytes = randomBytes(size);
    const digests = [await upload(project, aFile('a', bytes)), await upload(aFile('b', bytes), project)];
    expect(digests.map(({ json }) => json().digest)).toEqual([bytesDigest(bytes), bytesDigest(bytes)]);
    const answer = await read(bytesDigest(bytes));
    expect([answer.headers['content-length'], answer.bytes.equals(bytes)]).toEqual([String(size), true]);
  });

  it('are the same by the other path', async () => {
    const { body, options } = multipart(project, aFile('a', 'by the other path'));
    const { digest } = (await client.post('/files/create', body, options)).json();
    expect((await client.post('/files/content', { project_id, digest })).text).toBe('by the other path');
  });

  it('are refused without a form, as documented', async () => {
    const { status, json } = await client.post('/file/create');
    expect(status).toBe(422);
    expect(json().detail[0].msg).toBe('The content type should be multipart/form-data');
    const document = (await client.get('/openapi.json')).json();
    expect(document.paths['/file/create'].post.responses).toHaveProperty('422');
  });

  it('are counted once, in their own project', async () => {
    const total = async (id: string) => (await client.post('/files/query_stats', { project_id: id })).json();
    const elsewhere = field('project_id', 'acme/other');
    for (const _time of [1, 2]) await upload(elsewhere, aFile('a', '12345'));
    await upload(elsewhere, aFile('a', '123'));
    expect(await total('acme/other')).toEqual({ total_size_bytes: 8 });
    expect(await total('acme/nothing')).toEqual({ total_size_bytes: 0 });
  });

  it('are not found where they are not', async () => {
    const { digest } = (await upload(project, aFile('a', 'only here'))).json();
    expect(codeOf(await read('x'))).toEqual([404, 'file.not_found']);
    expect(codeOf(await read(digest, 'acme/nothing'))).toEqual([404, 'project.not_found']);
    expect(codeOf(await read(digest, 'globex/secret'))).toEqual([403, 'access.denied']);
  });

  it.each<[string, Part[], number]>([
    ['no file', [project], 422],
    ['two files', [project, aFile('a'), aFile('b')], 422],
    ['no project', [aFile('a')], 422],
    ['a wrong project', [field('project_id', 'a/b/c'), aFile('a')], 422],
    ['another digest', [project, field('expected_digest', 'x'), aFile('a')], 409],
    ['too many bytes', [project, aFile('a', Buffer.alloc(33_554_433))], 413],
    ['a foreign project', [field('project_id', 'globex/secret'), aFile('a')], 403],
  ])('are refused with %s, and nothing is stored', async (_what, parts, status) => {
    const before = await stored();
    expect((await upload(...parts)).status).toBe(status);
    expect(await stored()).toBe(before);
  });

  it.each([
    ['application/json', '{"project_id":"acme/demo"}'],
    ['multipart/form-data', 'x'],
    ['multipart/form-data; boundary=b', '--b\r\ncontent-disposition: form-data; name="file"; filename="a"\r\n\r\ncut'],
    ['multipart/form-data; boundary=b', ''],
  ])('are refused as %s with the body %j', async (type, body) => {
    const response = await client.post('/file/create', body, { headers: { 'content-type': type } });
    expect(response.status).toBe(422);
  });
});
