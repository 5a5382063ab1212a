import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { startTestApp, type TestApp } from '@hone/testing';

import { TraceModule } from '../trace.module.js';

const REPOSITORY = join(import.meta.dirname, '../../../..');
const GUIDE = readFileSync(join(REPOSITORY, 'docs/guides/opentelemetry.md'), 'utf8');
const blockOf = (language: string): string =>
  (new RegExp(`\`\`\`${language}\\n([^]*?)\`\`\``).exec(GUIDE) as RegExpExecArray)[1] as string;

describe('the guide to OpenTelemetry', () => {
  let trace: TestApp;
  beforeAll(async () => {
    trace = await startTestApp(TraceModule);
    await trace.app.listen(0, '127.0.0.1');
  });
  afterAll(() => trace.close());

  it('can be followed to the letter', async () => {
    const { key } = await trace.user('olga', { roles: { local: 'writer' } });
    const settings = blockOf('bash');
    await promisify(execFile)('bash', ['-c', `${settings}exec "$NODE" --input-type=module -e "$PROGRAM"`], {
      cwd: REPOSITORY,
      env: {
        ...{ PATH: process.env['PATH'], NODE: process.execPath, PROGRAM: blockOf('js') },
        ...{ BASE: await trace.app.getUrl(), KEY: key },
      },
    });
    const [, query] = /stream_query -d '([^']*)'/.exec(GUIDE) as RegExpExecArray;
    const { text } = await trace
      .as(`Basic ${Buffer.from(`api:${key}`).toString('base64')}`)
      .post('/calls/stream_query', query);
    expect(text.trimEnd().split('\n')).toHaveLength(1);
    expect(JSON.parse(text)).toMatchObject({
      ...{ op_name: 'chat hone-tiny', thread_id: 'talk-1' },
      inputs: { model: 'hone-tiny', messages: [{ role: 'user', content: 'What is 2+2?' }] },
      output: { choices: [{ message: { role: 'assistant', content: '4' } }] },
      summary: { usage: { 'hone-tiny': { prompt_tokens: 12, completion_tokens: 1 } } },
    });
  });
});
