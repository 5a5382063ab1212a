import { isUtf8 } from 'node:buffer';

import { isJsonObject } from '@hone/json';
import { parsePlainJson } from '@hone/json/bytes';

import { usageOfResponse } from '../../../wire/responses/response-to-chat.js';
import type { TokenUsage } from '../../target.js';
import type { ConsumerHost } from '../body-consumer.js';
import { BufferedConsumer } from '../buffered-consumer.js';
import { readReportedError } from '../error/reported-error.js';
import { readUsage } from '../stream/chunk-json.js';

/** Hours of audio with the time of each word. A body is parsed at once. */
const MAX_BYTES = 8 * 1_048_576;
const MS_PER_SECOND = 1_000;

/** Reads what was said in audio: JSON, or captions. It goes on as it came. */
export class TranscriptConsumer extends BufferedConsumer {
  /**
   * @param estimatedMs length of the audio, where the upstream does not say it
   * @param textType media type of captions; null: the body is JSON
   * @param estimate tokens of an answer that reports none
   */
  constructor(
    host: ConsumerHost,
    private readonly estimatedMs: number,
    private readonly textType: string | null,
    private readonly estimate: () => TokenUsage,
  ) {
    super(host, MAX_BYTES);
  }

  onEnd(): void {
    const { body, host, textType } = this;
    if (!isUtf8(body)) return this.fail('The upstream sent no text.');
    if (textType !== null) {
      const toKept = () => Buffer.from(JSON.stringify({ text: body.toString() }));
      // Silence has no captions, and a type is not always named.
      const contentType = textType || 'text/plain; charset=utf-8';
      return host.complete({
        bytes: body,
        usage: this.usageOf(undefined, undefined),
        oddities: [],
        contentType,
        toKept,
      });
    }
    const json = parsePlainJson(body);
    if (!isJsonObject(json)) return this.fail('The upstream sent no JSON object.');
    const { error, text, segments, usage, duration } = json;
    if (error) return host.fail(readReportedError(error));
    if (typeof text !== 'string' && !Array.isArray(segments)) return this.fail('The upstream sent no transcript.');
    host.complete({ bytes: body, usage: this.usageOf(usage, duration), oddities: [] });
  }

  private fail(message: string): void {
    this.host.fail({ reason: 'invalid', message });
  }

  private usageOf(usage: unknown, duration: unknown): TokenUsage {
    const seconds = isJsonObject(usage) ? (usage['seconds'] ?? duration) : duration;
    const ms = Math.ceil(Number(seconds ?? NaN) * MS_PER_SECOND);
    const units = Number.isSafeInteger(ms) && ms >= 0 ? ms : this.estimatedMs;
    return { ...(readUsage(usageOfResponse(usage) ?? usage) ?? this.estimate()), units };
  }
}
