import { unsupported } from '../translation/refusals.js';

/** Ours: events of images and audio are not passed on. @throws InvalidRequestError the request asks for them */
export function refuseStream({ stream, partial_images: partial }: Readonly<Record<string, unknown>>): void {
  if (isAsked(stream)) throw unsupported(['stream'], 'The answer cannot be streamed');
  if (isAsked(partial)) throw unsupported(['partial_images'], 'Images are sent when they are finished');
}

/** Forms have texts only. */
const isAsked = (value: unknown): boolean =>
  (value ?? false) !== false && !['false', '0', 0, ''].includes(value as string);
