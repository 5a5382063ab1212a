/** What a prompt's tokens are estimated by. */
export interface PromptSize {
  /** Bytes of the request without its images and other media. */
  readonly textBytes: number;
  /** Tokens of its images and other media, by rule: their bytes say nothing. */
  readonly mediaTokens: number;
}

/** OpenAI's numbers for an image of 1024 x 1024 pixels, and for one with `detail: low`. */
const IMAGE_TOKENS = 765;
const LOW_DETAIL_TOKENS = 85;
/** Content parts that hold an address or base64 text. */
const MEDIA = /^(?:input_)?(?:image|audio|video|file)(?:_url)?$/;

type Json = Readonly<Record<string, unknown>>;

/**
 * @param fields of the request; `messages`, if it is there, is a list
 * @param bytes size of the request's body
 */
export function promptSizeOf({ messages = [] }: Json, bytes: number): PromptSize {
  let textBytes = bytes;
  let mediaTokens = 0;
  for (const { content } of messages as readonly Json[]) {
    if (!Array.isArray(content)) continue;
    for (const part of content as readonly Json[]) {
      if (typeof part.type !== 'string' || !MEDIA.test(part.type)) continue;
      const media = part[part.type];
      textBytes -= textLength(media);
      mediaTokens += isLowDetail(part) || isLowDetail(media) ? LOW_DETAIL_TOKENS : IMAGE_TOKENS;
    }
  }
  return { textBytes: Math.max(0, textBytes), mediaTokens };
}

/** Length of the address or data, which are ASCII: the value itself, or members of it. */
function textLength(media: unknown): number {
  if (typeof media === 'string') return media.length;
  if (typeof media !== 'object' || media === null) return 0;
  return Object.values(media).reduce<number>((sum, value) => sum + (typeof value === 'string' ? value.length : 0), 0);
}

const isLowDetail = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && (value as Json).detail === 'low';
