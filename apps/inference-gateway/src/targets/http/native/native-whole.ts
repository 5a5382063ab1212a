import { isUtf8 } from 'node:buffer';

import { isJsonObject } from '@hone/json';
import { applySplices, parsePlainJson } from '@hone/json/bytes';

import type { TokenUsage } from '../../target.js';
import type { ConsumerHost } from '../body-consumer.js';
import { BufferedConsumer } from '../buffered-consumer.js';
import { invalid } from './native-failures.js';
import type { NativeReader } from './native-reader.js';
import { type AnswerHead, headSplices } from './native-stream.js';

/** Such a body is parsed at once: images that built-in tools make are the largest. */
const MAX_BYTES = 8 * 1_048_576;
/** Estimate for a body without usage: English text in JSON. */
const BYTES_PER_TOKEN = 4;

/** Reads a whole answer in a door's own form, which stays as it is but for {@link AnswerHead}. */
export class NativeWhole extends BufferedConsumer {
  constructor(
    private readonly reader: NativeReader,
    private readonly head: AnswerHead,
    private readonly isStream: boolean,
    host: ConsumerHost,
    private readonly estimate: (tokens: number) => TokenUsage,
  ) {
    super(host, MAX_BYTES);
  }

  onEnd(): void {
    const { body, reader, host } = this;
    const json = isUtf8(body) ? parsePlainJson(body) : undefined;
    if (!isJsonObject(json)) return host.fail(invalid('The upstream sent no JSON object.'));
    const failure = reader.readWhole(json);
    if (failure !== null) return host.fail(failure);
    if (this.isStream) return host.fail(invalid('The upstream did not stream.'));
    const usage = reader.usage ?? this.estimate(Math.ceil(body.length / BYTES_PER_TOKEN));
    const finishReasons = reader.finishReason === null ? [] : [reader.finishReason];
    host.complete({
      bytes: applySplices(body, headSplices(body, 0, null, this.head)),
      usage,
      oddities: [],
      finishReasons,
    });
  }
}
