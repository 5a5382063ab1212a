import { isJsonObject } from '@hone/json';
import { parsePlainJson } from '@hone/json/bytes';

import type { ConsumerHost } from '../body-consumer.js';
import { BufferedConsumer } from '../buffered-consumer.js';
import { readReportedError } from '../error/reported-error.js';

const MAX_BYTES = 65_536;

/** Reads why an upstream that should have spoken sent JSON. */
export class NoAudioConsumer extends BufferedConsumer {
  constructor(host: ConsumerHost) {
    super(host, MAX_BYTES);
  }

  onEnd(): void {
    const json = parsePlainJson(this.body);
    const error = isJsonObject(json) ? json['error'] : undefined;
    this.host.fail(error ? readReportedError(error) : { reason: 'invalid', message: 'The upstream sent no audio.' });
  }
}
