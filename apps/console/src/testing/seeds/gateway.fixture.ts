import { writeFile } from 'node:fs/promises';

import { type Hone, HoneError } from '@hone/client';
import { FakeUpstream } from '@hone/testing/fakes';

/** Fails three times, and answers from then on. */
export const RECOVERS = 'status@503+times@3';
export const HOSTILE_ALIAS = 'שלום-<b>-__proto__';

/** Two servers behind the gateway, one of which fails as the names of its models say. */
export class SeededGateway {
  /** @param file that the gateway reads its upstreams from */
  static async start(hone: Hone, file: string): Promise<SeededGateway> {
    const [main, backup] = [await FakeUpstream.start(), await FakeUpstream.start()];
    const gateway = new SeededGateway(hone, file, main, backup);
    await gateway.write(gateway.configuration());
    await gateway.until(({ routes }) => routes.some(({ id }) => id === 'team-chat'));
    return gateway;
  }

  private constructor(
    private readonly hone: Hone,
    private readonly file: string,
    private readonly main: FakeUpstream,
    private readonly backup: FakeUpstream,
  ) {}

  /** Host and port of the first server. */
  get host(): string {
    return new URL(this.main.baseUrl).host;
  }

  /** @param project who pays, and keeps the call. Absent: that of the key */
  async ask(model: string, project?: string, times = 1): Promise<void> {
    const body = { model, messages: [{ role: 'user' as const, content: 'Say something.' }] };
    const headers: Record<string, string> = project === undefined ? {} : { 'Hone-Project': project };
    for (let count = 0; count < times; count++)
      await this.hone.inference.createChatCompletion(body, { headers, maxRetries: 0 }).catch((error: unknown) => {
        if (!(error instanceof HoneError)) throw error;
      });
  }

  /** Makes the file wrong, until it is written again. */
  async damageFile(): Promise<void> {
    await this.write({ upstreams: 'none' });
    await this.until(({ file_refused }) => file_refused);
  }

  async repairFile(): Promise<void> {
    await this.write(this.configuration());
    await this.until(({ file_refused }) => !file_refused);
  }

  /** The gateway has no server any more. */
  async stop(): Promise<void> {
    await this.write({ upstreams: [] });
    await this.until(({ upstreams }) => upstreams.length === 1);
    await Promise.all([this.main.stop(), this.backup.stop()]);
  }

  private configuration(): object {
    const server = (name: string, { baseUrl }: FakeUpstream, models: readonly string[], more: object = {}) => ({
      ...{ name, kind: 'openai-compatible', base_url: baseUrl, params: 'all', retries: 0 },
      ...{ models: models.map((model) => ({ name: model })), ...more },
    });
    const first = (model: string) => ({ upstream: 'main', model });
    const fallback = { upstream: 'backup', model: 'ok', priority: 1 };
    return {
      upstreams: [
        server('main', this.main, ['ok', 'rate-limit+retry-after@50', 'cut'], { max_concurrency: 8 }),
        server('wavering', this.main, [RECOVERS], { breaker_open_ms: 1_000, breaker_open_max_ms: 1_000 }),
        server('broken', this.main, ['status@500'], { breaker_open_ms: 900_000, breaker_open_max_ms: 900_000 }),
        server('backup', this.backup, ['ok']),
        server('spare', this.backup, ['ok'], { enabled: false }),
      ],
      routes: [
        { id: 'hone-tiny', targets: [{ upstream: 'local', model: 'hone-tiny' }] },
        { id: 'team-chat', aliases: ['default', HOSTILE_ALIAS], targets: [first('ok'), fallback] },
        { id: 'wavering', targets: [{ upstream: 'wavering', model: RECOVERS }, fallback] },
        { id: 'broken', stream_guard: 'buffered', targets: [{ upstream: 'broken', model: 'status@500' }, fallback] },
        { id: 'limited', targets: [first('rate-limit+retry-after@50'), fallback] },
        { id: 'off', targets: [{ upstream: 'spare', model: 'ok' }] },
      ],
    };
  }

  private async write(configuration: object): Promise<void> {
    await writeFile(this.file, JSON.stringify(configuration));
  }

  /** The gateway looks at its file once a second. */
  private async until(
    isSo: (state: Awaited<ReturnType<Hone['inference']['getGatewayState']>>) => boolean,
  ): Promise<void> {
    for (const endMs = Date.now() + 60_000; Date.now() < endMs;) {
      if (isSo(await this.hone.inference.getGatewayState())) return;
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
    throw new Error('The gateway has not read its upstreams file.');
  }
}
