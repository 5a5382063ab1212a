import { isUtf8 } from 'node:buffer';

import { applySplices, type JsonSpan, ObjectOutline, parsePlainJson, QUOTE } from '@hone/json/bytes';

import { usageOfResponse } from '../../../wire/responses/response-to-chat.js';
import type { TokenUsage } from '../../target.js';
import type { ConsumerHost } from '../body-consumer.js';
import { BufferedConsumer } from '../buffered-consumer.js';
import { readReportedError } from '../error/reported-error.js';
import { readUsage } from '../stream/chunk-json.js';

type Image = ReadonlyMap<string, JsonSpan> | null;

/** More than any request may ask for. */
const MAX_IMAGES = 129;
const OUTLINE = {
  members: new Set(['error', 'usage', 'output_format']),
  list: 'data',
  itemMembers: new Set(['b64_json', 'url']),
  maxItems: MAX_IMAGES,
};
/** Larger values are no usage and no error that anyone reads. */
const MAX_VALUE_BYTES = 65_536;
const FORMAT = /^[a-z0-9]{1,16}$/;

/**
 * Reads an answer with images, which goes on as it came. It is never parsed: ten images take tens of megabytes. The call keeps
 * their base64 as `data:` URLs, which the call log stores as files.
 */
export class ImagesConsumer extends BufferedConsumer {
  private readonly outline = new ObjectOutline(OUTLINE);

  /** @param estimate tokens of an answer that reports none */
  constructor(
    host: ConsumerHost,
    private readonly estimate: () => TokenUsage,
  ) {
    super(host);
  }

  protected override readPart(chunk: Buffer): void {
    if (!this.outline.push(chunk)) this.fail('The upstream sent no JSON object.');
  }

  onEnd(): void {
    const { body, outline, host } = this;
    if (!outline.isWhole || !isUtf8(body)) return this.fail('The upstream sent no JSON object.');
    const error = valueOf(body, outline.members.get('error'));
    if (error) return host.fail(readReportedError(error));
    const { items } = outline;
    if (items.length === 0 || !items.every((image) => hasImage(body, image))) {
      return this.fail('The upstream sent no image.');
    }
    const counted = valueOf(body, outline.members.get('usage'));
    const reported = readUsage(usageOfResponse(counted) ?? counted);
    const usage = { ...(reported ?? this.estimate()), units: items.length };
    host.complete({ bytes: body, usage, oddities: [], toKept: () => this.kept(body) });
  }

  private fail(message: string): void {
    this.host.fail({ reason: 'invalid', message });
  }

  private kept(body: Buffer): Buffer {
    const { members, items } = this.outline;
    const format = valueOf(body, members.get('output_format'));
    const type = typeof format === 'string' && FORMAT.test(format) ? format : 'png';
    const bytes = Buffer.from(`data:image/${type};base64,`);
    const splices = items.flatMap((image) => {
      const span = image?.get('b64_json');
      return span !== undefined && isText(body, span) ? [{ start: span.start + 1, end: span.start + 1, bytes }] : [];
    });
    return applySplices(body, splices);
  }
}

const hasImage = (body: Buffer, image: Image): boolean =>
  image !== null && [...image.values()].some((span) => isText(body, span));

/** A text that is not empty. */
const isText = (body: Buffer, { start, end }: JsonSpan): boolean => body[start] === QUOTE && end - start > 2;

const valueOf = (body: Buffer, span: JsonSpan | undefined): unknown =>
  span === undefined || span.end - span.start > MAX_VALUE_BYTES
    ? undefined
    : parsePlainJson(body.subarray(span.start, span.end));
