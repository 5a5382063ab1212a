import type { JsonObject, PromptEditDto } from '@hone/contracts';
import { startTestApp, type TestApp, type TestClient } from '@hone/testing';

import { EvaluationModule } from '../evaluation.module.js';
import { type AskedJudge, FakeGateway, type JudgeReply } from '../testing/fake-gateway.fixture.js';
import { JudgedProject, PROJECT } from '../testing/judged-project.fixture.js';
import { EditWorker } from './edit-worker.js';

export const EDITS = '/evaluation/prompt-edits';
export const ROWS: JsonObject[] = Array.from({ length: 20 }, (_none, at) => ({
  question: `What is the capital city of the wonderful small country number ${at}?`,
  expected: `city-${at}`,
}));
export const MESSAGES = [
  { role: 'system', content: 'You know all capitals.' },
  { role: 'user', content: '{{question}}' },
];
export const PROMPT = { description: 'Asks for capitals.', messages: MESSAGES, model: 'large' };
const IS_RIGHT = { kind: 'check', check: { check: 'contains', reference: 'inputs.expected' } };
/** With this word in its first message, a prompt is answered right. */
export const MAGIC = 'carefully';

/** What the reflection model answers. */
export const edit = (system: string, user = '{{question}}'): string =>
  JSON.stringify({ diagnosis: 'It says too little.', message_1: system, message_2: user });

/** A project with a prompt that fails on every other row, unless it has the magic word; and a gateway that a spec answers for. */
export class PromptEdits {
  gateway!: FakeGateway;
  app!: TestApp;
  client!: TestClient;
  project!: JudgedProject;
  /** Texts of the reflection model, one after the other; the last one again and again. */
  edits: JudgeReply[] = [];

  async start(): Promise<void> {
    this.gateway = await FakeGateway.start();
    const module = EvaluationModule.forRoot(() => ({ gatewayUrl: this.gateway.url }));
    this.app = await startTestApp(module, {}, { isOwn: true });
    this.client = this.app.as(this.app.writer);
  }

  async stop(): Promise<void> {
    await this.app.close();
    await this.gateway.close();
  }

  async reset(): Promise<void> {
    this.gateway.reset();
    this.gateway.reply = (asked) => this.answer(asked);
    this.edits = [edit(`Answer ${MAGIC}.`)];
    await this.app.sql(
      'TRUNCATE prompt_edits, prompt_edit_items, object_heads, object_versions, object_aliases, table_rows, table_versions, table_chunks, open_costs, usage_records',
    );
    this.project = await JudgedProject.of(this.app);
    await this.project.addDataset('capitals', ROWS);
    await this.project.addScorer('right', IS_RIGHT);
    await this.project.addInstance('brief', 'MessagesPrompt', PROMPT);
  }

  /** Right where the prompt has the magic word, else on even rows. */
  answer({ body }: AskedJudge): JudgeReply {
    if (body.model === 'editor') return this.nextEdit();
    const [system, user] = body.messages.map(({ content }) => content);
    const at = Number(/number (\d+)/.exec(String(user))?.[1]);
    return system?.includes(MAGIC) || at % 2 === 0 ? `It is city-${at}.` : 'I do not know.';
  }

  nextEdit(): JudgeReply {
    return (this.edits.length > 1 ? this.edits.shift() : this.edits[0]) as JudgeReply;
  }

  body(more: object = {}): object {
    return {
      ...{ project_id: PROJECT, prompt: 'brief', model: 'small', reflection_model: 'editor', dataset: 'capitals' },
      ...{ scorers: ['right'], metric: 'scores.right.passed', max_evaluations: 60, seed: 3, ...more },
    };
  }

  async create(more: object = {}): Promise<string> {
    const { status, json } = await this.client.post(EDITS, this.body(more));
    if (status !== 200) throw new Error(JSON.stringify(json()));
    return (json() as PromptEditDto).id;
  }

  /** Until nothing is due. */
  work(): Promise<void> {
    return this.app.app.get(EditWorker).run();
  }

  async read(id: string): Promise<PromptEditDto> {
    return (await this.client.get(`${EDITS}/${id}`)).json();
  }

  /** A job, done. */
  async done(more: object = {}): Promise<PromptEditDto> {
    const id = await this.create(more);
    await this.work();
    return this.read(id);
  }

  asked(model: string): AskedJudge[] {
    return this.gateway.asked.filter(({ body }) => body.model === model);
  }
}
