import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What the training service was asked. */
export interface AskedTraining {
  readonly method: string;
  /** Below `/v1/preview`. */
  readonly path: string;
  readonly key: string | undefined;
  readonly body: Record<string, unknown>;
}

export interface TrainingReply {
  readonly status: number;
  /** JSON, or a text as it is. */
  readonly body: object | string;
}

/** Where the evaluation service trains: every job succeeds at once, unless a spec says something else. The real one is in the launcher's spec. */
export class FakeTraining {
  readonly asked: AskedTraining[] = [];
  /** Undefined: what a service would answer to which everything succeeds. */
  reply: (asked: AskedTraining) => TrainingReply | undefined | Promise<TrainingReply | undefined> = () => undefined;
  /** Alias -> step. */
  readonly aliases = new Map<string, number>();
  private steps = 0;
  private readonly answered = new Map<string, TrainingReply['body']>();

  private constructor(
    private readonly server: Server,
    readonly url: string,
  ) {}

  static async start(): Promise<FakeTraining> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const training = new FakeTraining(server, `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    server.on('request', (request, response) => {
      void readAsked(request).then(async (asked) => {
        training.asked.push(asked);
        const { status, body } = (await training.reply(asked)) ?? training.answer(asked);
        response
          .writeHead(status, { 'content-type': 'application/json' })
          .end(typeof body === 'string' ? body : JSON.stringify(body));
      });
    });
    return training;
  }

  reset(): void {
    this.asked.length = 0;
    this.aliases.clear();
    this.answered.clear();
    this.steps = 0;
    this.reply = () => undefined;
  }

  /** Bodies of requests of a kind, without those that repeat one. */
  made(path: string): Record<string, unknown>[] {
    const asked = this.asked.filter((one) => one.method === 'POST' && one.path === path);
    return [...new Map(asked.map(({ key, body }) => [key, body])).values()];
  }

  close(): Promise<void> {
    this.server.closeAllConnections();
    return new Promise((resolve) => this.server.close(() => resolve()));
  }

  private answer(asked: AskedTraining): TrainingReply {
    const { method, path, key, body } = asked;
    const known = key === undefined ? undefined : this.answered.get(key);
    if (known) return { status: 200, body: known };
    const answer = this.answerTo(method, path, body);
    if (key !== undefined) this.answered.set(key, answer.body);
    return answer;
  }

  private answerTo(method: string, path: string, body: AskedTraining['body']): TrainingReply {
    const ok = (answer: object): TrainingReply => ({ status: 200, body: answer });
    const alias = /^\/models\/[^/]+\/aliases\/(.+)$/.exec(path)?.[1];
    if (alias !== undefined && method === 'PUT') return this.putAlias(alias, body);
    if (path.endsWith('/aliases'))
      return ok({ data: [...this.aliases].map(([name, step]) => ({ alias: name, step })) });
    if (path.startsWith('/models/')) return ok({ entity: 'acme', project: 'judged', name: 'helper' });
    if (path === '/training-data/from-calls')
      return ok({ url: 'hone-artifact:///acme/judged/data:v0', splits: null, counts: { used: 12 } });
    if (method === 'POST' && path.endsWith('training-jobs')) return ok({ id: newJobId(++this.steps) });
    if (path.startsWith('/training-jobs/'))
      return ok({ status: 'succeeded', produced_checkpoint: { step: Number(path.slice(-3)) } });
    return { status: 404, body: { detail: `Nothing is at ${path}.`, code: 'not_found' } };
  }

  private putAlias(alias: string, { step, if_step: expected }: AskedTraining['body']): TrainingReply {
    const now = this.aliases.get(alias) ?? null;
    if (expected !== undefined && expected !== now)
      return { status: 409, body: { detail: 'It has moved.', code: 'checkpoint.alias_moved' } };
    this.aliases.set(alias, step as number);
    return { status: 200, body: { alias, step } };
  }
}

const newJobId = (step: number): string => `019bc119-0100-7a3e-9d2a-5f0e8a1b2${String(step).padStart(3, '0')}`;

async function readAsked(request: IncomingMessage): Promise<AskedTraining> {
  let text = '';
  for await (const chunk of request) text += String(chunk);
  return {
    ...{ method: request.method ?? '', path: (request.url ?? '').replace('/v1/preview', '').split('?')[0] as string },
    key: request.headers['idempotency-key'] as string | undefined,
    body: (text ? JSON.parse(text) : {}) as AskedTraining['body'],
  };
}
