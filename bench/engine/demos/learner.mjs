import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

import {
  EmbeddedTrainingEngine,
  openBaseModel,
  PLAIN_REQUEST,
  PLAIN_SAMPLING,
  ServingEngine,
  toPlanLine,
} from '@hone/engine';

import { REPOSITORY } from '../../harness/paths.mjs';

const MODELS = fileURLToPath(new URL('models', REPOSITORY));
const LORA = {
  r: 8,
  alpha: 16,
  target_modules: ['q_proj', 'k_proj', 'v_proj', 'o_proj', 'gate_proj', 'up_proj', 'down_proj'],
};

/** The bundled model, served and trained: each job starts from the last one's checkpoint. */
export class Learner {
  static async open({ cleanup }) {
    const learner = new Learner();
    learner.folder = await mkdtemp(join(tmpdir(), 'hone-demo-'));
    cleanup.add(() => rm(learner.folder, { recursive: true, force: true }));
    learner.directory = join(MODELS, 'hone-tiny');
    learner.base = await openBaseModel(learner.directory);
    learner.training = new EmbeddedTrainingEngine({ sources: { bundledDir: MODELS }, threads: 2 });
    learner.serving = ServingEngine.start();
    cleanup.add(() => learner.serving.close());
    await learner.serving.loadBase(learner.directory);
    return learner;
  }

  /** The last job's product; null: the base. */
  checkpoint = null;
  jobs = 0;
  trainingMs = 0;

  get tokenizer() {
    const { tokenizer, chatTemplate } = this.base;
    return {
      vocabSize: tokenizer.vocabSize,
      encodeChat: (messages, options) => chatTemplate.encodeChat(messages, options),
    };
  }

  /**
   * Answers to one question.
   *
   * @returns {Promise<{text: string, ids: number[], logprobs: number[], promptIds: number[]}[]>} one per choice
   */
  async ask(messages, { choices = 1, temperature = 0, topK = 0, seed = 0, maxTokens = 48 } = {}) {
    const promptIds = this.base.chatTemplate.encodeChat(messages, { addGenerationPrompt: true });
    const answers = Array.from({ length: choices }, () => ({ text: '', ids: [], logprobs: [], promptIds }));
    const checkpoint = this.checkpoint && { id: `${this.jobs}`, directory: fileURLToPath(this.checkpoint.uri) };
    const events = this.serving.generate(
      { base: this.directory, checkpoint },
      {
        ...PLAIN_REQUEST,
        promptIds,
        choices,
        maxTokens,
        sampling: { ...PLAIN_SAMPLING, temperature, topK, seed: BigInt(seed) },
        topLogProbabilities: 0,
      },
    );
    for await (const event of events) {
      if (event.kind !== 'text') continue;
      const answer = answers[event.choice];
      answer.text += event.text;
      answer.ids.push(...event.ids);
      answer.logprobs.push(...event.logProbabilities.map(({ logProbability }) => logProbability));
    }
    return answers;
  }

  /** Share of examples answered as `isRight` wants it, decoding greedily. */
  async accuracy(examples, isRight) {
    const answers = await Promise.all(examples.map(({ messages }) => this.ask(messages.slice(0, -1))));
    return examples.filter((example, index) => isRight(answers[index][0].text, example)).length / examples.length;
  }

  /** Carries out one job over the rows of a plan and serves its checkpoint from then on; returns its steps' metrics. */
  async train(kind, rows, loss = null) {
    const output = join(this.folder, `job-${(this.jobs += 1)}`);
    await mkdir(output);
    const plan = rows.map((row) => `${toPlanLine(row)}\n`).join('');
    await writeFile(join(output, 'plan.jsonl'), plan);
    const isRl = kind === 'rl';
    const spec = {
      spec_version: 1,
      job_id: `demo-${this.jobs}`,
      attempt: 1,
      kind,
      seed: 3407,
      base_model: 'hone-tiny',
      parent: this.checkpoint,
      reference: null,
      plan: {
        uri: pathToFileURL(join(output, 'plan.jsonl')).href,
        sha256: createHash('sha256').update(plan).digest('hex'),
        num_sequences: rows.length,
      },
      loss,
      optimiser: {
        beta1: 0.9,
        beta2: 0.99,
        epsilon: 1e-8,
        weight_decay: isRl ? 0.1 : 0,
        max_grad_norm: isRl ? 0.1 : 1,
        learning_rate_factor: 1,
      },
      lora: LORA,
      lora_asked: null,
      checkpoint_every: null,
      validation: null,
      resume: null,
      output_prefix: pathToFileURL(output).href,
      resume_every: { steps: 10, seconds: 60 },
    };
    const metrics = [];
    const sink = {
      step: async (_k, values) => metrics.push(values),
      resumePoint: async () => undefined,
      log: () => {},
    };
    const started = performance.now();
    const result = await this.training.run(spec, { cancel: new AbortController().signal }, sink);
    this.trainingMs += performance.now() - started;
    this.checkpoint = result.checkpoint;
    return metrics;
  }

  close() {
    return this.serving.close();
  }
}
