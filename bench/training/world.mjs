import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { Service } from '../harness/service.mjs';
import { World } from '../trace/world.mjs';

const PREVIEW = '/v1/preview';
const POLL_MS = 20;
const ENDED = ['succeeded', 'failed', 'cancelled'];

/** The training service and, when a measure wants one, a worker, on a Postgres and a folder of their own. */
export class TrainingWorld {
  static #made;

  static of(context) {
    TrainingWorld.#made ??= TrainingWorld.#make(context);
    return TrainingWorld.#made;
  }

  constructor(context, world, dataDir, training) {
    this.context = context;
    this.world = world;
    this.environment = { DATABASE_URL: world.url, HONE_DATA_DIR: dataDir };
    this.origin = `http://127.0.0.1:${training.port}`;
  }

  static async #make(context) {
    const world = await World.of(context);
    const dataDir = await mkdtemp(join(tmpdir(), 'hone-bench-training-'));
    context.cleanup.add(() => rm(dataDir, { recursive: true, force: true }));
    context.progress.step('starting the training service');
    const environment = { DATABASE_URL: world.url, HONE_DATA_DIR: dataDir };
    const training = await Service.start(context, 'training', environment);
    return new TrainingWorld(context, world, dataDir, training);
  }

  startTrainer() {
    return Service.start(this.context, 'trainer', this.environment);
  }

  /** @returns {Promise<any>} the parsed answer */
  async send(method, path, body) {
    const response = await fetch(this.origin + PREVIEW + path, {
      method,
      headers: { authorization: `Bearer ${this.world.key}`, 'content-type': 'application/json' },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
    if (response.status !== 200) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
    return response.json();
  }

  createModel(project, name) {
    return this.send('POST', '/models', { project, name, base_model: 'hone-tiny' });
  }

  /** A fine-tuning job whose data travels in the request. */
  createSftJob(modelId, lines, batchSize) {
    const text = lines.map((line) => JSON.stringify(line)).join('\n');
    return this.send('POST', '/sft-training-jobs', {
      model_id: modelId,
      training_data_url: `data:application/jsonl;base64,${Buffer.from(text).toString('base64')}`,
      config: { batch_size: batchSize, learning_rate: 1e-4 },
    });
  }

  /** The job when it is over. @throws it did not succeed */
  async untilEnded(jobId) {
    for (;;) {
      const job = await this.send('GET', `/training-jobs/${jobId}`);
      if (job.status === 'succeeded') return job;
      if (ENDED.includes(job.status)) throw new Error(`job ${job.status}: ${JSON.stringify(job.error)}`);
      await sleep(POLL_MS);
    }
  }

  /** The job once its first step may run. @throws it ended before */
  async untilPlanned(jobId) {
    for (;;) {
      const job = await this.send('GET', `/training-jobs/${jobId}`);
      if (job.status === 'running' || job.status === 'succeeded') return job;
      if (ENDED.includes(job.status)) throw new Error(`job ${job.status}: ${JSON.stringify(job.error)}`);
      await sleep(POLL_MS);
    }
  }

  async eventsOf(jobId) {
    const events = [];
    for (let after = ''; ;) {
      const page = await this.send('GET', `/training-jobs/${jobId}/events?limit=100&after=${after}`);
      events.push(...page.data);
      if (!page.has_more) return events;
      after = page.last_id;
    }
  }
}

/** A conversation of about `words` words in the answer. */
export const sftLine = (seed, words) => ({
  messages: [
    { role: 'user', content: `repeat: ${seed}` },
    { role: 'assistant', content: Array.from({ length: words }, (_, word) => `w${(seed * 7 + word) % 89}`).join(' ') },
  ],
});
