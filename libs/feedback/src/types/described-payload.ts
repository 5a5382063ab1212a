import type { FeedbackCreateDto, JsonObject } from '@hone/contracts';

import { type Emoji, findEmoji } from './emoji.js';

/** The payload of a body as it is stored: that of a reaction says which emoji it is. */
export const describedPayload = ({ feedback_type, payload }: FeedbackCreateDto): JsonObject =>
  feedback_type === 'hone.reaction.1' ? describedReaction(payload as JsonObject) : (payload as JsonObject);

function describedReaction(payload: JsonObject): JsonObject {
  const { emoji } = payload;
  const { alias, detoned, detonedAlias } = findEmoji(emoji as string) as Emoji;
  return { ...payload, alias, detoned, detoned_alias: detonedAlias };
}
