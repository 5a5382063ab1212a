import type { AnswerParts } from './answer-parts.js';
import { MessagesForm } from './messages-form.js';
import type { NativeForm } from './native-form.js';
import { ResponsesForm } from './responses-form.js';

export type NativePath = '/v1/responses' | '/v1/messages';

export const nativeForm = (path: NativePath, parts: AnswerParts): NativeForm =>
  path === '/v1/responses' ? new ResponsesForm(parts) : new MessagesForm(parts);
