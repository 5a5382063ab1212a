import { isJsonObject } from '@hone/client';

import type { Loose } from '../../../shared/chat/blocks.js';
import { given } from '../doors/door.js';

/** A part of a content, or a block of one, as chat completions have it. What is not known here is for the server to judge. */
export function toPart(part: unknown): unknown {
  if (!isJsonObject(part)) return part;
  const { type, ...members } = part;
  switch (type) {
    case 'input_text':
    case 'output_text':
    case 'text':
      return { type: 'text', text: members['text'] };
    case 'input_image':
      return typeof members['image_url'] === 'string' ? toImage(members['image_url'], members['detail']) : part;
    case 'input_file':
      return { type: 'file', file: members };
    case 'image':
      return toImageOf(members['source']) ?? part;
    default:
      return part;
  }
}

const toImage = (url: string, detail: unknown): Loose => ({ type: 'image_url', image_url: given({ url, detail }) });

/** The image of a block of Anthropic's Messages; null: it is a file that their service has. */
function toImageOf(source: unknown): Loose | null {
  const { type, url, media_type: mediaType, data }: Loose = isJsonObject(source) ? source : {};
  if (type === 'url' && typeof url === 'string') return toImage(url, null);
  return type === 'base64' ? toImage(`data:${String(mediaType)};base64,${String(data)}`, null) : null;
}

/** A text alone is what every model takes, and what has a field of its own here. */
export function bareText(parts: readonly unknown[]): unknown {
  const [only] = parts;
  return parts.length === 1 && isJsonObject(only) && only['type'] === 'text' ? only['text'] : parts;
}
