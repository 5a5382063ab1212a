import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request for answers, as the trainer made it. */
export interface AskedAnswers {
  readonly requestId: string;
  readonly project: string;
  readonly body: {
    readonly model: string;
    readonly messages: readonly { readonly content: string }[];
    readonly n: number;
    readonly seed: number;
  };
}

/** An answer of a fault: a status with a code, or none at all. */
export type Fault = { readonly status: number; readonly code: string } | 'hang';

/** Tokens of the bundled model's vocabulary. */
const [FIRST_TOKEN, TOKENS, PROMPT] = [20, 200, [2, 5, 7]];
const COST_USD = 0.001;

/**
 * Gateway and evaluation service as a trainer asks them, with faults that no real ones make when asked to. The answer to a
 * seed is the same each time; every other one is right.
 */
export class RolloutServices {
  readonly asked: AskedAnswers[] = [];
  graded = 0;
  /** What goes wrong with a request; null: nothing. */
  fault: (asked: AskedAnswers) => Fault | null = () => null;
  /** Reward of an answer; a text: the code of a failed judgement. */
  reward: (output: string) => number | string = (output) => (Number(output.split(' ')[1]) % 2 === 0 ? 1 : 0);

  private constructor(
    private readonly server: Server,
    readonly url: string,
  ) {}

  static async start(): Promise<RolloutServices> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const services = new RolloutServices(server, `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    server.on('request', (request, response) => void services.answer(request, response));
    return services;
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  /** Variables of a trainer that asks these services. */
  get variables(): Record<string, string> {
    return { HONE_GATEWAY_URL: this.url, HONE_EVALUATION_URL: this.url };
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = JSON.parse(Buffer.concat(chunks).toString()) as never;
    if (request.url === '/evaluation/scorers/grade') return this.grade(body, response);
    const asked = {
      requestId: String(request.headers['x-request-id']),
      project: String(request.headers['hone-project']),
      body,
    };
    this.asked.push(asked);
    const fault = this.fault(asked);
    if (fault === 'hang') return;
    if (fault) return send(response, fault.status, { error: { code: fault.code, message: 'No.' } });
    send(response, 200, { choices: choicesOf(asked.body) }, { 'hone-cost': String(COST_USD) });
  }

  private grade({ answers }: { answers: { output: string }[] }, response: ServerResponse): void {
    this.graded += answers.length;
    const grades = answers.map(({ output }) => {
      const reward = this.reward(output);
      const isGraded = typeof reward === 'number';
      const found = { tags: [], ratings: {}, reason: null, cost_usd: 0, retryable: false };
      const verdict = isGraded
        ? { ...found, state: 'done', code: null, score: reward }
        : { ...found, state: 'failed', code: reward, score: null };
      return { reward: isGraded ? reward : null, verdicts: [verdict] };
    });
    send(response, 200, { scorers: [], grades, cost_usd: 0, graded: grades.length });
  }
}

function choicesOf({ n, seed }: AskedAnswers['body']): object[] {
  return Array.from({ length: n }, (_, index) => {
    const ids = Array.from({ length: 4 }, (_one, at) => FIRST_TOKEN + ((seed * 31 + index * 7 + at * 3) % TOKENS));
    return {
      index,
      finish_reason: 'stop',
      message: { role: 'assistant', content: `${seed} ${index}` },
      prompt_token_ids: PROMPT,
      token_ids: ids,
      logprobs: { content: ids.map((id) => ({ token: `token_id:${id}`, logprob: -5.5 })) },
    };
  });
}

function send(response: ServerResponse, status: number, body: object, headers: Record<string, string> = {}): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(JSON.stringify(body));
}
