import { isJsonObject, type JsonObject, type JsonValue, memberOf } from '@hone/contracts';

/**
 * A part of a message as OpenAI's chat API has it; unknown ones stay as they are. Parts of text, files and media come from
 * OpenTelemetry (`gen-ai-input-messages.json`: `text`, `blob`, `uri`, `file`), Pydantic AI (`binary`, `image-url`),
 * OpenInference (`image`) and OpenAI's Responses API (`input_text`, `output_text`).
 */
export function toContentPart(part: JsonValue): JsonValue {
  if (typeof part === 'string') return { type: 'text', text: part };
  if (!isJsonObject(part)) return part;
  switch (part['type']) {
    case 'text':
    case 'input_text':
    case 'output_text':
      return { type: 'text', text: memberOf(part, 'text') ?? memberOf(part, 'content') ?? '' };
    case 'blob':
    case 'binary':
      return fromBytes(part);
    case 'uri':
    case 'image-url':
      return isImage(part) ? imageAt(memberOf(part, 'uri') ?? memberOf(part, 'url') ?? '') : part;
    case 'file':
      return memberOf(part, 'file_id') === undefined
        ? part
        : { type: 'file', file: { file_id: part['file_id'] as JsonValue } };
    default:
      return fromWrappedImage(part);
  }
}

const imageAt = (url: JsonValue): JsonObject => ({ type: 'image_url', image_url: { url } });

/** Of parts that do not say what they hold, most are images. */
function isImage(part: JsonObject): boolean {
  const modality = memberOf(part, 'modality');
  return modality === undefined || modality === null
    ? mediaType(part).startsWith('image/') || mediaType(part) === ''
    : modality === 'image';
}

function mediaType(part: JsonObject): string {
  const type = memberOf(part, 'mime_type') ?? memberOf(part, 'media_type');
  return typeof type === 'string' ? type : '';
}

/** Bytes in base64: a data URL of an image, or audio or a file as the chat API takes them. */
function fromBytes(part: JsonObject): JsonValue {
  const content = memberOf(part, 'content') ?? memberOf(part, 'data');
  if (typeof content !== 'string') return part;
  const type = mediaType(part);
  const url = `data:${type || 'application/octet-stream'};base64,${content}`;
  if (isImage(part)) return imageAt(url);
  const [kind, format = ''] = type.split('/');
  if (kind === 'audio')
    return { type: 'input_audio', input_audio: { data: content, format: format === 'mpeg' ? 'mp3' : format } };
  return { type: 'file', file: { file_data: url } };
}

function fromWrappedImage(part: JsonObject): JsonValue {
  const image = memberOf(part, 'image');
  const url = isJsonObject(image) ? (memberOf(image, 'image') ?? image) : undefined;
  return isJsonObject(url) ? { type: 'image_url', image_url: url } : part;
}
