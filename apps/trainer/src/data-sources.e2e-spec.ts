import { writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

import { newId } from '@hone/database';

import { LONG_MS, TrainerBench } from './testing/trainer-bench.fixture.js';
import { someGroups, someLines } from './testing/training-input.fixture.js';

const LINES = someLines(3)
  .map((line) => JSON.stringify(line))
  .join('\n');

const ANSWERS = new Map<string, string | Buffer>([
  ['/train.jsonl', LINES],
  ['/train.jsonl.gz', gzipSync(LINES)],
  ['/latin1.jsonl', Buffer.from(`${LINES}\n${LINES.replaceAll('w1', 'wé')}`, 'latin1')],
]);

describe('fine-tuning data', () => {
  let bench: TrainerBench;
  let server: Server;
  beforeAll(async () => {
    bench = await TrainerBench.start();
    server = createServer(({ url }, response) => void response.end(ANSWERS.get(url as string)));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    await bench.trainer({ HONE_TRAINING_ALLOW_PRIVATE_HOSTS: `127.0.0.1:${portOf(server)}` });
  }, LONG_MS);
  afterAll(async () => {
    await bench.close();
    await new Promise((resolve) => server.close(resolve));
  }, LONG_MS);

  const portOf = (of: Server) => (of.address() as AddressInfo).port;

  async function anArtifact(files: Record<string, string>): Promise<string> {
    const [artifactId, id] = [newId(), newId()];
    const folder = await bench.store.createFolder();
    for (const [name, text] of Object.entries(files)) await writeFile(join(folder.path, name), text);
    const stored = await folder.commit(`artifacts/${id}`);
    const { client } = bench.test.db;
    await client.artifact.create({ data: { projectId: bench.projectId, id: artifactId, name: id } });
    const version = { projectId: bench.projectId, id, artifactId, version: 0, digest: 'x', createdBy: newId() };
    const data = { ...version, uri: stored.uri, bytes: stored.bytes, files: stored.files as never };
    await client.artifactVersion.create({ data });
    return id;
  }

  it(
    'has groups of trajectories in its lines, which train what the body of a job would',
    async () => {
      const groups = someGroups(3);
      const lines = groups.map((group) => JSON.stringify(group)).join('\n');
      const dataVersionId = await anArtifact({ 'train.jsonl': 'none of this', 'val.jsonl': lines });
      const trainingDataUrl = 'hone-artifact:///any/project/name:v0/val.jsonl';
      const [named, sent] = [await bench.model(), await bench.model()];
      const jobs = [
        await bench.job(named, 'rl', {}, null, { dataVersionId, trainingDataUrl }),
        await bench.rlJob(sent, groups),
      ];
      for (const { id } of jobs) {
        expect(await bench.ended(id)).toMatchObject({
          status: 'succeeded',
          data: { groups_submitted: 3, groups_trainable: 3, trajectories: 6 },
        });
      }
      expect(await bench.hashes(named, 1)).toMatchObject({
        'adapter_model.safetensors': (await bench.hashes(sent, 1))['adapter_model.safetensors'],
      });
    },
    LONG_MS,
  );

  it(
    'with lines that are no groups fails the job, and names them',
    async () => {
      const dataVersionId = await anArtifact({ 'train.jsonl': `${JSON.stringify(someGroups(1)[0])}\n${LINES}` });
      const trainingDataUrl = 'hone-artifact:///any/project/name:v0';
      const { id } = await bench.job(await bench.model(), 'rl', {}, null, { dataVersionId, trainingDataUrl });
      // The lines of conversations have no trajectories: empty groups, which train nothing.
      expect(await bench.ended(id)).toMatchObject({
        status: 'succeeded',
        data: { groups_submitted: 4, groups_trainable: 1 },
      });
      const bad = await anArtifact({ 'train.jsonl': '{"trajectories":[{"reward":"1"}]}' });
      const failed = await bench.job(await bench.model(), 'rl', {}, null, { dataVersionId: bad, trainingDataUrl });
      expect(await bench.ended(failed.id)).toMatchObject({
        status: 'failed',
        error: { code: 'data.bad_line', loc: [['line', 1]] },
      });
    },
    LONG_MS,
  );

  it(
    'comes from the file of an artifact that is meant',
    async () => {
      const dataVersionId = await anArtifact({ 'train.jsonl': LINES, 'eval.jsonl': 'none of this' });
      const { id } = await bench.job(await bench.model(), 'sft', {}, null, { dataVersionId });
      expect(await bench.ended(id)).toMatchObject({ status: 'succeeded', data: { trajectories: 3 }, numSequences: 2 });
    },
    LONG_MS,
  );

  it(
    'is not guessed among several files',
    async () => {
      const dataVersionId = await anArtifact({ 'a.jsonl': LINES, 'b.jsonl': LINES });
      const { id } = await bench.job(await bench.model(), 'sft', {}, null, { dataVersionId });
      expect(await bench.ended(id)).toMatchObject({ status: 'failed', error: { code: 'data.artifact_file' } });
    },
    LONG_MS,
  );

  it.each(['/train.jsonl', '/train.jsonl.gz'])(
    'comes from a server that is allowed: %s',
    async (file) => {
      const trainingDataUrl = `http://127.0.0.1:${portOf(server)}${file}`;
      const { id } = await bench.job(await bench.model(), 'sft', {}, null, { trainingDataUrl });
      expect(await bench.ended(id)).toMatchObject({ status: 'succeeded', data: { trajectories: 3 } });
    },
    LONG_MS,
  );

  it(
    'of the validation comes from an artifact, from a server, or with the job',
    async () => {
      const url = `http://127.0.0.1:${portOf(server)}/train.jsonl`;
      const input = await bench.store.put('jobs/validation/validation.jsonl', Buffer.from(LINES));
      const sources: [object, Partial<Parameters<typeof bench.job>[4]>][] = [
        [{}, { validation: { versionId: await anArtifact({ 'train.jsonl': LINES }), input: null } }],
        [{}, { validation: { versionId: null, input } }],
        [{ validation_data_url: url }, {}],
      ];
      const losses = new Set<unknown>();
      for (const [config, more] of sources) {
        const { id } = await bench.job(await bench.model(), 'sft', config, LINES, more);
        expect(await bench.ended(id)).toMatchObject({ status: 'succeeded', data: { trajectories_trained: 3 } });
        losses.add((await bench.events(id)).at(-2)?.data['validation_loss']);
      }
      expect([...losses]).toEqual([expect.any(Number)]);
    },
    LONG_MS,
  );

  it(
    'of the validation is guarded and judged in the same way',
    async () => {
      const failed = async (config: object, more: object = {}) => {
        const { id } = await bench.job(await bench.model(), 'sft', config, LINES, more);
        const { status, error } = await bench.ended(id);
        return [status, error?.code, error?.loc];
      };
      const at = (of: string, path: string) => ({ validation_data_url: `http://${of}:${portOf(server)}${path}` });
      expect(await failed(at('127.0.0.2', '/train.jsonl'))).toEqual(['failed', 'data.url_forbidden', null]);
      const badLine = ['failed', 'data.bad_line', [['validation', 'line', 5]]];
      expect(await failed(at('127.0.0.1', '/latin1.jsonl'))).toEqual(badLine);
      const input = await bench.store.put('jobs/validation/empty.jsonl', Buffer.from('\n\n'));
      const empty = { validation: { versionId: null, input } };
      expect(await failed({}, empty)).toEqual(['failed', 'data.validation_empty', null]);
      await expect(failed({}, { validation: { versionId: newId(), input: null } })).rejects.toThrow('no_data');
    },
    LONG_MS,
  );

  it(
    'that is not UTF-8 is refused by its line',
    async () => {
      const trainingDataUrl = `http://127.0.0.1:${portOf(server)}/latin1.jsonl`;
      const { id } = await bench.job(await bench.model(), 'sft', {}, null, { trainingDataUrl });
      const error = {
        code: 'data.bad_line',
        message: expect.stringContaining('not valid UTF-8 at line 5'),
        loc: [['line', 5]],
      };
      expect(await bench.ended(id)).toMatchObject({ status: 'failed', attempt: 1, error });
    },
    LONG_MS,
  );

  it(
    'whose bytes are not the stored ones is not used',
    async () => {
      const dataVersionId = await anArtifact({ 'train.jsonl': LINES });
      const { uri } = await bench.test.db.client.artifactVersion.findUniqueOrThrow({ where: { id: dataVersionId } });
      await writeFile(join(await bench.store.localPath(uri), 'train.jsonl'), LINES.replace('w1', 'w9'));
      const { id } = await bench.job(await bench.model(), 'sft', {}, null, { dataVersionId });
      expect(await bench.ended(id)).toMatchObject({ status: 'failed', error: { code: 'storage.corrupt' } });
    },
    LONG_MS,
  );
});
